/**
 * Ghost's member file. Who does not get mails is kept as unsubscribed, so that nobody writes to them.
 * Source: ghost.org/help/import-members, and the export of the admin: id, email, name, note, subscribed_to_emails,
 * complimentary_plan, stripe_customer_id, created_at, deleted_at, labels, tiers.
 */
import { type CsvFormat, isYes, secondsOf } from './format.ts';
import { subscriberOf } from './people.ts';

const TAKEN = new Set(['email', 'name', 'subscribed_to_emails', 'subscribed', 'created_at', 'deleted_at']);

export const ghostMembers: CsvFormat = {
  name: 'ghost-members',
  label: 'Ghost members',
  type: 'subscribers',
  recognises: (columns) =>
    columns.has('email') && (columns.has('subscribed_to_emails') || columns.has('complimentary_plan')),
  takes: (column) => TAKEN.has(column),
  convert(rows, to) {
    const row = rows[0]!;
    if (row.says('deleted_at')) return 'SKIPPED';
    const since = secondsOf(row.get('created_at'));
    const isSubscribed = row.says('subscribed_to_emails', 'subscribed')
      ? isYes(row.get('subscribed_to_emails', 'subscribed'))
      : true;
    return subscriberOf(
      row.number,
      {
        email: row.get('email'),
        ...(row.has('name') ? { name: row.get('name') } : {}),
        status: isSubscribed ? 'ACTIVE' : 'UNSUBSCRIBED',
        ...(to.consent ? { consent: { source: to.consent, at: since ?? to.now } } : {}),
        ...(since === undefined ? {} : { createdAt: since }),
      },
      to,
    );
  },
};
