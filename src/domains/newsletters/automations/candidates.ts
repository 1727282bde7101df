/** Finds the people for whom an event starts an automation. Reads current records, so that erased events start nothing. */
import { isRecord } from '../../../shared/is-record.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { listEventsAt } from '../../events/index.ts';
import type { Command } from '../context.ts';
import { findNewsletter } from '../subscriptions/find-newsletter.ts';
import type { AutomationRow } from './queries.ts';
import type { Candidate } from './run-queries.ts';
import { listBuyers, upsertCartSignals } from './signal-queries.ts';
import { isStarting, type Trigger } from './triggers.ts';

export type StoredEvent = Awaited<ReturnType<typeof listEventsAt>>[number];

/** The occurrence of runs that start at most once per person. */
const ONCE = '';

export async function findCandidates(
  ctx: Command,
  { id, trigger, enabledAt }: AutomationRow,
  events: readonly StoredEvent[],
): Promise<Candidate[]> {
  const starting = events.filter(({ type, createdAt }) => isStarting(trigger.type, type) && createdAt >= enabledAt);
  if (starting.length === 0) return [];
  switch (trigger.type) {
    case 'subscription.confirmed':
      return starting.filter(isNotImported).map((event) => subscriber(event, ONCE));
    case 'tag.added':
      return starting
        .filter((event) => isNotImported(event) && hasNewTag(event, trigger.tag!))
        .map((event) => subscriber(event, ONCE));
    case 'plan.ended':
      return findPlanEnds(ctx, trigger, starting);
    case 'order.paid': {
      const buyers = await listBuyers(ctx.db, ctx.businessId, starting.map(idOf), trigger);
      return buyers.map(({ orderId, emailKey }) => ({ subscriptionId: null, emailKey, occurrence: orderId }));
    }
    case 'cart.abandoned': {
      const dueAt = ctx.now + trigger.idleSeconds!;
      await upsertCartSignals(ctx.db, ctx.businessId, id, [...new Set(starting.map(idOf))].sort(), dueAt);
      return [];
    }
    case 'date':
      return [];
  }
}

const idOf = ({ entity }: StoredEvent) => entity.slice(entity.indexOf(':') + 1);

const subscriber = (event: StoredEvent, occurrence: string): Candidate => ({
  subscriptionId: idOf(event),
  emailKey: null,
  occurrence,
});

/** Imported people are existing subscribers, who need no welcome. */
const isNotImported = ({ actor }: StoredEvent) => !actor.requestId?.startsWith('imp_');

function hasNewTag({ type, data, changes }: StoredEvent, tag: string): boolean {
  const lists = type === 'subscription.created' ? { old: [], new: fieldOf(data, 'tags') } : fieldOf(changes, 'tags');
  return listOf(fieldOf(lists, 'new')).includes(tag) && !listOf(fieldOf(lists, 'old')).includes(tag);
}

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Finds people by email, because the subscription with the plan may have ended too. */
async function findPlanEnds(ctx: Command, trigger: Trigger, events: readonly StoredEvent[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { data, changes, position } of events) {
    const planId = fieldOf(data, 'endedPlanId') ?? fieldOf(fieldOf(changes, 'planId'), 'old');
    const [email, entity] = [fieldOf(data, 'email'), fieldOf(data, 'entity')];
    if (typeof planId !== 'string' || typeof email !== 'string' || typeof entity !== 'string') continue;
    const collectionId = entity.replace(/^collection:/, '');
    if ((trigger.planCollectionId ?? collectionId) !== collectionId || (trigger.planId ?? planId) !== planId) continue;
    if (trigger.planId === undefined && !(await isPaidPlan(ctx, collectionId, planId))) continue;
    found.push({ subscriptionId: null, emailKey: emailKey(email), occurrence: String(position) });
  }
  return found;
}

async function isPaidPlan({ db, businessId }: Command, collectionId: string, planId: string): Promise<boolean> {
  const collection = await findNewsletter({ db }, { businessId, collectionId });
  return (collection?.plans.find(({ id }) => id === planId)?.price?.amount ?? 0) > 0;
}
