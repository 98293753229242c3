/** Where the makers of package managers and runtimes serve the installer that their own pages tell everyone to run. */
const INSTALLERS: readonly string[] = [
  'astral.sh/(?:uv|ruff)/',
  'awscli.amazonaws.com/',
  'bootstrap.pypa.io/',
  'bun.(?:sh|com)/install',
  'claude.ai/install',
  'community.chocolatey.org/install.ps1',
  'cursor.com/install',
  '(?:deb|rpm).nodesource.com/setup',
  'deno.land/(?:x/)?install',
  'fnm.vercel.app/install',
  'fly.io/install',
  'foundry.paradigm.xyz',
  'get.docker.com',
  'get.pnpm.io/install',
  'get.sdkman.io',
  'get.volta.sh',
  'get.scoop.sh',
  'get.k3s.io',
  'install.determinate.systems',
  'install.python-poetry.org',
  'mise.(?:run|jdx.dev/install)',
  'nixos.org/nix/install',
  'ollama.com/install',
  'pixi.sh/install',
  'pyenv.run',
  'raw.githubusercontent.com/(?:Homebrew/install|nvm-sh/nvm|ohmyzsh/ohmyzsh|helm/helm|asdf-vm/asdf|pyenv/pyenv-installer)/',
  'sh.rustup.rs',
  'starship.rs/install',
  'static.rust-lang.org/rustup/',
];

const KNOWN = new RegExp(
  `^(?:https://)?(?:www\\.)?(?:${INSTALLERS.map((each) => each.replace(/\.(?!\*)/g, '\\.')).join('|')})(?:(?<=/)|(?![\\w-]|\\.(?!sh|ps1|py)))`,
  'i',
);
const ADDRESS = /(?:https?:\/\/)?(?:[\w-]{1,63}\.){1,5}[a-z]{2,12}(?:\/[^\s"'`|)<>;]{0,200})?/gi;

/** Whether a command fetches from nowhere but from such a place, and safely. */
export function fetchesKnownInstaller(command: string): boolean {
  const addresses = (command.match(ADDRESS) ?? []).filter((each) =>
    /\/|\.(?:sh|rs|run|com|io|ai)$/i.test(each),
  );
  return addresses.length > 0 && addresses.every((each) => !/^http:/i.test(each) && KNOWN.test(each));
}
