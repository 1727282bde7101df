/**
 * Subscribers that come from a file, many at a time. They are found by newsletter and address. A member states where they agreed;
 * one who has ended their subscription here is not made a subscriber again: only they can do that.
 */
import { isEmail } from '../../../shared/email.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { type FormerIdentity, isId, newId } from '../../../shared/ids.ts';
import { MAX_AHEAD_SECONDS } from '../../../shared/statuses.ts';
import type { Collection } from '../../content/index.ts';
import type { Command } from '../context.ts';
import { insertSubscriptions, lockSubscriptionsOf } from './import-queries.ts';
import {
  type Consent,
  isSubscribed,
  SUBSCRIPTION_STATUSES,
  type SubscriptionRow,
  type SubscriptionStatus,
  updateSubscription,
} from './queries.ts';
import { hasEnded } from './request-confirmation.ts';
import { getNewsletter } from './subscribe.ts';
import { checkSubscriberName, MAX_NAME } from './subscriber-name.ts';
import { tellSubscription } from './tell.ts';

export type SubscriberImport = FormerIdentity & {
  collectionId: string;
  email: string;
  name?: string;
  planId: string;
  /** ACTIVE unless it says otherwise. */
  status?: SubscriptionStatus;
  /** Where and when they agreed. */
  consent?: Pick<Consent, 'source' | 'at'> & Partial<Consent>;
};

type SubscriberOutcome = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

/** One outcome for each record, in their order. */
export async function importSubscribers(
  ctx: Command,
  records: readonly SubscriberImport[],
): Promise<SubscriberOutcome[]> {
  const newsletters = new Map<string, Collection | FieldError[]>();
  for (const id of new Set(records.map(({ collectionId }) => collectionId))) {
    newsletters.set(id, await findNewsletter(ctx, id));
  }
  const rows = await lockSubscriptionsOf(ctx.db, ctx.businessId, records);
  const known = new Map(rows.map((row) => [`${row.collectionId} ${row.emailKey}`, row]));
  const fresh: SubscriptionRow[] = [];
  const outcomes: SubscriberOutcome[] = [];
  for (const record of records) {
    const newsletter = newsletters.get(record.collectionId)!;
    const errors = Array.isArray(newsletter) ? newsletter : check(ctx, newsletter, record);
    const row = known.get(`${record.collectionId} ${record.email.toLowerCase()}`);
    if (errors.length > 0) outcomes.push({ errors });
    else if (row) outcomes.push(await update(ctx, row, record));
    else {
      const made = compose(ctx, record);
      fresh.push(made);
      outcomes.push({ result: 'CREATED', id: made.id });
    }
  }
  await insertSubscriptions(ctx, fresh);
  return outcomes;
}

/** The newsletter, or why nobody can subscribe to it. */
async function findNewsletter({ db, businessId }: Command, id: string): Promise<Collection | FieldError[]> {
  try {
    return await getNewsletter(db, businessId, id);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return error.details;
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return [gone];
    throw error;
  }
}

const gone: FieldError = {
  field: 'collectionId',
  error: 'NOT_FOUND',
  message: 'There is no such newsletter. It may have been deleted.',
};

function check(
  { now }: Command,
  { plans }: Collection,
  { email, name = '', planId, status, consent }: SubscriberImport,
): FieldError[] {
  const errors = checkSubscriberName(name);
  const add = (field: string, error: string, message: string) => errors.push({ field, error, message });
  if (!isEmail(email)) add('email', email === '' ? 'REQUIRED' : 'INVALID_FORMAT', 'This is not an e-mail address.');
  if (name.length > MAX_NAME) add('name', 'TOO_LONG', `A name has at most ${MAX_NAME} characters.`);
  if (!plans.some(({ id }) => id === planId)) add('planId', 'NOT_FOUND', 'The newsletter has no such plan.');
  if (status !== undefined && !SUBSCRIPTION_STATUSES.includes(status)) {
    add('status', 'INVALID_VALUE', `status must be one of ${SUBSCRIPTION_STATUSES.join(', ')}.`);
  }
  if (consent && (typeof consent.source !== 'string' || consent.source.length > 200)) {
    add('consent', 'TOO_LONG', 'consent has at most 200 characters.');
  }
  if (consent && !(consent.at <= now + MAX_AHEAD_SECONDS))
    add('consentAt', 'OUT_OF_RANGE', 'The consent lies in the future.');
  return errors;
}

const consentOf = ({ caller }: Command, { consent }: SubscriberImport): Consent | null =>
  consent
    ? {
        ...{ source: consent.source, at: consent.at, address: consent.address ?? null, text: consent.text ?? null },
        userId: consent.userId === undefined ? caller.userId : consent.userId,
      }
    : null;

function compose(ctx: Command, record: SubscriberImport): SubscriptionRow {
  const { businessId, now } = ctx;
  const { id, email, collectionId, planId, name = '', status = 'ACTIVE', createdAt, updatedAt } = record;
  return {
    ...{ businessId, collectionId, email, name, planId, status, userId: null, paidPlanId: null, version: 1 },
    id: id !== undefined && isId('sub', id) ? id : newId('sub'),
    emailKey: email.toLowerCase(),
    consent: consentOf(ctx, record),
    createdAt: Math.min(createdAt ?? now, now),
    updatedAt: updatedAt ?? now,
  };
}

async function update(ctx: Command, row: SubscriptionRow, record: SubscriberImport): Promise<SubscriberOutcome> {
  const wanted = record.status ?? 'ACTIVE';
  const unchanged = { result: 'UNCHANGED', id: row.id } as const;
  const name = record.name || row.name;
  const ends = wanted === 'UNSUBSCRIBED' || wanted === 'BOUNCED';
  if (hasEnded(row) || row.status === wanted || (isSubscribed(row) && !ends)) {
    if (hasEnded(row) && !ends && row.status !== wanted) return { errors: [ended] };
    if (name === row.name) return unchanged;
    return save(ctx, row, { ...row, name, updatedAt: ctx.now });
  }
  if (wanted === 'PENDING') return unchanged;
  const consent = ends ? row.consent : consentOf(ctx, record);
  return save(ctx, row, {
    ...row,
    name,
    status: wanted,
    consent,
    paidPlanId: ends ? null : row.paidPlanId,
    updatedAt: ctx.now,
  });
}

const ended: FieldError = {
  field: 'email',
  error: 'UNSUBSCRIBED',
  message: 'This person has unsubscribed, or mail to them bounced. Only they can subscribe again.',
};

async function save(ctx: Command, before: SubscriptionRow, after: SubscriptionRow): Promise<SubscriberOutcome> {
  await updateSubscription(ctx.db, after);
  await tellSubscription(ctx, before, after);
  return { result: 'UPDATED', id: after.id };
}
