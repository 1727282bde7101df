import { consumeLimit, type Limit } from '../../../../db/limits.ts';
import { mailboxKey } from '../../../../shared/text/email.ts';
import type { Collection } from '../../../content/index.ts';
import type { Command } from '../../context.ts';
import { type SubscriptionRow, updateSubscription } from '../queries.ts';
import { subscriptionMail } from '../subscription-mails.ts';
import type { Confirmation } from './confirm-token.ts';

/**
 * Whether the owner of the address must confirm by email: always with double opt-in, otherwise if they have unsubscribed before, so
 * that only they can undo it. `isSelf` means that the caller has proven that the address is theirs.
 */
export const isConfirmationRequired = ({ settings }: Collection, row: SubscriptionRow, isSelf: boolean) =>
  settings.doubleOptIn === true || (!isSelf && hasEnded(row));

/** Whether an earlier subscription has ended, even if its owner has been asked to confirm a new one. */
export const hasEnded = ({ status, consent }: SubscriptionRow) =>
  status === 'UNSUBSCRIBED' || status === 'BOUNCED' || (status === 'PENDING' && consent !== null);

/** Counts an email to this address. Throws 429 if the limit for the mailbox is reached, regardless of the caller. */
export async function consumeConfirmMailLimit({ db: tx, now, config }: Command, email: string): Promise<void> {
  const limit: Limit = { name: 'confirm-mail', max: config.limits.messages, windowSeconds: 3600 };
  await consumeLimit({ now, write: (statement) => Promise.resolve(statement(tx)) }, limit, mailboxKey(email));
}

/** Sets PENDING and emails the owner. Plan and name take effect on confirmation. The row must be locked. */
export async function requestConfirmation(
  ctx: Command,
  collection: Collection,
  row: SubscriptionRow,
  request: Omit<Confirmation, 'businessId' | 'subscriptionId' | 'requestedAt'>,
): Promise<SubscriptionRow> {
  const { db: tx, now, newsletters } = ctx;
  const { businessId, id } = row;
  const pending: SubscriptionRow = { ...row, status: 'PENDING', updatedAt: now };
  await updateSubscription(tx, pending);
  const token = newsletters.confirmTokens.token({ ...request, businessId, subscriptionId: id, requestedAt: now });
  const link = `${ctx.publicUrl()}/confirm-subscription/${token}`;
  const plan = request.paymentId ? collection.plans.find(({ id: planId }) => planId === request.planId) : undefined;
  const about = { newsletter: collection.name, link, plan };
  await ctx.mail(await subscriptionMail(ctx, 'CONFIRM_SUBSCRIPTION', row, about));
  return pending;
}
