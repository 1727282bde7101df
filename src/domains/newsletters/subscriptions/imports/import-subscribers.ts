/**
 * Imports subscribers in bulk, matched by newsletter and address. A member states where the subscribers gave consent. The import does not
 * resubscribe anyone who has unsubscribed here.
 */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, ServiceError } from '../../../../shared/errors.ts';
import { keptId, type PreviousIdentity } from '../../../../shared/ids.ts';
import { MAX_AHEAD_SECONDS } from '../../../../shared/records/status-history.ts';
import { isEmail } from '../../../../shared/text/email.ts';
import type { Collection } from '../../../content/index.ts';
import type { Command } from '../../context.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { hasEnded } from '../joining/request-confirmation.ts';
import { getNewsletter } from '../joining/subscribe.ts';
import {
  type Consent,
  isSubscribed,
  SUBSCRIPTION_STATUSES,
  type SubscriptionRow,
  type SubscriptionStatus,
  updateSubscription,
} from '../queries.ts';
import { checkLabels, checkSubscriberName, checkSubscriberZone, MAX_NAME, tagsOf } from '../subscriber-name.ts';
import { insertSubscriptions, lockSubscriptionsOf } from './queries.ts';

export type SubscriberImport = PreviousIdentity & {
  collectionId: string;
  email: string;
  name?: string;
  planId: string;
  /** Defaults to ACTIVE. */
  status?: SubscriptionStatus;
  /** Where and when they consented. */
  consent?: Pick<Consent, 'source' | 'at'> & Partial<Consent>;
  tags?: readonly string[];
  fields?: Readonly<Record<string, string>>;
  timeZone?: string;
  doNotTrack?: boolean;
  /** Only from a full business export. */
  referrals?: number;
  /** Imported unchanged from a full business export. */
  isTrusted?: boolean;
};

type SubscriberOutcome = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

/** Returns one outcome per record, in input order. */
export async function importSubscribers(
  ctx: Command,
  records: readonly SubscriberImport[],
): Promise<SubscriberOutcome[]> {
  const newsletters = new Map<string, Collection | FieldError[]>();
  for (const id of new Set(records.map(({ collectionId }) => collectionId))) {
    newsletters.set(id, await findNewsletter(ctx, id));
  }
  const rows = await lockSubscriptionsOf(ctx.db, ctx.businessId, records);
  const existing = new Map(rows.map((row) => [`${row.collectionId} ${row.emailKey}`, row]));
  const newRows: SubscriptionRow[] = [];
  const outcomes: SubscriberOutcome[] = [];
  for (const record of records) {
    const newsletter = newsletters.get(record.collectionId)!;
    const row = existing.get(`${record.collectionId} ${record.email.toLowerCase()}`);
    const errors = Array.isArray(newsletter) ? newsletter : check(ctx, newsletter, record, row);
    if (errors.length > 0) outcomes.push({ errors });
    else if (row) outcomes.push(await update(ctx, row, record));
    else {
      const created = compose(ctx, record);
      newRows.push(created);
      outcomes.push({ result: 'CREATED', id: created.id });
    }
  }
  await insertSubscriptions(ctx, newRows);
  return outcomes;
}

/** The newsletter, or the errors if it does not exist or is not a newsletter. */
async function findNewsletter({ db, businessId }: Command, id: string): Promise<Collection | FieldError[]> {
  try {
    return await getNewsletter(db, businessId, id);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return error.details;
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return [notFound];
    throw error;
  }
}

const notFound: FieldError = {
  field: 'collectionId',
  error: 'NOT_FOUND',
  message: 'Newsletter not found. It may have been deleted.',
};

function check(
  { now }: Command,
  { plans }: Collection,
  { email, name = '', planId, status, consent, tags, fields, timeZone, isTrusted = false }: SubscriberImport,
  current: SubscriptionRow | undefined,
): FieldError[] {
  // Stored values are accepted, even if they break a later rule.
  const errors = isTrusted || name === current?.name ? [] : checkSubscriberName(name);
  errors.push(...checkLabels(tagsOf([...(current?.tags ?? []), ...(tags ?? [])]), { ...current?.fields, ...fields }));
  const add = (field: string, error: string, message: string) => errors.push({ field, error, message });
  errors.push(...checkSubscriberZone(timeZone));
  if (!isEmail(email)) add('email', email === '' ? 'REQUIRED' : 'INVALID_FORMAT', 'email must be an email address.');
  if (name.length > MAX_NAME && name !== current?.name)
    add('name', 'TOO_LONG', `name must have at most ${MAX_NAME} characters.`);
  const isKnownPlan = isTrusted || planId === current?.planId || plans.some(({ id }) => id === planId);
  if (!isKnownPlan) add('planId', 'NOT_FOUND', 'Plan not found in this newsletter.');
  if (status !== undefined && !SUBSCRIPTION_STATUSES.includes(status)) {
    add('status', 'INVALID_VALUE', `status must be one of ${SUBSCRIPTION_STATUSES.join(', ')}.`);
  }
  const isActive = status === undefined || status === 'ACTIVE';
  if (isActive && !consent && !isTrusted && !(current && isSubscribed(current)))
    add(
      'consent',
      'REQUIRED',
      'The row does not say where this person gave consent. Add a consent column, or set consent for all rows.',
    );
  if (consent && (typeof consent.source !== 'string' || consent.source.length > 200)) {
    add('consent', 'TOO_LONG', 'consent must have at most 200 characters.');
  }
  if (consent && !(consent.at <= now + MAX_AHEAD_SECONDS))
    add('consentAt', 'OUT_OF_RANGE', 'consentAt must not be in the future.');
  return errors;
}

const consentOf = ({ caller }: Command, { consent }: SubscriberImport): Consent | null =>
  consent
    ? {
        source: consent.source,
        at: consent.at,
        address: consent.address ?? null,
        text: consent.text ?? null,
        userId: consent.userId === undefined ? caller.userId : consent.userId,
      }
    : null;

function compose(ctx: Command, record: SubscriberImport): SubscriptionRow {
  const { businessId, now } = ctx;
  const {
    id,
    email,
    collectionId,
    planId,
    name = '',
    status = 'ACTIVE',
    tags = [],
    fields = {},
    timeZone = null,
    doNotTrack = false,
    referrals = 0,
    isTrusted = false,
    createdAt,
    updatedAt,
  } = record;
  return {
    businessId,
    collectionId,
    email,
    name,
    planId,
    status,
    userId: null,
    paidPlanId: null,
    tags: tagsOf(tags),
    fields,
    timeZone,
    doNotTrack,
    feedNumber: 1,
    referrals: isTrusted ? referrals : 0,
    version: 1,
    id: keptId('sub', id),
    emailKey: email.toLowerCase(),
    consent: consentOf(ctx, record),
    createdAt: Math.min(createdAt ?? now, now),
    updatedAt: updatedAt ?? now,
  };
}

async function update(ctx: Command, row: SubscriptionRow, record: SubscriberImport): Promise<SubscriberOutcome> {
  const status = record.status ?? 'ACTIVE';
  const unchanged = { result: 'UNCHANGED', id: row.id } as const;
  const own = ownValues(row, record);
  const isEnding = status === 'UNSUBSCRIBED' || status === 'BOUNCED';
  if (hasEnded(row) || row.status === status || (isSubscribed(row) && !isEnding)) {
    if (hasEnded(row) && !isEnding && row.status !== status) return { errors: [ended] };
    if (isDeepStrictEqual(own, ownValues(row))) return unchanged;
    return save(ctx, row, { ...row, ...own, updatedAt: ctx.now });
  }
  if (status === 'PENDING') return unchanged;
  const consent = isEnding ? row.consent : consentOf(ctx, record);
  return save(ctx, row, {
    ...row,
    ...own,
    status,
    consent,
    paidPlanId: isEnding ? null : row.paidPlanId,
    updatedAt: ctx.now,
  });
}

/** Tags and fields in the file are added to the subscriber's existing ones. Someone who opted out of tracking stays opted out. */
const ownValues = (
  row: SubscriptionRow,
  { name, tags = [], fields = {}, timeZone, doNotTrack = false }: Partial<SubscriberImport> = {},
) => ({
  name: name || row.name,
  timeZone: timeZone ?? row.timeZone,
  doNotTrack: row.doNotTrack || doNotTrack,
  tags: tagsOf([...row.tags, ...tags]),
  fields: { ...row.fields, ...fields },
});

const ended: FieldError = {
  field: 'email',
  error: 'UNSUBSCRIBED',
  message: 'This person has unsubscribed, or emails to them bounced. Only they can subscribe again.',
};

async function save(ctx: Command, before: SubscriptionRow, after: SubscriptionRow): Promise<SubscriberOutcome> {
  await updateSubscription(ctx.db, after);
  emitSubscription(ctx, before, after);
  return { result: 'UPDATED', id: after.id };
}
