import type { Command } from '../../../context/index.ts';
import type { NumberedEvent } from '../../events/index.ts';
import { listTriggerTypes } from './queries.ts';
import { insertEventSignals } from './signal-queries.ts';
import { ENDING, isRelevant, isStarting } from './triggers.ts';

export const SIGNALS = 'automation-signals';

/**
 * Stores the events that may start or end runs. Runs in the transaction that numbers the events, so that each event counts once. A
 * business without automations costs one query for each batch of events.
 */
export async function storeSignals(ctx: Command, events: readonly NumberedEvent[]): Promise<void> {
  const { db: tx, businessId, now } = ctx;
  const relevant = events.filter(({ type }) => isRelevant(type));
  if (relevant.length === 0) return;
  const triggers = await listTriggerTypes(tx, businessId);
  if (triggers.length === 0) return;
  const starting = triggers.filter(({ enabled }) => enabled);
  const wanted = relevant.filter(
    ({ type }) => ENDING.includes(type) || starting.some((trigger) => isStarting(trigger.type, type)),
  );
  if (wanted.length === 0) return;
  const positions = wanted.map(({ position }) => position);
  await insertEventSignals(tx, businessId, positions, now);
  await ctx.publish(`${SIGNALS}:${businessId}`);
}
