import { createRedactor, findSecrets, type SecretSpan } from '../transcript/redact.ts';
import type { Change, Origin } from './revision.ts';

/**
 * A change without the secrets in the words that people give it, which a commit keeps for good and hands on to whoever
 * reads the repository: why it was made, why a rule was overridden, and where a skill comes from.
 */
export function withoutSecrets<T extends Change>(change: T): T {
  const redactor = createRedactor();
  const { overrides, origin } = change;
  return {
    ...change,
    what: withoutTokens(change.what),
    why: redactor.text(change.why),
    ...(overrides === undefined
      ? {}
      : { overrides: overrides.map(({ rule, why }) => ({ rule, why: redactor.text(why) })) }),
    ...(origin === undefined ? {} : { origin: originWithoutTokens(origin) }),
  };
}

/** A source that holds a token cannot be found again, which is less harm than a token that everybody reads. */
function originWithoutTokens(origin: Origin): Origin {
  const { source, ref, path, name, version } = origin;
  return {
    ...origin,
    source: withoutTokens(source),
    ...(ref === undefined ? {} : { ref: withoutTokens(ref) }),
    path: withoutTokens(path),
    name: withoutTokens(name),
    ...(version === undefined ? {} : { version: withoutTokens(version) }),
  };
}

/** In a place, home folders and addresses stay: they are how it is found again, as in `ssh://me@host.org/skills`. */
function withoutTokens(text: string): string {
  const secrets: string[] = [];
  const marked = (spans: readonly SecretSpan[]): string => {
    let [result, at] = ['', 0];
    for (const { rule, start, end } of spans) {
      const secret = text.slice(start, end);
      if (!secrets.includes(secret)) secrets.push(secret);
      result += `${text.slice(at, start)}[REDACTED:${rule}:${secrets.indexOf(secret) + 1}]`;
      at = end;
    }
    return result + text.slice(at);
  };
  return marked(
    findSecrets(text).filter(({ rule, start, end }) => rule !== 'email' || isToken(text.slice(start, end))),
  );
}

/** Whether what stands before the `@` is a secret by itself. */
function isToken(address: string): boolean {
  return findSecrets(address.slice(0, address.indexOf('@'))).length > 0;
}
