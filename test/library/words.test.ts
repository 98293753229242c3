import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { similarity } from '../../src/library/likeness/similarity.ts';
import { nearNames } from '../../src/library/near-names.ts';
import { stem } from '../../src/library/words/stem.ts';
import { termsOf } from '../../src/library/words/tokenize.ts';
import { createVocabulary } from '../../src/library/words/vocabulary.ts';

const TERMS: [title: string, text: string, terms: string[]][] = [
  ['words in lower case, without stop words', 'The Quick fox, and a dog', ['quick', 'fox', 'dog']],
  ['stems', 'converting converted conversion tables', ['convert', 'convert', 'convers', 'tabl']],
  [
    'camelCase in parts and whole',
    'readFile HTTPServer',
    ['read', 'fil', 'readfil', 'http', 'server', 'httpserver'],
  ],
  ['plurals of short names', 'PDFs', ['pdf']],
  ['a name with and without its number', 'python3', ['python', 'python3']],
  [
    'paths and names with signs',
    'src/read-roots.ts node_modules',
    ['src', 'read', 'root', 'ts', 'nod', 'modul'],
  ],
  ['pairs of Chinese characters', '认证系统', ['认证', '证系', '系统']],
  ['one character alone', '茶', ['茶']],
  ['Japanese with the prolonged mark', 'データ', ['デー', 'ータ']],
  ['Korean syllables', '날씨', ['날씨']],
  ['scripts side by side', '解析pdf文件', ['解析', 'pdf', '文件']],
  ['full-width letters as plain ones', 'ＰＤＦ', ['pdf']],
  ['half-width kana as full-width ones', 'ﾃﾞｰﾀ', ['デー', 'ータ']],
  ['kana with combining marks as whole ones', 'データ'.normalize('NFD'), ['デー', 'ータ']],
  ['words without their accents', 'Übersetzung naïve ÉTÉ', ['ubersetzung', 'naiv', 'ete']],
  ['Cyrillic and Greek', 'Погода σήμερα', ['погода', 'σημερα']],
  ['no long numbers, no single letters', '123456 12 a x', ['12']],
  ['no endless words', 'x'.repeat(41), []],
  ['signs and emoji as gaps', '🎉 a—b… tea🍵cup', ['tea', 'cup']],
  ['halves of a pair', '\ud800tea\udc00', ['tea']],
  ['characters of the astral planes', '𠮷野家', ['𠮷野', '野家']],
];

test.each(TERMS)('the terms of a text: %s', (_, text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('a row of characters without spaces has the pair of each two neighbours, in the form that normalising gives', () => {
  const characters = '漢字かがカガー々ﾊﾟ데이터ᄒ\u3099豈𠮷'.split(/(?:)/u);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...characters), { minLength: 2 }), (row) => {
      const normal = [...row.join('').normalize('NFKC')];
      const pairs = normal.slice(1).map((character, index) => `${normal[index]}${character}`);
      expect(termsOf(row.join(''))).toEqual(pairs.length === 0 ? normal : pairs);
    }),
  );
});

test('a vocabulary has the terms of any text in their order, and equal ones once', () => {
  const vocabulary = createVocabulary();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const numbers = vocabulary.numbersOf(text);
      expect(numbers.map(vocabulary.termOf)).toEqual(termsOf(text));
      for (const number of numbers) expect(vocabulary.numberOf(vocabulary.termOf(number))).toBe(number);
    }),
    { examples: [['constructor __proto__ toString'], ['hasOwnProperty hasOwnProperty']] },
  );
});

test('a query is read as a text is, and equal words alike', () => {
  const vocabulary = createVocabulary();
  vocabulary.numbersOf('review pull requests, toString');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const query = vocabulary.forQuery();
      const asText = createVocabulary();
      expect(query.numbersOf(text).map(query.termOf)).toEqual(termsOf(text));
      expect(query.wordsOf(text).map(query.termOf)).toEqual(asText.wordsOf(text).map(asText.termOf));
      expect(query.wordsOf(text).map(query.isStop)).toEqual(asText.wordsOf(text).map(asText.isStop));
      expect(query.numbersOf(text)).toEqual(query.numbersOf(text));
    }),
    {
      examples: [
        ['Please review the pullRequest of zzyx'],
        ['hasOwnProperty toString'],
        ['查看 PDFs é'],
        ['callee caller'],
      ],
    },
  );
});

test('only a stop word itself is one, and no other word with its stem', () => {
  const vocabulary = createVocabulary();
  const text = 'not notion NOT same Sam Notion getting';
  const numbers = vocabulary.wordsOf(text);
  expect(numbers.map(vocabulary.isStop)).toEqual([true, false, true, true, false, false, true]);
  expect(vocabulary.forQuery().wordsOf(text)).toEqual(numbers);
});

test('thousands of words of any length and pairs of characters have terms of their own', () => {
  const vocabulary = createVocabulary();
  const words = Array.from({ length: 8000 }, (_, index) =>
    Array.from({ length: 3 + (index % 13) }, (_, at) =>
      String.fromCharCode(97 + ((Math.imul(index * 31 + at, 0x9e3779b1) >>> 8) % 26)),
    ).join(''),
  );
  const pairs = [...'漢字かな가나'].flatMap((left) => [...'漢字かな가나'].map((right) => `${left}${right}`));
  // The keys of these are the same but for their length.
  const alike = ['abcdefghij', 'pabcdefghij', 'ppabcdefghij', 'Vabcdefghij'];
  const text = [...words, ...pairs, '漢字é', 'éa漢', ...alike].join(' ');
  for (const _ of [1, 2]) expect(vocabulary.numbersOf(text).map(vocabulary.termOf)).toEqual(termsOf(text));
});

test.each([
  ['connect', 'connects', 'connected', 'connecting'],
  ['deploy', 'deploys', 'deployed', 'deploying', 'deployment'],
  ['query', 'queries'],
  ['analyse', 'analyze', 'analysis'],
  ['organise', 'organize', 'organization', 'organisation'],
  ['humanize', 'humanizing', 'humanizer', 'humanizers', 'humanise', 'humaniser', 'humanization'],
  ['analyze', 'analyzer', 'analyser'],
  ['validate', 'validator', 'validation'],
  ['extract', 'extractor', 'extraction'],
  ['act', 'action'],
  ['refactor', 'refactoring', 'refactored'],
  ['stop', 'stopped', 'stopping'],
  ['test', 'tests', 'testing'],
  ['movie', 'movies'],
  ['colour', 'color', 'colours', 'colored'],
  ['favourite', 'favorite'],
  ['catalogue', 'catalog'],
  ['model', 'modelling', 'modeling'],
  ['traveller', 'traveler'],
  ['child', 'children'],
  ['criterion', 'criteria'],
])('forms of %s have one stem', (...words) => {
  expect(new Set(words.map(stem)).size).toBe(1);
});

test.each([
  ['notion', 'notes'],
  ['motion', 'motes'],
  ['nation', 'nat'],
])('%s and %s have stems of their own', (left, right) => {
  expect(stem(left)).not.toBe(stem(right));
});

test.each([
  ['bus', 'buses'],
  ['class', 'classes'],
  ['data', 'date'],
  ['need', 'nee'],
  ['sing', 's'],
])('a stem is no shorter than a word can be told by: %s, %s', (...words) => {
  for (const word of words) expect(stem(word).length).toBeGreaterThanOrEqual(Math.min(3, word.length));
});

const NAMES = ['pdf-forms', 'pdf-merge', 'csv-import', 'tea', 'constructor'];
const NEAR: [wanted: string, near: string[]][] = [
  ['pdf-form', ['pdf-forms']],
  ['csv-imprt', ['csv-import']],
  ['import', ['csv-import']],
  ['forms-pdf', ['pdf-forms', 'pdf-merge']],
  ['teas', ['tea']],
  ['pdf', ['pdf-forms', 'pdf-merge']],
  ['zebra', []],
  ['', []],
  ['__proto__', []],
];

test.each(NEAR)('near to %j are %j', (wanted, near) => {
  expect(nearNames(wanted, NAMES).slice(0, near.length || 3)).toEqual(near);
});

test('the nearest name is the one that is nearest as a whole', () => {
  const names = ['doc', 'docker-patterns', 'go-patterns', 'docker', 'dockerfile-patterns'];
  expect(nearNames('dockr-patterns', names)).toEqual([
    'docker-patterns',
    'go-patterns',
    'dockerfile-patterns',
  ]);
  expect(nearNames('dockr-patterns', ['doc', 'docker-patterns'])).toEqual(['docker-patterns', 'doc']);
  expect(nearNames('docker', ['docker-patterns', 'docker-io'])).toEqual(['docker-io', 'docker-patterns']);
});

describe('how much two skills say the same', () => {
  const skill = (name: string, description: string, body: string) => ({ name, description, body });
  const tea = skill(
    'tea',
    'Brews green tea.',
    'Heat the water to seventy degrees, pour it over leaves and wait for two minutes. Then take the leaves out, warm the cups with hot water and fill them slowly.',
  );

  test('is all for a copy, most for a copy with more around it, and little for another', () => {
    expect(similarity(tea, tea)).toBe(1);
    const longer = skill(
      'infusions',
      'Makes drinks.',
      `Wash the pot first. ${tea.body} Serve with biscuits on a tray.`,
    );
    expect(similarity(tea, longer)).toBeGreaterThan(0.8);
    const bread = skill(
      'bread',
      'Bakes rye bread.',
      'Knead the dough, let it rest for a night and bake it in a hot oven.',
    );
    expect(similarity(tea, bread)).toBeLessThan(0.2);
  });

  test('does not depend on which comes first, and is between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        const [a, b] = [skill('a', left, right), skill('b', right, left)];
        expect(similarity(a, b)).toBe(similarity(b, a));
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0);
        expect(similarity(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test('names that are told by signs are the words that people also write for them', () => {
  for (const [text, word] of [
    ['C++ unit tests', 'cpp'],
    ['modern c++17', 'cpp'],
    ['C# and F#', 'csharp'],
    ['an ASP .NET service', 'dotnet'],
  ] as const)
    expect(termsOf(text)).toContain(termsOf(word)[0]);
  expect(termsOf('a C#3 chord, abc# and i++')).not.toContain('cpp');
});
