/** Imports invoices and credit notes with their numbers. The next documents of their series get higher numbers. */
import type { FieldError } from '../../../shared/errors.ts';
import { isTimeZone, raiseLastNumber } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { type DocumentRow, insertIssued, listDocumentIds } from '../documents/queries.ts';
import { existingOrders } from '../queries.ts';
import type { DocumentExport } from './after-sale-schemas.ts';

export type DocumentImport = { input: DocumentExport };
type Outcome = { result: 'CREATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

/**
 * Returns one outcome per record, in input order. The counters stay locked, so that no document issued in the meantime
 * takes a number.
 */
export async function importDocuments(ctx: Command, records: readonly DocumentImport[]): Promise<Outcome[]> {
  const { db: tx, businessId } = ctx;
  const inputs = records.map(({ input }) => input);
  const orders = new Set(
    await existingOrders(tx, businessId, [...new Set(inputs.map(({ orderId }) => orderId))], false),
  );
  const valid = inputs.filter((input) => errorsIn(input, orders).length === 0);
  const highest = new Map<string, number>();
  for (const { series, sequence } of valid) highest.set(series, Math.max(sequence, highest.get(series) ?? 0));
  for (const [series, last] of [...highest].sort()) await raiseLastNumber(tx, businessId, series, last);
  const ids = inputs.map(({ id }) => id);
  const existing = new Set(await listDocumentIds(tx, businessId, ids));
  const written = new Set(
    await insertIssued(
      tx,
      valid.map((input): DocumentRow => ({ ...input, businessId })),
    ),
  );
  return inputs.map((input): Outcome => {
    const { id } = input;
    const errors = errorsIn(input, orders);
    if (errors.length > 0) return { errors };
    if (existing.has(id)) return { result: 'UNCHANGED', id };
    return written.has(id) ? { result: 'CREATED', id } : { errors: [taken(input)] };
  });
}

function errorsIn({ orderId, snapshot }: DocumentExport, orders: ReadonlySet<string>): FieldError[] {
  if (!orders.has(orderId)) {
    return [{ field: 'orderId', error: 'NOT_FOUND', message: 'The order of this document was not imported.' }];
  }
  if (isTimeZone(snapshot.timeZone)) return [];
  const field = 'snapshot.timeZone';
  return [{ field, error: 'INVALID_VALUE', message: `${field} must be an IANA time zone.` }];
}

const taken = ({ series, sequence }: DocumentExport): FieldError => ({
  field: 'sequence',
  error: 'DUPLICATE',
  message: `A document with the number ${series}${sequence} or for the same refund already exists.`,
});
