/** Terms and their numbers. Only grows. */
export interface TermList {
  readonly size: number;
  /** Undefined for a term that is not in it. */
  numberOf(term: string): number | undefined;
  /** Empty for a number that no term has. */
  termOf(number: number): string;
  /** The number of a term, which is put in if it is new. */
  add(term: string): number;
}

/** Terms as they are kept in a file: looked up where they lie, so that a start makes no string of them. */
export interface PackedTerms {
  /** All terms, one after the other. */
  readonly text: string;
  /** Where each begins in the text; one more at the end. */
  readonly starts: Uint32Array;
  /** Open addressing: the number of a term plus one, 0 for a free slot. A power of two. */
  readonly slots: Uint32Array;
}

/** A list that begins with the packed terms. */
export function createTermList(packed?: PackedTerms): TermList {
  const first = packed === undefined ? 0 : packed.starts.length - 1;
  const added: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (term: string) => packedNumber(packed, term) ?? numbers.get(term);
  return {
    get size() {
      return first + added.length;
    },
    numberOf,
    termOf: (number) => (number < first ? packedTerm(packed, number) : (added[number - first] ?? '')),
    add(term) {
      const known = numberOf(term);
      if (known !== undefined) return known;
      const number = first + added.push(term) - 1;
      numbers.set(term, number);
      return number;
    },
  };
}

export function packTerms(terms: readonly string[]): PackedTerms {
  const starts = new Uint32Array(terms.length + 1);
  for (const [number, term] of terms.entries()) starts[number + 1] = (starts[number] ?? 0) + term.length;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(terms.length * 2 + 1)));
  const packed = { text: terms.join(''), starts, slots };
  for (const [number, term] of terms.entries()) slots[slotOf(packed, term)] = number + 1;
  return packed;
}

function packedTerm(packed: PackedTerms | undefined, number: number): string {
  return packed?.text.slice(packed.starts[number], packed.starts[number + 1]) ?? '';
}

function packedNumber(packed: PackedTerms | undefined, term: string): number | undefined {
  const number = packed === undefined ? 0 : (packed.slots[slotOf(packed, term)] ?? 0);
  return number === 0 ? undefined : number - 1;
}

/** The slot of a term, or the free one that it is to have. */
function slotOf({ text, starts, slots }: PackedTerms, term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
  for (;;) {
    const number = slots[slot] ?? 0;
    if (number === 0) return slot;
    const start = starts[number - 1] ?? 0;
    if ((starts[number] ?? 0) - start === term.length && text.startsWith(term, start)) return slot;
    slot = (slot + 1) & (slots.length - 1);
  }
}
