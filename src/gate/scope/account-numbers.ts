import { isDocumentedNumber } from '../../transcript/documented-numbers.ts';

/** Whether this is an IBAN by its checksum (ISO 13616), and none that serves as an example. */
export function isAccountNumber(text: string): boolean {
  const compact = text.replace(/\s/g, '').toUpperCase();
  if (isDocumentedNumber(compact)) return false;
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Whether this is the number of a card by its checksum (Luhn), and none that serves as an example. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (isDocumentedNumber(digits) || /^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
