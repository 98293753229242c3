import { KnackError } from '../errors.ts';

/** Where a base URL may have come from, for messages. */
const PLACES = 'OPENAI_BASE_URL, or model.baseUrl in knack.json';

/**
 * A base URL as it was given. Throws `config-invalid`, without the password that may stand in it; `places` says which
 * settings it comes from.
 */
export function checkedUrl(baseUrl: string, places = PLACES): string {
  if (!/^https?:\/\/[^/]/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new KnackError(
      'config-invalid',
      `the base URL "${withoutUser(baseUrl)}" (${places}) is not a URL that begins with http:// or https://`,
    );
  const { username, password } = new URL(baseUrl);
  if (username !== '' || password !== '')
    throw new KnackError(
      'config-invalid',
      `the base URL "${withoutUser(baseUrl)}" (${places}) holds a user or a password, which is not sent; leave it out, and give the key as OPENAI_API_KEY`,
    );
  return baseUrl;
}

/** The URL as it may be shown: whatever stands before the last `@` may hold a password. */
function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)?.*@/s, '$1…@');
}
