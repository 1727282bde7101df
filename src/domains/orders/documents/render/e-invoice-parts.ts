/** The content of an e-invoice, for both syntaxes. Pure. */
import type { Address } from '../../../../shared/schemas.ts';
import { multiplyRoundHalfUp } from '../../../pricing/index.ts';
import type { DocumentRow } from '../queries.ts';
import type { Snapshot, SnapshotLine } from '../snapshot-schemas.ts';
import { decimal, decimalsOf } from './format.ts';
import { supplyText } from './supply.ts';
import { textsIn } from './texts.ts';
import { sharesOf } from './vat-category.ts';

export const EN_16931 = 'urn:cen.eu:en16931:2017';
export const XRECHNUNG = `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;
export const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** UNTDID 7161 and 5189. */
export const FREIGHT = 'FC';
export const DISCOUNT = '95';

/** UNTDID 4461. */
const PAYMENT_MEANS: Record<string, string> = { CASH: '10', BANK_TRANSFER: '58', FREE: '1' };
const ONLINE_PAYMENT = '68';
const TRANSFER = '58';

/** `iban`: the account to transfer the money to. */
export function paymentMeans({ paymentMethod, seller }: Snapshot): { code: string; iban: string | null } {
  const code = PAYMENT_MEANS[paymentMethod ?? 'FREE'] ?? ONLINE_PAYMENT;
  if (code !== TRANSFER) return { code, iban: null };
  return seller.bank ? { code, iban: seller.bank.iban } : { code: '1', iban: null };
}

export const nameOf = ({ company, name }: Pick<Address, 'company' | 'name'>) => (company || name || '').trim();

/** If items are still to be supplied, there is no supply date, so a note says so. */
export function notesOf(document: DocumentRow): string[] {
  const { reason, legalText, isSupplyOpen, language } = document.snapshot;
  const supply = isSupplyOpen ? supplyText(document) : '';
  return [reason ?? '', supply && `${textsIn(language).supplied}: ${supply}`, legalText].filter(Boolean);
}

/** Six more digits than the currency has, so that price times quantity equals the amount of the line. */
export function lineAmounts({ snapshot, currency }: DocumentRow, { share, discount: listed, ...line }: SnapshotLine) {
  const decimals = decimalsOf(currency);
  const quantity = line.quantity || 1;
  const discount = snapshot.taxIncluded ? multiplyRoundHalfUp(listed, 10_000, 10_000 + share.bps) : listed;
  const price = decimal(multiplyRoundHalfUp(share.net + discount, 1_000_000, quantity), decimals + 6);
  return { quantity, discount, price };
}

/** Net amounts and the tax. */
export function totalsOf(snapshot: Snapshot) {
  const items = snapshot.lines.reduce((sum, { share }) => sum + share.net, 0);
  const charges = snapshot.shipping.reduce((sum, { net }) => sum + net, 0);
  const tax = sharesOf(snapshot).reduce((sum, share) => sum + share.tax, 0);
  return { items, charges, tax };
}
