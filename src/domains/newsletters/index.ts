/**
 * Newsletters: collections of type NEWSLETTER, read by mail. A **subscription** ties an address to a newsletter and to one of
 * its plans: PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED or BOUNCED. A **send** is one entry going out; a **delivery** is its
 * message to one subscriber; a **batch** is a run of deliveries that one worker holds at a time.
 *
 * Invariants: one subscription for each address and newsletter. Content and audience of a send are frozen when it starts. A
 * message leaves only after its delivery is marked ATTEMPTING, and no connection has two that are. A send is complete only
 * when total = sent + failed + skipped + unknown. A token in a mail ends its one subscription and opens nothing else.
 */
import type { Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { deriveKey } from '../../shared/secrets.ts';
import type { Businesses } from '../businesses/index.ts';
import type { Content } from '../content/index.ts';
import type { Orders } from '../orders/index.ts';
import { createPace } from './pace.ts';
import { addSubscriber, type NewSubscriber, type SubscribeDeps, takePayments } from './subscribe.ts';
import { selectSubscribers } from './subscription-queries.ts';
import { readUnsubscribe, unsubscribe } from './unsubscribe.ts';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';
import { registerWork, type WorkDeps } from './work.ts';

export { deleteSubscriptionsOf } from './subscription-queries.ts';

export type NewsletterDoors = {
  businesses: Businesses;
  content: Content;
  payments: Orders['payments'];
  mailer: Mailer;
};

export type NewsletterDeps = WorkDeps & SubscribeDeps;

export function createNewsletters(platform: Deps, doors: NewsletterDoors) {
  const { config } = platform;
  const deps: NewsletterDeps = {
    ...platform,
    ...doors,
    tokens: createUnsubscribeTokens(deriveKey(config.secretKey, 'unsubscribe')),
    pace: config.mailRate === null ? null : createPace(config.mailRate),
  };
  const { sweep } = registerWork(deps);
  takePayments(deps);
  return {
    deps,
    /** Looks after every send that is open and due; the jobs do this by themselves. */
    sweep,
    /** An ACTIVE subscriber, without asking or payment. */
    addSubscriber: (tx: Tx, subscriber: NewSubscriber) => addSubscriber(tx, subscriber, platform.clock.seconds()),
    /** For user search: the accounts of subscribers. */
    subscribers: selectSubscribers,
    /** For the page behind the link in a mail. */
    unsubscribe: (token: string) => unsubscribe(deps, token),
    readUnsubscribe: (token: string) => readUnsubscribe(deps, token),
  };
}

export type Newsletters = ReturnType<typeof createNewsletters>;
