import { type Limit, spend } from '../../../db/limits.ts';
import { mailboxKey } from '../../../shared/email.ts';
import { getBusiness } from '../../businesses/index.ts';
import type { Collection } from '../../content/index.ts';
import type { Command } from '../context.ts';
import { confirmMail } from './confirm-mail.ts';
import { type SubscriptionRow, updateSubscription } from './queries.ts';

/**
 * Whether the owner of the address must say by mail that they want it: always when the newsletter has double opt-in, and else
 * when they had unsubscribed, so that nobody but them undoes it. `isSelf`: the caller has proved that the address is theirs.
 */
export const mustConfirm = ({ settings }: Collection, row: SubscriptionRow, isSelf: boolean) =>
  settings.doubleOptIn === true || (!isSelf && hasEnded(row));

/** It was a subscription once and is none now, also while its owner is asked whether it should be again. */
export const hasEnded = ({ status, consent }: SubscriptionRow) =>
  status === 'UNSUBSCRIBED' || status === 'BOUNCED' || (status === 'PENDING' && consent !== null);

/** Counts a mail to this address and raises 429 when it was sent enough of them, whoever asked. */
export async function spendConfirmMail({ db: tx, now, config }: Command, email: string): Promise<void> {
  const limit: Limit = { name: 'confirm-mail', max: config.limits.messages, windowSeconds: 3600 };
  await spend({ now, write: (statement) => Promise.resolve(statement(tx)) }, limit, mailboxKey(email));
}

/** PENDING, and a mail to the owner. Plan and name take effect when they confirm. The row is locked. */
export async function requestConfirmation(
  ctx: Command,
  collection: Collection,
  row: SubscriptionRow,
  { planId, name }: { planId: string; name: string },
): Promise<SubscriptionRow> {
  const { db: tx, now, newsletters } = ctx;
  const { businessId, id, email } = row;
  const pending: SubscriptionRow = { ...row, status: 'PENDING', updatedAt: now };
  await updateSubscription(tx, pending);
  const token = newsletters.confirmTokens.token({ businessId, subscriptionId: id, planId, name, requestedAt: now });
  const business = await getBusiness(ctx, businessId);
  await ctx.mail(
    confirmMail(email, collection.name, business.name, `${ctx.publicUrl()}/confirm-subscription/${token}`),
  );
  return pending;
}
