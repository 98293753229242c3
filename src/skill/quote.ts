/**
 * A text as YAML, double-quoted on one line, with every character escaped that YAML or a reader of lines could trip over.
 * Three hyphens in a row are, as the reference reader takes them for a fence wherever they stand.
 */
export function quote(value: string): string {
  return JSON.stringify(value)
    .replaceAll('---', '\\u002d--')
    .replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}
