/**
 * Subscriber files from other newsletter tools. People who unsubscribed, or whose address bounced, keep that status. The
 * files record when people subscribed, but not what they consented to, so the caller states it.
 * Sources: the export pages of Substack, Mailchimp, beehiiv, Curated, TinyNews and Listmonk.
 */
import type { SubscriptionStatus } from '../../newsletters/index.ts';
import { type CsvFormat, isYes, type Outcome, type Row, type RowError, rowError, secondsOf } from './format.ts';
import { subscriberOf } from './people.ts';
import { parseStatus } from './subscription-status.ts';

/** NONE: the person never subscribed. */
type Status = SubscriptionStatus | 'NONE' | undefined;

type List = {
  name: string;
  label: string;
  isRecognized: CsvFormat['isRecognized'];
  needsConsent?: CsvFormat['needsConsent'];
  note?: string;
  email?: string;
  names: readonly string[];
  /** Columns with the time of the subscription, in order of preference. */
  dates: readonly string[];
  /** Columns that determine the status, the first for error messages. */
  statuses: readonly string[];
  /** Undefined if the row does not contain it. */
  statusOf(row: Row): Status;
  /** Whether the person pays for the newsletter in the other system, and the columns that can show it. */
  isPaying?: { columns: readonly string[]; test(row: Row): boolean };
};

const hasAll = (columns: ReadonlyMap<string, number>, ...names: string[]) => names.every((name) => columns.has(name));

const FIRST_AND_LAST = ['first name', 'first_name', 'last name', 'last_name'];

const substack: List = {
  name: 'substack-subscribers',
  label: 'Substack subscribers',
  isRecognized: (columns) => hasAll(columns, 'email', 'email_disabled'),
  names: ['name'],
  dates: ['created_at'],
  statuses: ['email_disabled'],
  statusOf(row) {
    const isDisabled = row.get('email_disabled');
    if (isDisabled === '') return undefined;
    return /^(?:false|no|0)$/i.test(isDisabled) ? 'ACTIVE' : 'UNSUBSCRIBED';
  },
  isPaying: {
    columns: ['active_subscription', 'type'],
    test: (row) => isYes(row.get('active_subscription')) || row.get('type') === 'paid',
  },
};

const mailchimp: List = {
  name: 'mailchimp-subscribers',
  label: 'Mailchimp audience',
  isRecognized: (columns) =>
    columns.has('email address') && ['member_rating', 'optin_time', 'leid'].some((name) => columns.has(name)),
  // Nobody in a file of unsubscribed or cleaned contacts gets emails.
  needsConsent: (columns) => !columns.has('unsub_time') && !columns.has('clean_time'),
  email: 'email address',
  names: FIRST_AND_LAST,
  dates: ['confirm_time', 'optin_time'],
  statuses: ['optin_time', 'unsub_time', 'clean_time', 'status'],
  statusOf(row) {
    if (row.has('clean_time')) return 'BOUNCED';
    if (row.has('unsub_time')) return 'UNSUBSCRIBED';
    if (row.hasValue('status')) return /^non/i.test(row.get('status')) ? 'NONE' : parseStatus(row.get('status'));
    return row.hasValue('optin_time') || row.hasValue('confirm_time') ? 'ACTIVE' : 'NONE';
  },
};

const listmonk: List = {
  name: 'listmonk-subscribers',
  label: 'Listmonk subscribers',
  isRecognized: (columns) => hasAll(columns, 'uuid', 'email', 'attributes', 'status'),
  note: 'Listmonk does not export who unsubscribed from a single list. Export only confirmed subscribers of one list.',
  names: ['name'],
  dates: ['created_at'],
  statuses: ['status'],
  statusOf: (row) => parseStatus(row.get('status')),
};

const beehiiv: List = {
  name: 'beehiiv-subscribers',
  label: 'beehiiv subscribers',
  isRecognized: (columns) =>
    hasAll(columns, 'email', 'status', 'created_at') &&
    ['tier', 'subscription_tier', 'free tier', 'unsubscribed_at', 'utm_source'].some((name) => columns.has(name)),
  names: FIRST_AND_LAST,
  dates: ['created_at'],
  statuses: ['status', 'unsubscribed_at'],
  statusOf(row) {
    if (row.hasValue('unsubscribed_at')) return 'UNSUBSCRIBED';
    return row.get('status').toLowerCase() === 'deleted' ? 'NONE' : parseStatus(row.get('status'));
  },
  isPaying: {
    columns: ['tier', 'subscription_tier'],
    test: (row) => /premium|paid/i.test(row.get('tier', 'subscription_tier')),
  },
};

const curated: List = {
  name: 'curated-subscribers',
  label: 'Curated subscribers',
  isRecognized: (columns) => hasAll(columns, 'email address', 'subscribed at'),
  email: 'email address',
  names: FIRST_AND_LAST,
  dates: ['subscribed at'],
  statuses: ['subscribed at', 'unsubscribed at', 'bounced at'],
  statusOf(row) {
    if (row.hasValue('bounced at')) return 'BOUNCED';
    if (row.hasValue('unsubscribed at')) return 'UNSUBSCRIBED';
    return row.hasValue('subscribed at') ? 'ACTIVE' : undefined;
  },
};

const tinynews: List = {
  name: 'tinynews-subscribers',
  label: 'TinyNews subscribers',
  isRecognized: (columns) =>
    hasAll(columns, 'email', 'status') &&
    (hasAll(columns, 'channel id', 'engagement optin') || hasAll(columns, 'date added', 'last modified')),
  names: ['name', 'surname', ...FIRST_AND_LAST],
  dates: ['created at', 'date added'],
  statuses: ['status', 'deleted at'],
  statusOf(row) {
    const status = row.get('status');
    if (row.hasValue('deleted at')) return 'NONE';
    // Numbers: 1 and 2 receive emails.
    return /^\d+$/.test(status) ? (/^[12]$/.test(status) ? 'ACTIVE' : 'UNSUBSCRIBED') : parseStatus(status);
  },
};

function formatOf(list: List): CsvFormat {
  const { email = 'email', names, dates, statuses, isPaying } = list;
  const read = new Set([email, ...names, ...dates, ...statuses, ...(isPaying?.columns ?? [])]);
  return {
    name: list.name,
    label: list.label,
    type: 'subscribers',
    isRecognized: list.isRecognized,
    needsConsent: list.needsConsent ?? (() => true),
    ...(list.note ? { note: list.note } : {}),
    reads: (column) => read.has(column),
    convert([row], to): Outcome {
      const status = list.statusOf(row!);
      const column = statuses.find((name) => row!.has(name)) ?? statuses[0]!;
      if (status === undefined)
        return {
          errors: [
            rowError(
              row!.number,
              column,
              'INVALID_VALUE',
              'The row does not say whether this person is subscribed. Use a status such as active or unsubscribed.',
            ),
          ],
        };
      if (status === 'NONE')
        return {
          skipped: [rowError(row!.number, column, 'NOT_SUBSCRIBED', 'This person is not subscribed and was left out.')],
        };
      const date = dates.find((name) => row!.hasValue(name));
      const since = date === undefined ? undefined : secondsOf(row!.get(date));
      const isActive = status === 'ACTIVE';
      const outcome = subscriberOf(
        row!.number,
        {
          email: row!.get(email),
          name: names
            .map((name) => row!.get(name))
            .filter(Boolean)
            .join(' '),
          status,
          ...(isActive && to.consent ? { consent: { source: to.consent, at: since ?? to.now } } : {}),
          ...(since === undefined ? {} : { createdAt: since }),
        },
        to,
        { email, name: names.find((name) => row!.has(name)) ?? 'name', consent: date ?? dates[0]!, status: column },
      );
      if (!('record' in outcome)) return outcome;
      const warnings: RowError[] = [];
      if (isActive && since === undefined)
        warnings.push(
          rowError(
            row!.number,
            date ?? dates[0]!,
            'NO_DATE',
            'The row has no valid subscription date. The time of the import is stored as the time of consent.',
          ),
        );
      const paid = isPaying?.test(row!) ? isPaying.columns.find((name) => row!.hasValue(name)) : undefined;
      if (paid !== undefined)
        warnings.push(
          rowError(
            row!.number,
            paid,
            'PAID_PLAN',
            'Paid subscriptions are not imported. This person is added to the plan chosen for the import.',
          ),
        );
      return { record: { ...outcome.record, warnings } };
    },
  };
}

export const subscriberLists: readonly CsvFormat[] = [substack, mailchimp, listmonk, beehiiv, curated, tinynews].map(
  formatOf,
);
