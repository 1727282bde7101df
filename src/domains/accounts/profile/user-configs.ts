import type { FieldError } from '../../../shared/errors.ts';

const MAX_BYTES = 16_384;

/** Validates a user's settings per business. */
export function checkUserConfigs(configs: readonly { businessId: string; settings: object }[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { businessId, settings }] of configs.entries()) {
    const at = `businessUserConfigs[${i}]`;
    if (seen.has(businessId)) {
      errors.push({
        field: `${at}.businessId`,
        error: 'DUPLICATE',
        message: `${at}.businessId is listed more than once.`,
      });
    }
    seen.add(businessId);
    const field = `${at}.settings`;
    if (Buffer.byteLength(JSON.stringify(settings)) > MAX_BYTES) {
      errors.push({ field, error: 'TOO_LONG', message: `${field} must be at most 16 KiB.` });
    }
  }
  return errors;
}
