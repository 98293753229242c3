import { describe, expect, test } from 'vitest';
import { mendQuery } from '../../src/library/search/mend-query.ts';
import { boundedQuery, readQuery } from '../../src/library/search/query.ts';
import { otherReadings } from '../../src/library/search/readings.ts';
import { createVocabulary } from '../../src/library/words/vocabulary.ts';
import { libraryFolder } from '../support/library-folder.ts';

/** Words of a whole library, to be counted how often they are asked for. */
function countedWords() {
  const vocabulary = createVocabulary();
  vocabulary.numbersOf('time zone web app');
  const asked = { count: 0 };
  const numberOf = (term: string) => {
    asked.count += 1;
    return vocabulary.numberOf(term);
  };
  const held = new Set(vocabulary.numbersOf('time zone web app'));
  const counted = {
    ...vocabulary,
    numberOf,
    get size() {
      return vocabulary.size;
    },
  };
  const words = {
    isHeld: (term: number) => held.has(term),
    skillsWith: (term: number) => (held.has(term) ? 1 : 0),
    purposesWith: (term: number) => (held.has(term) ? 1 : 0),
    like: () => undefined,
  };
  return { asked, vocabulary: counted, words };
}

/** Texts without a blank, as long as search reads them. */
const WITHOUT_BLANKS: [title: string, part: string][] = [
  ['Chinese prose', '请帮我翻译这段文字，并且总结要点。'],
  ['a key', '9f8e7d6c5b4a'],
  ['one letter', 'a'],
  ['a name in pieces', 'foo_bar_'],
  ['kana', 'データベース'],
  ['Thai', 'กขคง'],
  ['brackets', '('],
];

describe('a text without blanks is no word that could be written as two', () => {
  test.each(WITHOUT_BLANKS)('%s', (_, part) => {
    const text = boundedQuery(part.repeat(20_000));
    const { asked, vocabulary, words } = countedWords();
    expect(otherReadings(text, vocabulary, words)).toEqual([]);
    mendQuery(text, readQuery(text, vocabulary), vocabulary, words);
    expect(asked.count).toBeLessThan(1000);
  });

  test('beside other words too, which are read as before', () => {
    const { asked, vocabulary, words } = countedWords();
    const readings = otherReadings(`${'a'.repeat(100)} timezone`, vocabulary, words);
    expect(readings.map(({ text }) => text)).toEqual([`${'a'.repeat(100)} time zone`]);
    expect(asked.count).toBeLessThan(50);
  });
});

test('of a long text the beginning alone is looked at, by whatever finds skills', async () => {
  const root = libraryFolder();
  root.skill('csv-import', { description: 'Loads tables.' });
  root.skill('pdf-forms', { description: 'Fills in forms.' });
  const library = await root.open();
  const behind = `${' '.repeat(20_000)}csv-import`;
  expect(library.search(behind)).toEqual([]);
  expect(library.search(`forms${behind}`)).toEqual(library.search('forms'));
});
