/**
 * The payment reference of an order: an ISO 11649 creditor reference (`RF`, two check digits, the order number with at least six
 * digits). Banks check it when it is entered, and a typo never matches another order. Pure.
 */
import { remainder97 } from '../../../shared/iban.ts';

const MIN_DIGITS = 6;
const MAX_DIGITS = 15;

export function referenceOf(orderNumber: number): string {
  const digits = String(orderNumber).padStart(MIN_DIGITS, '0');
  return `RF${String(98 - remainder97(`${digits}RF00`)).padStart(2, '0')}${digits}`;
}

const RUN = new RegExp(`(?=RF([0-9OIL]{2})([0-9OIL]{${MIN_DIGITS},${MAX_DIGITS}}))`, 'g');

/**
 * The order numbers that remittance text refers to. Spaces, punctuation and case don't matter, and O, I and L count as digits: banks
 * wrap the text at any character, and people copy references by hand.
 */
export function orderNumbersIn(text: string): number[] {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
  const numbers = new Set<number>();
  for (const [, check, run] of plain.matchAll(RUN)) {
    const [checkDigits, digits] = [asDigits(check!), asDigits(run!)];
    // Only numbers of six digits can start with a zero, so that digits after the reference are not read as part of it.
    const longest = digits.startsWith('0') ? MIN_DIGITS : digits.length;
    for (let length = MIN_DIGITS; length <= longest; length++) {
      const payload = digits.slice(0, length);
      if (remainder97(`${payload}RF${checkDigits}`) === 1 && Number(payload) > 0) numbers.add(Number(payload));
    }
  }
  return [...numbers];
}

const asDigits = (text: string) => text.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
