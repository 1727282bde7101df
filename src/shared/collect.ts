import { type FieldError, ServiceError } from './errors.ts';

/** Runs a check that throws 422 and adds its errors to `errors`, so that a response lists all invalid fields at once. */
export function collect<T>(errors: FieldError[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'VALIDATION_FAILED') throw error;
    errors.push(...error.details);
    return undefined;
  }
}
