import { type FieldError, ServiceError } from './errors.ts';

/** Runs a check that raises 422; what it found wrong joins `errors`, so that all wrong fields are told at once. */
export function collect<T>(errors: FieldError[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'VALIDATION_FAILED') throw error;
    errors.push(...error.details);
    return undefined;
  }
}
