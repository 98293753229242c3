import type { SkillDocument } from './skill-document.ts';

/** Steps of a detail to 1. None reaches 7: `saturated` bounds it, and no body is taken for narrower than it can be. */
const STEPS = 1 << 13;
/** Documents that two bytes can number. */
const FEW_DOCUMENTS = 1 << 16;

/** Numbers of documents: two bytes each while these do. */
export type Owners = Uint16Array | Uint32Array;

/**
 * The documents of many skills turned around: for each term the documents that hold it, in a few blocks of numbers.
 * Never changes once it is made, so that libraries share it. Ten thousand skills have four million places: what a place
 * takes is most of the memory and of the time of a start.
 */
export interface Postings {
  /** Documents, numbered from 0. */
  readonly size: number;
  /** Where the places of each term begin in the blocks below, by the term's number; one more at the end. */
  readonly starts: Uint32Array;
  /** The document of each place, ascending within a term. */
  readonly owners: Owners;
  /** As in the document. */
  readonly purpose: Float32Array;
  /** In steps: see `detailAt`. Coarser purposes change the order of hits that are nearly alike. */
  readonly detail: Uint16Array;
  /** As in the document. */
  readonly fields: Uint8Array;
}

/** Postings with the number that each document is to get, or -1 for one that is left out; numbers ascend. */
export interface PostingsPart {
  readonly postings: Postings;
  readonly numbers: Int32Array;
}

/** Turns documents around; each gets its position as its number. */
export function postingsOf(documents: readonly Omit<SkillDocument, 'skill'>[]): Postings {
  const blocks = createBlocks(documents.length, (count) => {
    for (const { terms } of documents) for (let at = 0; at < terms.length; at += 1) count(terms[at] ?? 0, 1);
  });
  const { owners, purpose, detail, fields, next } = blocks;
  for (const [owner, document] of documents.entries()) {
    const { terms } = document;
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms[at] ?? 0;
      const place = next[term] ?? 0;
      next[term] = place + 1;
      owners[place] = owner;
      purpose[place] = document.purpose[at] ?? 0;
      detail[place] = stepsOf(document.detail[at] ?? 0);
      fields[place] = document.fields[at] ?? 0;
    }
  }
  return withoutNext(blocks);
}

/** One in place of several, `size` documents in all; those of a later part have higher numbers. */
export function mergePostings(parts: readonly PostingsPart[], size: number): Postings {
  const blocks = createBlocks(size, (count) => {
    for (const { postings, numbers } of parts)
      eachPlace(postings, (term, place) => {
        if ((numbers[postings.owners[place] ?? 0] ?? -1) >= 0) count(term, 1);
      });
  });
  for (const { postings, numbers } of parts)
    eachPlace(postings, (term, place) => {
      const owner = numbers[postings.owners[place] ?? 0] ?? -1;
      if (owner < 0) return;
      const to = blocks.next[term] ?? 0;
      blocks.next[term] = to + 1;
      blocks.owners[to] = owner;
      blocks.purpose[to] = postings.purpose[place] ?? 0;
      blocks.detail[to] = postings.detail[place] ?? 0;
      blocks.fields[to] = postings.fields[place] ?? 0;
    });
  return withoutNext(blocks);
}

/** How strongly headings and body of a document hold a term. */
export function detailAt({ detail }: Postings, place: number): number {
  return (detail[place] ?? 0) / STEPS;
}

/** Numbers of so many documents in these bytes. */
export function ownersIn(size: number, buffer: ArrayBufferLike, start: number, bytes: number): Owners {
  return size <= FEW_DOCUMENTS
    ? new Uint16Array(buffer, start, bytes / 2)
    : new Uint32Array(buffer, start, bytes / 4);
}

/** Never 0 for a term that is held. */
function stepsOf(strength: number): number {
  return strength === 0 ? 0 : Math.max(1, Math.round(strength * STEPS));
}

/** Calls with each place and its term, by terms. */
export function eachPlace(postings: Postings, visit: (term: number, place: number) => void): void {
  const { starts } = postings;
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const end = starts[term + 1] ?? 0;
    for (let place = starts[term] ?? 0; place < end; place += 1) visit(term, place);
  }
}

type Blocks = Postings & { readonly next: Uint32Array };

/** Empty blocks of the right size; `next` says where the next place of each term goes. */
function createBlocks(size: number, countAll: (count: (term: number, by: number) => void) => void): Blocks {
  let counts = new Uint32Array(1 << 12);
  let most = -1;
  countAll((term, by) => {
    if (term >= counts.length) {
      const larger = new Uint32Array(Math.max(term + 1, counts.length * 2));
      larger.set(counts);
      counts = larger;
    }
    if (term > most) most = term;
    counts[term] = (counts[term] ?? 0) + by;
  });
  const starts = new Uint32Array(most + 2);
  for (let term = 0; term <= most; term += 1) starts[term + 1] = (starts[term] ?? 0) + (counts[term] ?? 0);
  const places = starts[most + 1] ?? 0;
  return {
    size,
    starts,
    owners: size <= FEW_DOCUMENTS ? new Uint16Array(places) : new Uint32Array(places),
    purpose: new Float32Array(places),
    detail: new Uint16Array(places),
    fields: new Uint8Array(places),
    next: starts.slice(),
  };
}

function withoutNext({ next: _, ...postings }: Blocks): Postings {
  return postings;
}
