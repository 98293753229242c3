import { LANGUAGES } from './languages.ts';
import type { WordClass } from './word-class.ts';

/** A word or phrase of a class in a text. Offsets in that text, the end excluded. */
export interface WordHit {
  readonly start: number;
  readonly end: number;
  readonly languages: ReadonlySet<string>;
}

interface Node {
  readonly next: Map<string, Node>;
  /** Any further letters of the word. */
  rest?: Node;
  readonly ends: Map<WordClass, Set<string>>;
}

const LETTER = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts that put no blanks between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〇]/u;

/**
 * Every word of every class in a folded text, each class in the order of the text; of words that begin at one place
 * the longest. Walks a tree from each start of a word, so that the time grows with the text alone.
 */
export function scanWords(text: string): Map<WordClass, WordHit[]> {
  const hits = new Map<WordClass, WordHit[]>();
  const characters = text.toLowerCase().length === text.length ? text.toLowerCase() : text;
  const found = new Map<WordClass, WordHit>();
  let before = '';
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters.charAt(at);
    if (isStart(before, character)) {
      found.clear();
      walk(TREE, characters, at, at, found);
      for (const [name, hit] of found) {
        const known = hits.get(name);
        if (known === undefined) hits.set(name, [hit]);
        else if ((known.at(-1)?.end ?? 0) < hit.end) known.push(hit);
      }
    }
    before = character;
  }
  return hits;
}

/** A word begins after what is no letter; in scripts without blanks, and where they meet others, anywhere. */
function isStart(before: string, character: string): boolean {
  if (character === ' ') return false;
  return !LETTER.test(before) || UNSPACED.test(character) || UNSPACED.test(before);
}

function walk(node: Node, text: string, start: number, at: number, found: Map<WordClass, WordHit>): void {
  for (const [name, languages] of node.ends) {
    const isWhole = isStart(text.charAt(at - 1), text.charAt(at) || ' ') || text.charAt(at) === ' ';
    const isEnd = at >= text.length || isWhole || !LETTER.test(text.charAt(at));
    if (isEnd && at > (found.get(name)?.end ?? start)) found.set(name, { start, end: at, languages });
  }
  if (node.rest !== undefined) {
    let end = at;
    while (end < text.length && end - at < LONGEST_ENDING && LETTER.test(text.charAt(end))) end += 1;
    walk(node.rest, text, start, end, found);
  }
  const character = text.charAt(at);
  const next = character === '' ? undefined : node.next.get(character === '-' ? ' ' : character);
  if (next !== undefined) walk(next, text, start, at + 1, found);
}

const LONGEST_ENDING = 20;

function emptyNode(): Node {
  return { next: new Map(), ends: new Map() };
}

const TREE = buildTree();

function buildTree(): Node {
  const root = emptyNode();
  for (const [language, classes] of Object.entries(LANGUAGES))
    for (const [name, words] of Object.entries(classes) as [WordClass, string][])
      for (const word of words.split('|')) insert(root, word.toLowerCase(), name, language);
  return root;
}

function insert(root: Node, word: string, name: WordClass, language: string): void {
  let node = root;
  for (const character of word) {
    if (character === '*') {
      node.rest ??= emptyNode();
      node = node.rest;
      continue;
    }
    const key = character === '-' ? ' ' : character;
    const next = node.next.get(key) ?? emptyNode();
    node.next.set(key, next);
    node = next;
  }
  const languages = node.ends.get(name) ?? new Set<string>();
  node.ends.set(name, languages.add(language));
}
