/** What a person does not see and a model reads: controls, line separators, direction marks, and what is drawn as nothing. */
const CLASS =
  '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u00AD\\uFFF9-\\uFFFB\\u{E0000}-\\u{E0FFF}';

/** Everything that does not show, line ends and tabs too. Global. */
export const INVISIBLE = new RegExp(`[${CLASS}]`, 'gu');
/** The same but for tabs and line ends, and for the mark behind a picture that makes it colourful. Global. */
export const HIDDEN = new RegExp(`(?!(?<=\\p{Extended_Pictographic})\\uFE0F)(?![\\t\\n])[${CLASS}]`, 'gu');

/** A character by its number: `<U+202E>`. */
export function spelled(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
