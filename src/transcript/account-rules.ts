import { isDocumentedNumber } from './documented-numbers.ts';
import type { SecretRule } from './secret-rule.ts';
import { isPlaceholder } from './secret-values.ts';

/** Characters after country and check digits, by country. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  NO: 11,
  BE: 12,
  DK: 14,
  FI: 14,
  NL: 14,
  AT: 16,
  LU: 16,
  CH: 17,
  LV: 17,
  HR: 17,
  LI: 17,
  LT: 16,
  EE: 16,
  SI: 15,
  BG: 18,
  DE: 18,
  GB: 18,
  IE: 18,
  IL: 19,
  AE: 19,
  CZ: 20,
  ES: 20,
  RO: 20,
  SA: 20,
  SE: 20,
  SK: 20,
  PT: 21,
  IS: 22,
  TR: 22,
  FR: 23,
  GR: 23,
  IT: 23,
  HU: 24,
  PL: 24,
  CY: 24,
  UA: 25,
  MT: 27,
  BR: 25,
};
const IBAN = Object.entries(IBAN_LENGTHS)
  .map(([country, length]) => `${country}\\d{2}(?: ?[A-Z0-9]){${length}}`)
  .join('|');

const plain = (number: string) => number.replace(/[ -]/g, '');

/** Numbers of accounts and cards, whose check digits tell them from others, and what keeps somebody logged in. */
export const ACCOUNT_RULES: readonly SecretRule[] = [
  {
    rule: 'iban',
    hints: [''],
    pattern: new RegExp(`(?<![A-Za-z0-9])(?:${IBAN})(?![A-Za-z0-9])`, 'g'),
    accepts: (number) => !isDocumentedNumber(plain(number)) && hasIbanDigits(plain(number)),
  },
  {
    rule: 'card-number',
    hints: [''],
    pattern:
      /(?<![\w.-])(?:(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6011|65\d{2})([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -]?)\d{6}\2\d{5})(?![\w-]|\.\d)/g,
    accepts: (number) => !isDocumentedNumber(plain(number)) && hasCardDigit(plain(number)),
  },
  {
    rule: 'cookie',
    hints: ['cookie'],
    pattern: /\b(?:set-)?cookie["']?\s{0,2}:\s{0,2}["']?(?<secret>[\w.-]{1,80}=[^\r\n"'\\]{6,4000})/gi,
    accepts: (header) => header.split(/;\s*/).some((pair) => isSession(pair.slice(pair.indexOf('=') + 1))),
  },
];

const isSession = (value: string) =>
  value.length >= 8 &&
  !isPlaceholder(value) &&
  !/^[$<{]/.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value);

/** ISO 7064: the number with its first four characters at the end, letters as 10 to 35, leaves 1 by 97. */
function hasIbanDigits(number: string): boolean {
  let rest = 0;
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Luhn: every other digit from the end doubled, digits added up, divides by ten. */
function hasCardDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && !/^(\d)\1*$/.test(number);
}
