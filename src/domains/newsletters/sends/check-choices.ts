import type { FieldError } from '../../../shared/errors.ts';
import type { MailContent } from '../rendering/compose-mail.ts';
import type { SendInput } from './schemas.ts';

/** Rejects options of a send that can't be combined. */
export function checkChoices(
  { scheduledAt, localTime, experiment }: SendInput,
  { tracking }: MailContent,
): FieldError[] {
  const errors: FieldError[] = [];
  const add = (field: string, error: string, message: string) => errors.push({ field, error, message });
  if (localTime && !scheduledAt) add('scheduledAt', 'REQUIRED', 'scheduledAt is required with localTime.');
  if (localTime && experiment) {
    add(
      'experiment',
      'NOT_ALLOWED',
      "An experiment can't be combined with localTime, because the test ends at the same time for everyone.",
    );
  }
  if (experiment && Boolean(experiment.subjects?.length) === Boolean(experiment.alternatives?.length)) {
    add('experiment', 'INVALID_VALUE', 'experiment needs either subjects or alternatives.');
  }
  if (experiment?.metric === 'CLICKS' && !tracking?.clicks) {
    add(
      'experiment.metric',
      'NOT_TRACKED',
      'Turn on click tracking for this newsletter, or choose the winner yourself.',
    );
  }
  if (experiment?.metric === 'OPENS' && !tracking?.opens) {
    add(
      'experiment.metric',
      'NOT_TRACKED',
      'Turn on open tracking for this newsletter, or choose the winner yourself.',
    );
  }
  return errors;
}
