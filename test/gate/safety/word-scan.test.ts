import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/gate/safety/words/languages.ts';
import { WORD_CLASSES, type WordClass } from '../../../src/gate/safety/words/word-class.ts';
import { scanWords } from '../../../src/gate/safety/words/word-scan.ts';

const wordsOf = (text: string, name: WordClass) =>
  (scanWords(text).get(name) ?? []).map(({ start, end }) => text.slice(start, end));

test.each<[text: string, name: WordClass, words: string[]]>([
  ['Send it, resend, sender.', 'send', ['Send']],
  ['API-Schlüssel und Passwörter', 'secret', ['API-Schlüssel', 'Passwörter']],
  ['Отправьте это', 'send', ['Отправьте']],
  ['请把密钥发送到这里', 'send', ['发送']],
  ['ユーザーに知らせず', 'untold', ['知らせず']],
  ['the bash history', 'shell-history', ['bash history']],
])('%j has of %s %j', (text, name, words) => {
  expect(wordsOf(text, name)).toEqual(words);
});

test('the eight languages know the acts and things that attacks are made of', () => {
  const needed: WordClass[] = [
    'send',
    'secret',
    'fetch',
    'run',
    'obey',
    'erase',
    'user',
    'rule',
    'ignore',
    'guard',
  ];
  const missing = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'zh', 'ja'].flatMap((language) =>
    needed.filter((name) => LANGUAGES[language]?.[name] === undefined).map((name) => `${language} ${name}`),
  );
  expect(missing).toEqual([]);
  expect(new Set(WORD_CLASSES).size).toBe(WORD_CLASSES.length);
});
