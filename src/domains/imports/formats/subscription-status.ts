/** The words other systems use for the status of a subscription. Pure. */
import type { SubscriptionStatus } from '../../newsletters/index.ts';

const WORDS: Partial<Record<SubscriptionStatus, readonly string[]>> = {
  ACTIVE: ['active', 'subscribed', 'enabled', 'confirmed'],
  UNSUBSCRIBED: [
    'unsubscribed',
    'inactive',
    'disabled',
    'blocklisted',
    'blacklisted',
    'optedout',
    'cancelled',
    'paused',
  ],
  BOUNCED: ['bounced', 'cleaned', 'invalid', 'complained', 'undeliverable'],
  PENDING: ['pending', 'unconfirmed', 'validating', 'needsattention'],
  PAST_DUE: ['pastdue'],
};

/** Undefined for an unknown word: a status is never guessed. */
export function parseStatus(word: string): SubscriptionStatus | undefined {
  const plain = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  return (Object.keys(WORDS) as SubscriptionStatus[]).find((status) => WORDS[status]!.includes(plain));
}

/** Columns that usually say who no longer receives emails. */
const STATUS_COLUMN =
  /unsub|bounce|^clean|opt.?(?:ed.?)?out|suppress|disabled|block(?:ed|list)|blacklist|complain|^subscribed$|^state$|^active$|subscri(?:ber|ption)[ _]?(?:status|state)|email[ _]?status|do.?not.?(?:email|contact)/;

export const isStatusColumn = (column: string) => STATUS_COLUMN.test(column);
