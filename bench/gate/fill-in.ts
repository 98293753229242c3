/**
 * What no file of the corpus holds as it is, so that no scanner takes the corpus for the thing itself: secrets in the
 * form that they have, and characters that are not seen. None of the secrets opens anything.
 */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  aws: ['AKIA', 'Z7QJ4XN2', 'LK5VWT3E'],
  github: ['ghp', '_', 'q8Wz3RtY6uP1sD4fG7hJ', '0kL2xC5vB9nM8aQe'],
  openai: ['sk', '-proj-', 'Tb4hW9kLx2Vn7Qp', '5Rz8Yc3Md6Gf1Js0Ua'],
  password: ['vK9$', 'mQ2r', 'Tz7Lp'],
};

const PLACEHOLDER = /\{\{(secret|tags|zw):([^{}]+)\}\}|\{\{(rlo|pdf)\}\}/g;

/**
 * Replaces `{{secret:NAME}}`; `{{tags:TEXT}}` by the text in tag characters, `{{zw:TEXT}}` by the text with zero-width
 * spaces within, `{{rlo}}` and `{{pdf}}` by bidirectional controls. Throws on the name of a secret that there is not.
 */
export function fillIn(text: string): string {
  return text.replace(PLACEHOLDER, (_, kind: string | undefined, value = '', control = '') => {
    switch (kind) {
      case 'secret': {
        const parts = SECRETS[value];
        if (parts === undefined) throw new Error(`there is no secret "${value}" to fill in`);
        return parts.join('');
      }
      case 'tags':
        return [...value]
          .map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
          .join('');
      case 'zw':
        return [...value].join('\u200b');
      default:
        return control === 'rlo' ? '\u202e' : '\u202c';
    }
  });
}
