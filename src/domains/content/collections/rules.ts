/** Validation rules for collections beyond the schema of their fields. Pure. */
import { checkBlockSchema } from '../../../shared/blocks/index.ts';
import { checkCurrencies } from '../../../shared/currencies.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { COLLECTION_TYPES, type Collection, NEWSLETTER } from './schemas.ts';

export function checkCollection(
  { type, blocks, plans }: Pick<Collection, 'type' | 'blocks' | 'plans'>,
  before?: Pick<Collection, 'plans'>,
): FieldError[] {
  const stored = before?.plans.flatMap(({ price }) => price?.currency ?? []);
  return [...checkBlockSchema(blocks), ...checkPlans(type, plans), ...checkPrices(plans, stored)];
}

/** Collections that already have another type keep it. */
export const checkType = (type: string | undefined, current?: string): FieldError[] =>
  type === undefined || type === current || COLLECTION_TYPES.includes(type)
    ? []
    : [{ field: 'type', error: 'INVALID_VALUE', message: `type must be one of ${COLLECTION_TYPES.join(', ')}.` }];

const checkPrices = (plans: Collection['plans'], stored: string[] | undefined): FieldError[] =>
  checkCurrencies(
    plans.flatMap(({ price }, i) => (price ? [{ field: `plans[${i}].price.currency`, currency: price.currency }] : [])),
    stored,
  );

/** Reserved path segments, which can't be collection slugs. */
const RESERVED_SLUGS: readonly string[] = ['confirm', 'unsubscribe'];

export const isReserved = (slug: string) => RESERVED_SLUGS.includes(slug);

export const checkSlug = (slug: string): FieldError[] =>
  isReserved(slug)
    ? [{ field: 'slug', error: 'INVALID_VALUE', message: 'slug is reserved. Choose a different one.' }]
    : [];

function checkPlans(type: string, plans: Collection['plans']): FieldError[] {
  if (plans.length > 0 && type !== NEWSLETTER) {
    return [
      {
        field: 'plans',
        error: 'INVALID_VALUE',
        message: `plans are only allowed for collections of type ${NEWSLETTER}.`,
      },
    ];
  }
  const seen = new Set<string>();
  return plans.flatMap(({ id }, i) => {
    const field = `plans[${i}].id`;
    const errors = seen.has(id)
      ? [{ field, error: 'DUPLICATE', message: `${field} is already used by another plan.` }]
      : [];
    seen.add(id);
    return errors;
  });
}
