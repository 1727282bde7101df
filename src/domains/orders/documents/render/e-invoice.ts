/**
 * E-invoices according to EN 16931. Factur-X and XRechnung use the syntax of UN/CEFACT CII; XRechnung is also available
 * in UBL. Pure.
 */
import { isCountry } from '../../../../shared/addresses/index.ts';
import type { Address } from '../../../../shared/schemas.ts';
import { multiplyRoundHalfUp } from '../../../pricing/index.ts';
import type { DocumentRow } from '../queries.ts';
import type { Snapshot, TaxShare } from '../snapshot-schemas.ts';
import { writeCii } from './cii.ts';
import { nameOf } from './e-invoice-parts.ts';
import { decimalsOf } from './format.ts';
import { writeUbl } from './ubl.ts';
import { sharesOf } from './vat-category.ts';

/** Whether the document is also an e-invoice: the format must be enabled, and all data that the rules require must be present. */
export function isEInvoice({
  snapshot,
  currency,
  total,
}: Pick<DocumentRow, 'snapshot' | 'currency' | 'total'>): boolean {
  const { format, seller, buyer, buyerEmail, taxExempt } = snapshot;
  if (format === 'PDF' || !buyer || decimalsOf(currency) > 2) return false;
  const hasAddress = ({ street = '', city = '', country = '' }: Partial<Address>) =>
    street.trim() !== '' && city.trim() !== '' && isCountry(country);
  const hasParties = hasAddress(seller.address) && hasAddress(buyer) && nameOf(buyer) !== '';
  const hasTaxIds = taxExempt ? Boolean(seller.vatId && buyer.vatId) : Boolean(seller.vatId || seller.taxNumber);
  const hasContacts = [seller.email, seller.phone, seller.address.zip, buyer.zip, buyerEmail].every(Boolean);
  return (
    hasParties && hasTaxIds && (format === 'FACTUR_X' || hasContacts) && addsUp(snapshot, total, decimalsOf(currency))
  );
}

/** Totals that staff entered and taxes from a provider don't always match the rates. */
function addsUp(snapshot: Snapshot, total: number, decimals: number): boolean {
  const shares = sharesOf(snapshot);
  const unit = 10 ** decimals;
  const isNear = ({ bps, net, tax }: TaxShare) => Math.abs(multiplyRoundHalfUp(net, bps, 10_000) - tax) < unit;
  const whole = shares.reduce((sum, { net, tax }) => sum + net + tax, 0);
  return whole === total && shares.every((share) => share.net >= 0 && isNear(share));
}

export const writeEInvoice = (document: DocumentRow): string =>
  document.snapshot.format === 'XRECHNUNG_UBL' ? writeUbl(document) : writeCii(document);
