import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { invalidField } from '../../shared/errors.ts';
import { endSubscription, findSubscription, type SubscriptionRow } from './subscription-queries.ts';
import type { UnsubscribeTokens } from './unsubscribe-token.ts';

export type UnsubscribeDeps = Deps & { tokens: UnsubscribeTokens };

/** Repeatable. Raises 422 for a token that is not ours, or not of this business when one is named. */
export async function unsubscribe(
  { pool, clock, tokens }: UnsubscribeDeps,
  token: string,
  businessId?: string,
): Promise<void> {
  const subject = tokens.read(token);
  if (!subject || (businessId !== undefined && businessId !== subject.businessId)) throw badToken();
  await inTransaction(pool, (tx) => endSubscription(tx, subject.businessId, subject.subscriptionId, clock.seconds()));
}

/** Whose subscription a token is of; null when it has been deleted. Changes nothing. Raises 422 for a bad token. */
export async function readUnsubscribe(
  { pool, tokens }: UnsubscribeDeps,
  token: string,
): Promise<SubscriptionRow | null> {
  const subject = tokens.read(token);
  if (!subject) throw badToken();
  return findSubscription(pool, subject.businessId, subject.subscriptionId);
}

const badToken = () =>
  invalidField('token', 'INVALID_VALUE', 'This link is not complete. Open it from the mail again.');
