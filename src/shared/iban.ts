/** ISO 7064 check digits of IBANs and of payment references. Pure. */

/** The remainder modulo 97 of a string of digits and capital letters, where A is 10 and Z is 35. 1 for a valid IBAN. */
export function remainder97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

export const plainIban = (text: string) => text.replaceAll(/\s/g, '').toUpperCase();

/** `text` without spaces, in capitals. */
export const isIban = (text: string) =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder97(text.slice(4) + text.slice(0, 4)) === 1;

/** In groups of four, as IBANs and references are printed. */
export const inGroups = (text: string) => text.replaceAll(/(.{4})(?=.)/g, '$1 ');
