import type { Command } from '../context.ts';
import { emitSubscription } from '../subscriptions/emit-subscription.ts';
import type { SubscriptionRow } from '../subscriptions/queries.ts';
import { handOver } from './hand-over.ts';
import { listMatching, lockSubscriptions, updateTags } from './mail-queries.ts';
import type { PreparedMail } from './prepare-mails.ts';
import type { AutomationRow } from './queries.ts';
import type { Step, TagStep } from './steps.ts';

const MAX_TAGS = 50;

/** `stays`: the people who continue. `sendId`: the send with their email. */
type StepResult = { stays: ReadonlySet<string>; sendId: string | null };

/** The effect of a step on these people, by subscription. */
export async function runStep(
  ctx: Command,
  automation: AutomationRow,
  step: Step,
  ids: readonly string[],
  mails: ReadonlyMap<string, PreparedMail>,
): Promise<StepResult> {
  const { db: tx, businessId, now } = ctx;
  switch (step.type) {
    case 'CONDITION':
      return { stays: await listMatching(tx, businessId, ids, step.filter, now), sendId: null };
    case 'TAG':
      await changeTags(ctx, step, ids);
      return { stays: new Set(ids), sendId: null };
    case 'MAIL': {
      const mail = mails.get(step.entryId);
      return { stays: new Set(ids), sendId: mail ? await handOver(ctx, automation, step, mail, ids) : null };
    }
  }
}

async function changeTags(ctx: Command, { tag, remove = false }: TagStep, ids: readonly string[]): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  const rows = await lockSubscriptions(tx, businessId, ids);
  const changed = rows.filter(({ tags }) =>
    remove ? tags.includes(tag) : !tags.includes(tag) && tags.length < MAX_TAGS,
  );
  if (changed.length === 0) return;
  const changedIds = changed.map(({ id }) => id);
  await updateTags(tx, businessId, changedIds, { tag, isAdded: !remove }, now);
  for (const row of changed) {
    const tags = remove ? row.tags.filter((each) => each !== tag) : [...row.tags, tag].sort();
    const after: SubscriptionRow = { ...row, tags, updatedAt: now };
    emitSubscription(ctx, row, after);
  }
}
