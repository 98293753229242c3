/** Package indexes and registries of known keepers, and addresses that are to be filled in. */
const KNOWN_INDEX =
  /https:\/\/(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|pytorch\.org|pypi\.nvidia\.com|ngc\.nvidia\.com|npmjs\.org|npmjs\.com|npmmirror\.com|yarnpkg\.com|rubygems\.org|pkg\.github\.com|pkg\.dev|pkgs\.dev\.azure\.com|amazonaws\.com|jsr\.io|tsinghua\.edu\.cn|aliyun\.com|ustc\.edu\.cn|flashinfer\.ai|anaconda\.org|gitlab\.com|example\.(?:com|org|test)|localhost|127\.0\.0\.1)(?=[/:\s"'`]|$)|https:\/\/[<{$]/i;

/** Whether an address, or a command with one, goes to such an index. */
export function isKnownIndex(text: string): boolean {
  return KNOWN_INDEX.test(text);
}
