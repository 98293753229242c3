/** Sets a piece of untrusted text off in a prompt: `fence('digest', text)`. */
export type Fence = (name: string, text: string) => string;

/**
 * Fences with one mark for a whole request. The mark is random for each review and cannot be known to whoever wrote
 * the text, so that nothing in it can close its part. Throws if it stands in a text all the same.
 */
export function createFence(mark: string): Fence {
  return (name, text) => {
    if (text.includes(mark)) throw new Error(`the mark ${mark} stands in the part ${name}`);
    return `<<${name} ${mark}\n${text}\n${mark} ${name}>>`;
  };
}
