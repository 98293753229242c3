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

/** Of a slot: the hash of a term that is not packed, and its place among these plus one, 0 for a free slot. */
const PARTS = 2;

/**
 * A list that begins with the packed terms. The others have a table like theirs: a map takes several times as long for
 * strings that are looked up once.
 */
export function createTermList(packed?: PackedTerms): TermList {
  const first = packed === undefined ? 0 : packed.starts.length - 1;
  const added: string[] = [];
  let slots = new Int32Array(PARTS << 12);

  /** Where the slot of a term begins, or the free one that it is to have. */
  function slotFor(term: string, hash: number): number {
    const mask = slots.length - 1;
    let slot = (hash * PARTS) & mask;
    for (;;) {
      const place = slots[slot + 1] ?? 0;
      if (place === 0 || (slots[slot] === hash && added[place - 1] === term)) return slot;
      slot = (slot + PARTS) & mask;
    }
  }

  /** Twice the slots. */
  function spread(): void {
    slots = new Int32Array(slots.length * 2);
    for (const [index, term] of added.entries()) fill(term, hashOf(term), index + 1);
  }

  function fill(term: string, hash: number, place: number): void {
    const slot = slotFor(term, hash);
    slots[slot] = hash;
    slots[slot + 1] = place;
  }

  function numberWith(term: string, hash: number): number | undefined {
    const known = packed && (packed.slots[slotOf(packed, term, hash)] ?? 0);
    if (known !== undefined && known !== 0) return known - 1;
    const place = slots[slotFor(term, hash) + 1] ?? 0;
    return place === 0 ? undefined : first + place - 1;
  }

  return {
    get size() {
      return first + added.length;
    },
    numberOf: (term) => numberWith(term, hashOf(term)),
    termOf: (number) => (number < first ? packedTerm(packed, number) : (added[number - first] ?? '')),
    add(term) {
      const hash = hashOf(term);
      const known = numberWith(term, hash);
      if (known !== undefined) return known;
      const place = added.push(term);
      if (2 * PARTS * place > slots.length) spread();
      else fill(term, hash, place);
      return first + place - 1;
    },
  };
}

export function packTerms(terms: readonly string[]): PackedTerms {
  const starts = new Uint32Array(terms.length + 1);
  for (const [number, term] of terms.entries()) starts[number + 1] = (starts[number] ?? 0) + term.length;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(terms.length * 2 + 1)));
  const packed = { text: terms.join(''), starts, slots };
  for (const [number, term] of terms.entries()) slots[slotOf(packed, term, hashOf(term))] = number + 1;
  return packed;
}

function packedTerm(packed: PackedTerms | undefined, number: number): string {
  return packed?.text.slice(packed.starts[number], packed.starts[number + 1]) ?? '';
}

/** The slot of a term, or the free one that it is to have. */
function slotOf({ text, starts, slots }: PackedTerms, term: string, hash: number): number {
  let slot = hash & (slots.length - 1);
  for (;;) {
    const number = slots[slot] ?? 0;
    if (number === 0) return slot;
    const start = starts[number - 1] ?? 0;
    if ((starts[number] ?? 0) - start === term.length && text.startsWith(term, start)) return slot;
    slot = (slot + 1) & (slots.length - 1);
  }
}

function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
