/** Customers and subscribers of any format as records of ours. */
import { derivedId } from '../../../shared/ids.ts';
import type { CustomerImport } from '../../businesses/index.ts';
import type { SubscriberImport } from '../../newsletters/index.ts';
import { type Conversion, type Outcome, wrong } from './format.ts';

/** Who has neither an id nor an e-mail is known again by everything that the file says of them. */
export function customerOf(row: number, data: CustomerImport, { businessId }: Conversion): Outcome {
  const { email } = data.input;
  if (email) {
    const keys = [{ key: `email:${email.toLowerCase()}`, field: 'email', row }];
    return { record: { kind: 'customer', data, keys } };
  }
  const id = data.id ?? derivedId('cust', businessId, `row:${JSON.stringify(data.input)}`);
  return { record: { kind: 'customer', data: { ...data, id }, keys: [{ key: `id:${id}`, field: 'id', row }] } };
}

/** `newsletter`: as the file names it; without it, the one that the import is for. */
export function subscriberOf(
  row: number,
  {
    newsletter,
    planId,
    ...data
  }: Omit<SubscriberImport, 'collectionId' | 'planId'> & { newsletter?: string; planId?: string },
  to: Conversion,
): Outcome {
  const collection = newsletter ? (to.collections.get(newsletter) ?? null) : to.collection;
  if (!collection) {
    return {
      errors: [
        newsletter
          ? wrong(row, 'newsletter', 'NOT_FOUND', `There is no newsletter “${newsletter.slice(0, 60)}”.`)
          : wrong(
              row,
              'newsletter',
              'REQUIRED',
              'The row names no newsletter. Say with collectionId which one it is for.',
            ),
      ],
    };
  }
  const isActive = data.status === undefined || data.status === 'ACTIVE';
  if (isActive && !data.consent) {
    return {
      errors: [
        wrong(
          row,
          'consent',
          'REQUIRED',
          'It is not said where this person agreed. Add a column consent, or say it for all with consent.',
        ),
      ],
    };
  }
  const plan = planId || to.planId || collection.plans[0]?.id;
  if (!plan) return { errors: [wrong(row, 'planId', 'REQUIRED', 'The newsletter has no plan. Add one to it first.')] };
  const key = `email:${collection.id}:${data.email.toLowerCase()}`;
  return {
    record: {
      kind: 'subscriber',
      data: { ...data, collectionId: collection.id, planId: plan },
      keys: [{ key, field: 'email', row }],
    },
  };
}
