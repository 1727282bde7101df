/** The events that commands emit. */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from './security/caller.ts';

export const EVENT_TYPES = [
  'product.created',
  'product.updated',
  'product.draft_saved',
  'product.deleted',
  'inventory.low',
  'stock_alert.created',
  'stock_alert.sent',
  'category.created',
  'category.updated',
  'category.deleted',
  'redirect.created',
  'redirect.deleted',
  'order.created',
  'order.imported',
  'order.updated',
  'order.status_changed',
  'order.payment_changed',
  'order.refunded',
  'order.disputed',
  'order.invoiced',
  'order.credited',
  'order.mail_resent',
  'order.mail_withheld',
  'order.note_created',
  'order.note_updated',
  'order.note_deleted',
  'bank_statement.created',
  'bank_statement.deleted',
  'shipment.created',
  'shipment.updated',
  'shipment.deleted',
  'return.requested',
  'return.approved',
  'return.rejected',
  'return.received',
  'return.closed',
  'cart.created',
  'cart.updated',
  'cart.ordered',
  'cart.reminded',
  'cart.deleted',
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
  'form.created',
  'form.updated',
  'form.deleted',
  'segment.created',
  'segment.updated',
  'segment.deleted',
  'suppression.created',
  'suppression.deleted',
  'automation.created',
  'automation.updated',
  'automation.deleted',
  'automation.stopped',
  'newsletter.scheduled',
  'newsletter.started',
  'newsletter.sent',
  'newsletter.cancelled',
  'newsletter.decided',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.erasure_requested',
  'customer.erased',
  'business.created',
  'business.updated',
  'business.deleted',
  'publishable_key.created',
  'publishable_key.updated',
  'publishable_key.deleted',
  'sso.updated',
  'sso.deleted',
  'scim.user_saved',
  'scim.user_deleted',
  'scim.group_saved',
  'scim.group_deleted',
  'support.started',
  'support.ended',
  'business.host_verified',
  'business.sender_updated',
  'business.sender_checked',
  'mail_template.updated',
  'mail_template.deleted',
  'role.created',
  'role.updated',
  'role.deleted',
  'member.added',
  'member.accepted',
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

export const ACCOUNT_EVENT_TYPES = [
  'user.registered',
  'user.login',
  'user.login_failed',
  'user.second_factor_requested',
  'user.stepped_up',
  'user.factor_added',
  'user.factor_removed',
  'user.factors_reset',
  'user.recovery_codes_created',
  'user.recovery_code_used',
  'user.updated',
  'user.password_changed',
  'user.key_created',
  'user.key_confirmed',
  'user.key_revoked',
  'user.session_ended',
  'user.role_changed',
  'user.support_started',
  'user.deleted',
] as const;
export type AccountEventType = (typeof ACCOUNT_EVENT_TYPES)[number];

/** The type of a record and its ID: `order:ord_…`. */
type EntityName = `${string}:${string}`;

export type NewEvent = {
  type: EventType;
  entity: EntityName;
  /** The record after the change (before it, for a deletion) as a member with all permissions sees it, without secrets. */
  data: object;
  /** The record before the change. The difference becomes `changes`. */
  before?: object | null;
  /** For commands without a business in their path. */
  businessId?: string;
  /** Fields of `data` whose values only the database has. Each value is read from a setting of the transaction. */
  settings?: Readonly<Record<string, string>>;
};

export type NewAccountEvent = {
  type: AccountEventType;
  userId: string;
  data?: object;
  /** The request comes from the owner of the account, who was authenticated by means other than a token. */
  byOwner?: boolean;
};

type Changes = Record<string, { old?: unknown; new?: unknown; omitted?: true }>;

/** The user who caused an event, and their IP address. */
export type Cause = { caller: Caller | null; address: string; requestId: string; now: number };

export type EventToWrite = NewEvent & { businessId: string; changes: Changes | null };

const MAX_CHANGES_BYTES = 16 * 1024;
/** These fields change with every write and are not informative. */
const IGNORED_FIELDS = new Set(['updatedAt']);

/** The top-level fields that differ. Fields are always listed, but values beyond 16 KB in total are omitted. */
export function changesOf(before: object, after: object): Changes {
  const old = before as Record<string, unknown>;
  const now = after as Record<string, unknown>;
  const changes: Changes = {};
  let bytes = 2;
  for (const field of fieldsOf(old, now)) {
    if (IGNORED_FIELDS.has(field) || old[field] === now[field]) continue;
    const [previous, current] = [JSON.stringify(old[field]), JSON.stringify(now[field])];
    if (previous === current || isSame(previous, current)) continue;
    const size = Buffer.byteLength(field) + Buffer.byteLength(previous ?? '') + Buffer.byteLength(current ?? '') + 24;
    if (bytes + size > MAX_CHANGES_BYTES) {
      changes[field] = { omitted: true };
      continue;
    }
    bytes += size;
    changes[field] = { old: old[field], new: now[field] };
  }
  return changes;
}

const fieldsOf = (old: object, now: object) => [
  ...Object.keys(now),
  ...Object.keys(old).filter((field) => !(field in now)),
];

/** Ignores the order of fields, because jsonb does not preserve it. The order does not change the length. */
const isSame = (a: string | undefined, b: string | undefined) =>
  a !== undefined && a.length === b?.length && isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
