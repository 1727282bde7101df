/**
 * Ghost's members CSV. Members who don't receive emails are imported as unsubscribed, so that they never get any.
 * Source: ghost.org/help/import-members and the admin export: id, email, name, note, subscribed_to_emails,
 * complimentary_plan, stripe_customer_id, created_at, deleted_at, labels, tiers.
 */
import { type CsvFormat, isYes, secondsOf } from '../format.ts';
import { subscriberOf } from '../people.ts';

const READ_COLUMNS = new Set(['email', 'name', 'subscribed_to_emails', 'subscribed', 'created_at', 'deleted_at']);

export const ghostMembers: CsvFormat = {
  name: 'ghost-members',
  label: 'Ghost members',
  type: 'subscribers',
  isRecognized: (columns) =>
    columns.has('email') && (columns.has('subscribed_to_emails') || columns.has('complimentary_plan')),
  needsConsent: () => true,
  reads: (column) => READ_COLUMNS.has(column),
  convert(rows, to) {
    const row = rows[0]!;
    if (row.hasValue('deleted_at')) return { skipped: [] };
    const since = secondsOf(row.get('created_at'));
    const isSubscribed = row.hasValue('subscribed_to_emails', 'subscribed')
      ? isYes(row.get('subscribed_to_emails', 'subscribed'))
      : true;
    return subscriberOf(
      row.number,
      {
        email: row.get('email'),
        ...(row.has('name') ? { name: row.get('name') } : {}),
        status: isSubscribed ? 'ACTIVE' : 'UNSUBSCRIBED',
        ...(to.consent && isSubscribed ? { consent: { source: to.consent, at: since ?? to.now } } : {}),
        ...(since === undefined ? {} : { createdAt: since }),
      },
      to,
      {},
    );
  },
};
