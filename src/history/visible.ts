import { HIDDEN, spelled } from '../text/invisible.ts';

/** Text with characters that do not show, or that turn the direction of text, written as `<U+202E>`. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, spelled);
}
