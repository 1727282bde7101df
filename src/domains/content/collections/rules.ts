/** What a collection must fulfil beyond the shape of its fields. Pure. */
import { checkBlockSchema } from '../../../shared/blocks.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type Collection, NEWSLETTER } from './schemas.ts';

export function checkCollection({ type, blocks, plans }: Pick<Collection, 'type' | 'blocks' | 'plans'>): FieldError[] {
  return [...checkBlockSchema(blocks), ...checkPlans(type, plans)];
}

/** Addresses beside those of collections. */
const RESERVED_SLUGS: readonly string[] = ['confirm', 'unsubscribe'];

export const isReserved = (slug: string) => RESERVED_SLUGS.includes(slug);

export const checkSlug = (slug: string): FieldError[] =>
  isReserved(slug)
    ? [{ field: 'slug', error: 'INVALID_VALUE', message: 'slug is an address of its own: choose another one.' }]
    : [];

function checkPlans(type: string, plans: Collection['plans']): FieldError[] {
  if (plans.length > 0 && type !== NEWSLETTER) {
    return [
      { field: 'plans', error: 'INVALID_VALUE', message: `plans are for a collection of type ${NEWSLETTER} only.` },
    ];
  }
  const seen = new Set<string>();
  return plans.flatMap(({ id }, i) => {
    const field = `plans[${i}].id`;
    const errors = seen.has(id) ? [{ field, error: 'DUPLICATE', message: `${field} is used by another plan.` }] : [];
    seen.add(id);
    return errors;
  });
}
