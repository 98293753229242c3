import type { PreparedDocument } from './skill-document.ts';

/** Steps of a detail to 1. None reaches 7: `saturated` bounds it, and no body is taken for narrower than it can be. */
const STEPS = 1 << 13;
/** Documents that two bytes can number. */
const FEW_DOCUMENTS = 1 << 16;

/** Numbers of documents: two bytes each while these do. */
export type Owners = Uint16Array | Uint32Array;

/**
 * The documents of many skills turned around: for each term the documents that hold it, in a few blocks of numbers.
 * Never changes once it is made, so that libraries share it. Ten thousand skills have four million places: what a place
 * takes is most of the memory and of the time of a start. So those that hold a term in their purpose, one in ten, come
 * first within a term, and only they have a place in `purpose`.
 */
export interface Postings {
  /** Documents, numbered from 0. */
  readonly size: number;
  /** Where the places of each term begin in the blocks below, by the term's number; one more at the end. */
  readonly starts: Uint32Array;
  /** The same in `purpose`. */
  readonly meant: Uint32Array;
  /** The document of each place; they ascend within a term, first those that are for it, then the others. */
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
export function postingsOf(documents: readonly PreparedDocument[]): Postings {
  let most = 0;
  for (const { terms } of documents)
    for (let at = 0; at < terms.length; at += 1) most = Math.max(most, (terms[at] ?? 0) + 1);
  const counts = createCounts(most);
  for (const { terms, purpose } of documents)
    for (let at = 0; at < terms.length; at += 1)
      addTo(counts, terms[at] ?? 0, 1, at < purpose.length ? 1 : 0);
  const blocks = createBlocks(documents.length, counts);
  const { next, nextOther, nextPurpose } = cursorsOf(blocks);
  for (const [owner, { terms, purpose, detail, fields }] of documents.entries()) {
    for (let at = 0; at < purpose.length; at += 1) {
      const term = terms[at] ?? 0;
      const to = nextPurpose[term] ?? 0;
      nextPurpose[term] = to + 1;
      blocks.purpose[to] = purpose[at] ?? 0;
    }
    for (let at = 0; at < terms.length; at += 1) {
      const cursors = at < purpose.length ? next : nextOther;
      const term = terms[at] ?? 0;
      const place = cursors[term] ?? 0;
      cursors[term] = place + 1;
      blocks.owners[place] = owner;
      blocks.detail[place] = detail[at] ?? 0;
      blocks.fields[place] = fields[at] ?? 0;
    }
  }
  return blocks;
}

/** One in place of several, `size` documents in all; those of a later part have higher numbers. */
export function mergePostings(parts: readonly PostingsPart[], size: number): Postings {
  const terms = parts.reduce((most, { postings }) => Math.max(most, postings.starts.length - 1), 0);
  const counts = createCounts(terms);
  for (const part of parts)
    for (let term = part.postings.starts.length - 2; term >= 0; term -= 1) {
      const [start, others, end] = placesOf(part.postings, term);
      if (end === start) continue;
      const meant = takenIn(part, start, others);
      addTo(counts, term, meant + takenIn(part, others, end), meant);
    }
  const blocks = createBlocks(size, counts);
  let place = 0;
  let to = 0;
  const take = ({ postings, numbers }: PostingsPart, from: number, end: number, purposes: number) => {
    for (let at = from; at < end; at += 1) {
      const owner = numbers[postings.owners[at] ?? 0] ?? -1;
      if (owner < 0) continue;
      blocks.owners[place] = owner;
      blocks.detail[place] = postings.detail[at] ?? 0;
      blocks.fields[place] = postings.fields[at] ?? 0;
      place += 1;
      if (purposes < 0) continue;
      blocks.purpose[to] = postings.purpose[purposes + at - from] ?? 0;
      to += 1;
    }
  };
  // Term by term, so that all blocks are written from their beginning to their end.
  for (let term = 0; term < terms; term += 1) {
    for (const part of parts) {
      const [start, others] = placesOf(part.postings, term);
      if (others > start) take(part, start, others, part.postings.meant[term] ?? 0);
    }
    for (const part of parts) {
      const [, others, end] = placesOf(part.postings, term);
      if (end > others) take(part, others, end, -1);
    }
  }
  return blocks;
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

/** How many steps a detail is, in single precision; never 0 for a term that is held. */
export function stepsOf(detail: number): number {
  return detail === 0 ? 0 : Math.max(1, Math.round(Math.fround(detail) * STEPS));
}

/** Where the places of a term begin, and those of the documents that are for something else, and where they end. */
export function placesOf(
  { starts, meant }: Postings,
  term: number,
): [start: number, others: number, end: number] {
  const end = starts[term + 1] ?? 0;
  const start = starts[term] ?? end;
  return [start, Math.min(end, start + (meant[term + 1] ?? 0) - (meant[term] ?? 0)), end];
}

/** How many of these places are of documents that are taken. */
function takenIn({ postings, numbers }: PostingsPart, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; at += 1) if ((numbers[postings.owners[at] ?? 0] ?? -1) >= 0) count += 1;
  return count;
}

/** Places by term, each count behind its term, as the beginnings are to be; and those of documents that are for it. */
type Counts = Pick<Postings, 'starts' | 'meant'>;

function createCounts(terms: number): Counts {
  return { starts: new Uint32Array(terms + 1), meant: new Uint32Array(terms + 1) };
}

function addTo({ starts, meant }: Counts, term: number, places: number, forIt: number): void {
  starts[term + 1] = (starts[term + 1] ?? 0) + places;
  meant[term + 1] = (meant[term + 1] ?? 0) + forIt;
}

/** Empty blocks of the right size; the counts become the beginnings. */
function createBlocks(size: number, { starts, meant }: Counts): Postings {
  for (let term = 1; term < starts.length; term += 1) {
    starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0);
    meant[term] = (meant[term] ?? 0) + (meant[term - 1] ?? 0);
  }
  const places = starts[starts.length - 1] ?? 0;
  return {
    size,
    starts,
    meant,
    owners: size <= FEW_DOCUMENTS ? new Uint16Array(places) : new Uint32Array(places),
    purpose: new Float32Array(meant[meant.length - 1] ?? 0),
    detail: new Uint16Array(places),
    fields: new Uint8Array(places),
  };
}

/** By term: where the next document goes that is for it, where the next other one goes, and where the next purpose goes. */
function cursorsOf({ starts, meant }: Postings) {
  const nextOther = new Uint32Array(starts.length);
  for (let term = 0; term + 1 < starts.length; term += 1)
    nextOther[term] = (starts[term] ?? 0) + (meant[term + 1] ?? 0) - (meant[term] ?? 0);
  return { next: starts.slice(), nextOther, nextPurpose: meant.slice() };
}
