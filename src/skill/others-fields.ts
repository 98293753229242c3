/** Fields of other agents, by a word in their name, that restrict a skill or give it a tool. */
const RESTRICTS =
  /^(?:params|(?:dis)?allow(?:ed)?|den(?:y|ied)|forbid(?:den)?|block(?:ed)?|restrict(?:ed|ions?|s)?|permissions?|approvals?|confirm(?:ation)?|tools?|mcp|hooks?|invocation|invocable|invoke|paths?|globs?|apply|scopes?|context|agents?|sandbox(?:ed)?|isolation|isolated|readonly|trust(?:ed)?)$/;

/**
 * Whether others read the field at the top level alone and moving it would lift a restriction there or lose a tool:
 * `disallowed-tools`, `paths`, `context`, `userInvocable`.
 */
export function isReadAtTop(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => RESTRICTS.test(word));
}
