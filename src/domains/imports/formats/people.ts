/** Converts customers and subscribers of any format. */
import { derivedId, isId } from '../../../shared/ids.ts';
import type { CustomerImport } from '../../businesses/index.ts';
import type { SubscriberImport } from '../../newsletters/index.ts';
import { type Conversion, type Outcome, type RecordKey, rowError } from './format.ts';

/**
 * A customer with neither ID nor email is identified by all of their fields. `columns`: the columns of fields that have another name in the
 * file. Omitted for JSON records.
 */
export function customerOf(
  row: number,
  data: CustomerImport,
  { businessId }: Conversion,
  columns?: Record<string, string>,
): Outcome {
  const { email } = data.input;
  const places = columns ? { places: { row, columns, isFlat: true } } : {};
  const id = data.id ?? (email ? undefined : derivedId('cust', businessId, `row:${JSON.stringify(data.input)}`));
  const record: CustomerImport = { ...data, input: { ...data.input }, ...(id === undefined ? {} : { id }) };
  const keys: RecordKey[] = id === undefined ? [] : [{ key: `id:${id}`, field: 'id', row }];
  // Someone can have two records: one with an account, and one that has the email of the account.
  if (email)
    keys.push({
      key: `email:${email.toLowerCase()}`,
      field: columns?.email ?? 'email',
      row,
      ...(id !== undefined && isId('cust', id) ? { drop: { email: true } } : {}),
    });
  return { record: { kind: 'customer', data: record, keys, ...places } };
}

/**
 * `newsletter` is the reference in the file; defaults to the newsletter of the import. `columns`: the columns of fields that have another
 * name in the file.
 */
export function subscriberOf(
  row: number,
  {
    newsletter,
    planId,
    ...data
  }: Omit<SubscriberImport, 'collectionId' | 'planId'> & { newsletter?: string; planId?: string },
  to: Conversion,
  columns?: Record<string, string>,
): Outcome {
  const collection = newsletter ? (to.collections.get(newsletter) ?? null) : to.collection;
  if (!collection) {
    return {
      errors: [
        newsletter
          ? rowError(row, 'newsletter', 'NOT_FOUND', `The newsletter “${newsletter.slice(0, 60)}” does not exist.`)
          : rowError(
              row,
              'newsletter',
              'REQUIRED',
              'The row has no newsletter. Choose the newsletter to import subscribers into.',
            ),
      ],
    };
  }
  const plan = planId || to.planId || collection.plans[0]?.id;
  if (!plan) return { errors: [rowError(row, 'planId', 'REQUIRED', 'The newsletter has no plan. Add a plan first.')] };
  const key = `email:${collection.id}:${data.email.toLowerCase()}`;
  return {
    record: {
      kind: 'subscriber',
      data: { ...data, collectionId: collection.id, planId: plan },
      keys: [{ key, field: columns?.email ?? 'email', row }],
      ...(columns ? { places: { row, columns, isFlat: true } } : {}),
    },
  };
}
