import { type FieldError, invalid, ServiceError } from '../../../shared/errors.ts';
import { protectEntry } from '../../content/index.ts';
import type { Command } from '../context.ts';
import { isPublished, readSource } from '../rendering/source.ts';
import { getNewsletter } from '../subscriptions/joining/subscribe.ts';
import { checkSteps, type StepInput } from './steps.ts';
import { checkTrigger, type Trigger } from './triggers.ts';

type Given = { enabled: boolean; trigger: Trigger; steps: readonly StepInput[] };

/** Throws 422 if it is invalid. The emails of an enabled automation must be published. */
export async function checkAutomation(ctx: Command, { enabled, trigger, steps }: Given): Promise<void> {
  const errors = [
    ...checkTrigger(trigger),
    ...checkSteps(steps),
    ...(await checkNewsletter(ctx, trigger.collectionId)),
  ];
  if (errors.length === 0 && enabled && steps.length === 0)
    errors.push({ field: 'steps', error: 'REQUIRED', message: 'Add a step before you turn the automation on.' });
  if (errors.length > 0) throw invalid(errors);
  for (const [i, { entryId }] of steps.entries()) {
    if (entryId !== undefined) errors.push(...(await checkEntry(ctx, trigger.collectionId, entryId, i, enabled)));
  }
  if (errors.length > 0) throw invalid(errors);
}

async function checkNewsletter({ db, businessId }: Command, collectionId: string): Promise<FieldError[]> {
  const field = 'trigger.collectionId';
  try {
    const { id } = await getNewsletter(db, businessId, collectionId);
    if (id === collectionId) return [];
    return [{ field, error: 'INVALID_VALUE', message: `${field} must be an ID.` }];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.kind === 'NOT_FOUND') return [{ field, error: 'NOT_FOUND', message: 'Newsletter not found.' }];
    return error.details.map((detail) => ({ ...detail, field }));
  }
}

async function checkEntry(
  ctx: Command,
  collectionId: string,
  entryId: string,
  i: number,
  isEnabled: boolean,
): Promise<FieldError[]> {
  const field = `steps[${i}].entryId`;
  await protectEntry(ctx.db, ctx.businessId, entryId);
  const source = await readSource(ctx, entryId).catch((error) => {
    if (error instanceof ServiceError) return null;
    throw error;
  });
  if (source?.collection.id !== collectionId)
    return [{ field, error: 'NOT_FOUND', message: 'The newsletter has no entry with this ID.' }];
  if (!isEnabled || isPublished(source)) return [];
  return [{ field, error: 'NOT_PUBLISHED', message: 'Publish this email before you turn the automation on.' }];
}
