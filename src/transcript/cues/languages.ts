import { CHINESE } from './chinese.ts';
import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import { JAPANESE } from './japanese.ts';
import type { LanguageCues } from './language.ts';
import { SPANISH } from './spanish.ts';

/** The languages whose turns of phrase are known. A new one is a file here and a line below. */
export const LANGUAGES: readonly LanguageCues[] = [ENGLISH, GERMAN, SPANISH, CHINESE, JAPANESE];
