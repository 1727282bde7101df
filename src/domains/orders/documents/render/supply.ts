/** The date of supply as printed. Pure. */
import type { DocumentRow } from '../queries.ts';
import { formatsFor } from './format.ts';
import { textsIn } from './texts.ts';

/**
 * An invoice for items that have not been delivered yet has to say so instead of giving a date (§ 14 UStG, UStAE 14.8). A credit note
 * refers to its invoice.
 */
export function supplyText({ type, snapshot, currency }: Pick<DocumentRow, 'type' | 'snapshot' | 'currency'>): string {
  const { suppliedAt, isSupplyOpen = false, language } = snapshot;
  if (type === 'CREDIT_NOTE') return '';
  const texts = textsIn(language);
  if (suppliedAt === null) return isSupplyOpen ? texts.supplyOpen : '';
  const day = formatsFor(snapshot, currency).day(suppliedAt);
  return isSupplyOpen ? texts.supplyPartly(day) : day;
}
