import { CHINESE } from './chinese.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { FURTHER } from './further.ts';
import { GERMAN } from './german.ts';
import { JAPANESE } from './japanese.ts';
import { PORTUGUESE } from './portuguese.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';
import type { Words } from './word-class.ts';

/** Every language whose words are known, by its code. */
export const LANGUAGES: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  pt: PORTUGUESE,
  ru: RUSSIAN,
  zh: CHINESE,
  ja: JAPANESE,
  ...FURTHER,
};
