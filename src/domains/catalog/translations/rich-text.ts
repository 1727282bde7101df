import type { Sanitize } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';

/** Sanitizes rich text. Text that is nested too deeply is an error. */
export function cleanRichText(
  text: string,
  field: string,
  { sanitize, errors }: { sanitize: Sanitize; errors: FieldError[] },
): string {
  const clean = sanitize(text);
  if (clean === null)
    errors.push({ field, error: 'TOO_COMPLEX', message: `${field} has too many nested elements. Use less markup.` });
  return clean ?? '';
}
