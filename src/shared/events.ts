/** What a command says has happened. */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from './caller.ts';

const EVENT_TYPES = [
  'product.created',
  'product.updated',
  'product.draft_saved',
  'product.deleted',
  'inventory.low',
  'order.created',
  'order.imported',
  'order.updated',
  'order.status_changed',
  'order.payment_changed',
  'order.refunded',
  'order.mail_resent',
  'promo_code.created',
  'promo_code.updated',
  'promo_code.deleted',
  'collection.created',
  'collection.updated',
  'collection.deleted',
  'entry.created',
  'entry.updated',
  'entry.published',
  'entry.draft_saved',
  'entry.deleted',
  'release.created',
  'release.updated',
  'release.cancelled',
  'release.published',
  'release.failed',
  'media.created',
  'media.updated',
  'media.deleted',
  'subscription.created',
  'subscription.confirmed',
  'subscription.updated',
  'subscription.renewed',
  'subscription.cancelled',
  'subscription.bounced',
  'newsletter.scheduled',
  'newsletter.started',
  'newsletter.sent',
  'newsletter.cancelled',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.erasure_requested',
  'customer.erased',
  'business.created',
  'business.updated',
  'business.deleted',
  'role.created',
  'role.updated',
  'role.deleted',
  'member.added',
  'member.removed',
  'invitation.created',
  'invitation.accepted',
  'invitation.declined',
  'invitation.revoked',
  'import.created',
  'import.completed',
  'import.failed',
  'import.cancelled',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const ACCOUNT_EVENT_TYPES = [
  'user.registered',
  'user.login',
  'user.login_failed',
  'user.updated',
  'user.password_changed',
  'user.key_created',
  'user.key_revoked',
  'user.session_ended',
  'user.role_changed',
  'user.deleted',
] as const;
type AccountEventType = (typeof ACCOUNT_EVENT_TYPES)[number];

/** The kind of a record and its id: `order:ord_…`. */
type EntityName = `${string}:${string}`;

export type NewEvent = {
  type: EventType;
  entity: EntityName;
  /** The record as a reader with full rights sees it after the change (of a deletion: before it), without secrets. */
  data: object;
  /** The same before the change. What differs is told as `changes`. */
  before?: object | null;
  /** Where the command has no business in its path. */
  businessId?: string;
};

export type NewAccountEvent = {
  type: AccountEventType;
  userId: string;
  data?: object;
  /** The request comes from the account's owner, who has proved it otherwise than by a token of theirs. */
  byOwner?: boolean;
};

export type Changes = Record<string, { old?: unknown; new?: unknown; omitted?: true }>;

/** Who caused an event, and where from. */
export type Cause = { caller: Caller | null; address: string; requestId: string; now: number };

export type EventToWrite = NewEvent & { businessId: string; changes: Changes | null };

const MAX_CHANGES_BYTES = 16 * 1024;
/** They differ each time, and say nothing. */
const NOT_TOLD = new Set(['updatedAt']);

/** The fields at the top that differ. Values beyond 16 KB in all are omitted, the fields are named all the same. */
export function changesOf(before: object, after: object): Changes {
  const old = before as Record<string, unknown>;
  const now = after as Record<string, unknown>;
  const changes: Changes = {};
  let bytes = 2;
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (NOT_TOLD.has(field) || old[field] === now[field]) continue;
    const [was, is] = [JSON.stringify(old[field]), JSON.stringify(now[field])];
    if (was === is || isSame(was, is)) continue;
    const size = Buffer.byteLength(field) + Buffer.byteLength(was ?? '') + Buffer.byteLength(is ?? '') + 24;
    if (bytes + size > MAX_CHANGES_BYTES) {
      changes[field] = { omitted: true };
      continue;
    }
    bytes += size;
    changes[field] = { old: old[field], new: now[field] };
  }
  return changes;
}

/** PostgreSQL gives the fields of stored JSON back in an order of its own. */
const isSame = (was: string | undefined, is: string | undefined) =>
  was !== undefined && is !== undefined && isDeepStrictEqual(JSON.parse(was), JSON.parse(is));
