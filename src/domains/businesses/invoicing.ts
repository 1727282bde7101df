/** Settings of invoices and credit notes, and the numbers of their series. */
import type { Db } from '../../db/sql.ts';
import { invalidField } from '../../shared/errors.ts';
import type { Command } from './context.ts';
import { findLastNumber, raiseLastNumber } from './number-queries.ts';
import type { BusinessRow } from './queries.ts';
import type { Invoicing, Seller } from './sale-schemas.ts';
import type { Configs, StoredConfigs } from './schemas.ts';

export type DocumentSettings = Required<Omit<Invoicing, 'nextNumber'>>;

/** Countries that print on US Letter. */
const LETTER = ['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'DO', 'GT', 'PA', 'PH', 'PR', 'SV', 'VE'];

export const invoicingOf = ({ invoicing = {}, profile }: Configs): DocumentSettings => ({
  series: seriesOf(invoicing),
  creditSeries: invoicing.creditSeries ?? 'CN-',
  issueAt: invoicing.issueAt ?? 'PAYMENT',
  format: invoicing.format ?? 'PDF',
  legalText: invoicing.legalText ?? '',
  paperSize: invoicing.paperSize ?? (LETTER.includes(profile?.address?.country ?? '') ? 'LETTER' : 'A4'),
});

const seriesOf = ({ series = 'INV-' }: Invoicing) => series;

const VAT_ID = /^[A-Z]{2}[A-Z0-9+*]{2,13}$/;

/** The issuer of the invoices. If the profile has a VAT ID as its tax ID, it is used as the VAT ID. */
export function sellerOf({ name, configs }: Pick<BusinessRow, 'name' | 'configs'>) {
  const { profile = {}, seller = {}, brand } = configs;
  const { legalName, taxId, address = {} } = profile;
  const isVatId = taxId !== undefined && VAT_ID.test(tidyId(taxId));
  const { vatId = isVatId ? taxId : undefined, bank, ...details } = seller;
  return {
    ...(details as Omit<Seller, 'vatId' | 'bank'>),
    name: legalName || name,
    address,
    ...(brand?.logo?.id ? { logoId: brand.logo.id } : {}),
    ...(taxId && !isVatId ? { taxNumber: taxId } : {}),
    ...(vatId ? { vatId: tidyId(vatId) } : {}),
    ...(bank ? { bank: { ...bank, iban: bank.iban.replaceAll(/\s/g, '').toUpperCase() } } : {}),
  };
}

const tidyId = (text: string) => text.replaceAll(/[\s-]/g, '').toUpperCase();

/**
 * Raises the number of the next invoice and returns the settings to store. A number that was current when the settings were last
 * saved is accepted, so that settings can be sent back as they were read while invoices are issued.
 */
export async function numberInvoices(
  { db: tx, businessId }: Command,
  sent: Invoicing,
  { invoicing: stored }: StoredConfigs,
): Promise<Invoicing> {
  const series = seriesOf(sent);
  const last = await findLastNumber(tx, businessId, series);
  const isSameSeries = stored !== undefined && seriesOf(stored) === series;
  const least = isSameSeries ? (stored.nextNumber ?? 1) : last + 1;
  if (sent.nextNumber !== undefined && sent.nextNumber < least) {
    const field = 'configs.invoicing.nextNumber';
    throw invalidField(
      field,
      'OUT_OF_RANGE',
      `${field} must be at least ${last + 1}. Invoice numbers can't be reused.`,
    );
  }
  const raised = await raiseLastNumber(tx, businessId, series, (sent.nextNumber ?? 1) - 1);
  return { ...sent, nextNumber: isSameSeries && raised === last ? stored.nextNumber : raised + 1 };
}

/** Returns the settings with the current next number. The stored number is only updated when settings are saved. */
export async function withNextNumber(db: Db, businessId: string, configs: Configs): Promise<Configs> {
  const { invoicing } = configs;
  if (!invoicing) return configs;
  const nextNumber = (await findLastNumber(db, businessId, seriesOf(invoicing))) + 1;
  return { ...configs, invoicing: { ...invoicing, nextNumber } };
}
