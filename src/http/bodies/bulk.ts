import type { TSchema } from 'typebox';
import { isRecord } from '../../shared/is-record.ts';
import { MAX_BULK_ITEMS } from '../../shared/schemas.ts';
import type { OnInvalid } from '../validation/on-invalid.ts';
import { compileValidator } from '../validation/validation.ts';

/** Throws the error of an invalid item. */
export type CheckItem = (item: unknown) => void;

/** Accepts bulk requests with invalid items: `commandEach` reports them, and applies the others. */
export const acceptInvalidItems: OnInvalid = ({ body }, error) => {
  const items = isRecord(body) ? body.items : null;
  const isBulk = Array.isArray(items) && items.length > 0 && items.length <= MAX_BULK_ITEMS;
  return isBulk && error.validationContext === 'body' ? null : error;
};

/** Validates an item like the body of a request for a single record. */
export function checkItem(schema: TSchema): CheckItem {
  const validate = compileValidator({ schema, httpPart: 'body', method: 'POST', url: '' });
  return (item) => {
    const result = validate(item) as { error?: Error };
    if (result.error) throw result.error;
  };
}
