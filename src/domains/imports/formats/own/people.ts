/** Customers and subscribers in our own CSV exports. Must read everything that `exports/tables.ts` writes. */

import { isRecord } from '../../../../shared/is-record.ts';
import { nameIn, textIn, valueOfCell } from '../cells.ts';
import { type CsvFormat, type Row, rowError, secondsOf, textOf } from '../format.ts';
import { customerOf, subscriberOf } from '../people.ts';
import { isStatusColumn, parseStatus } from '../subscription-status.ts';

const CUSTOMER_COLUMNS = new Set([
  'id',
  'email',
  'name',
  'phone',
  'addresses',
  'shippingaddress',
  'billingaddress',
  'tags',
  'note',
  'consentsource',
  'consentat',
  'createdat',
]);

export const ownCustomers: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'customers',
  isRecognized: (columns) => columns.has('email') && columns.has('name') && !columns.has('first name'),
  reads: (column) => CUSTOMER_COLUMNS.has(column),
  convert([row], to) {
    const r = row!;
    const jsonIn = (column: string) => (r.hasValue(column) ? valueOfCell(textIn(r, column), false) : undefined);
    const columns = ['addresses', 'shippingaddress', 'billingaddress'];
    const wrong = columns.filter((column) => r.hasValue(column) && jsonIn(column) === undefined);
    if (wrong.length > 0)
      return {
        errors: wrong.map((column) =>
          rowError(
            r.number,
            column,
            'INVALID_JSON',
            `${column} is not valid JSON. Use the same format as in an export.`,
          ),
        ),
      };
    const [addresses, shippingAddress, billingAddress] = columns.map(jsonIn);
    const source = textIn(r, 'consentsource');
    return customerOf(
      r.number,
      {
        id: r.get('id') || undefined,
        createdAt: secondsOf(r.get('createdat')),
        input: {
          ...(r.hasValue('email') ? { email: textIn(r, 'email') } : {}),
          ...(r.has('name') ? { name: textIn(r, 'name') } : {}),
          ...(r.hasValue('phone') ? { phone: textIn(r, 'phone') } : {}),
          ...(addresses === undefined ? {} : { addresses: addresses as never }),
          ...(shippingAddress === undefined ? {} : { shippingAddress: shippingAddress as never }),
          ...(billingAddress === undefined ? {} : { billingAddress: billingAddress as never }),
          ...(r.has('tags') ? { tags: tagsIn(r) } : {}),
          ...(r.has('note') ? { note: textIn(r, 'note') } : {}),
        },
        ...(source === '' ? {} : { consentSource: source, consentAt: secondsOf(r.get('consentat')) }),
      },
      to,
      { consent: 'consentsource' },
    );
  },
};

/** Comma-separated values, or a list as JSON. */
function tagsIn(row: Row): string[] {
  const tags = valueOfCell(textIn(row, 'tags'), true);
  if (Array.isArray(tags)) return tags.map(textOf);
  return textOf(tags)
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}

const OWN_FIELD = 'fields.';

/** A column with all fields as JSON, or one column for each: `fields.city`. Null if the JSON is invalid. */
function fieldsIn(row: Row): Record<string, string> | null {
  const whole = row.hasValue('fields') ? valueOfCell(textIn(row, 'fields'), false) : {};
  if (!isRecord(whole)) return null;
  const columns = [...row.columns()].filter((column) => column.startsWith(OWN_FIELD) && row.hasValue(column));
  const single = columns.map((column) => [column.slice(OWN_FIELD.length), nameIn(row, column)]);
  return { ...(whole as Record<string, string>), ...Object.fromEntries(single) };
}

const SUBSCRIBER_COLUMNS = new Set([
  'id',
  'newsletter',
  'email',
  'name',
  'planid',
  'status',
  'tags',
  'fields',
  'timezone',
  'donottrack',
  'consentsource',
  'consent',
  'consentat',
  'createdat',
]);

export const ownSubscribers: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'subscribers',
  isRecognized: (columns) => columns.has('email') && !columns.has('subscribed_to_emails'),
  // Otherwise, people who unsubscribed elsewhere would be subscribed.
  refusal(columns) {
    const column = [...columns.keys()].find((each) => !SUBSCRIBER_COLUMNS.has(each) && isStatusColumn(each));
    if (column === undefined) return null;
    return `The column “${column.slice(0, 60)}” seems to contain the subscription status, but its format is not supported. Rename it to status, with the values ACTIVE, UNSUBSCRIBED or BOUNCED, or remove it.`;
  },
  reads: (column) => SUBSCRIBER_COLUMNS.has(column) || column.startsWith(OWN_FIELD),
  convert([row], to) {
    const r = row!;
    const status = r.hasValue('status') ? (parseStatus(r.get('status')) ?? (r.get('status') as 'ACTIVE')) : undefined;
    // The caller states consent only for people who get emails.
    const stated = status === undefined || status === 'ACTIVE' ? to.consent : null;
    const source = textIn(r, r.has('consentsource') ? 'consentsource' : 'consent') || stated;
    const fields = fieldsIn(r);
    if (fields === null) {
      const message = 'fields is not valid JSON. Use the same format as in an export.';
      return { errors: [rowError(r.number, 'fields', 'INVALID_JSON', message)] };
    }
    return subscriberOf(
      r.number,
      {
        ...(r.hasValue('id') ? { id: r.get('id') } : {}),
        ...(r.hasValue('newsletter') ? { newsletter: r.get('newsletter') } : {}),
        email: textIn(r, 'email').trim(),
        ...(r.has('name') ? { name: textIn(r, 'name') } : {}),
        ...(r.hasValue('planid') ? { planId: nameIn(r, 'planid') } : {}),
        ...(status ? { status } : {}),
        tags: tagsIn(r),
        fields,
        ...(r.hasValue('timezone') ? { timeZone: r.get('timezone') } : {}),
        ...(r.get('donottrack') === 'true' ? { doNotTrack: true } : {}),
        ...(source ? { consent: { source, at: secondsOf(r.get('consentat')) ?? to.now } } : {}),
        createdAt: secondsOf(r.get('createdat')),
      },
      to,
      { collectionId: 'newsletter', consent: r.has('consentsource') ? 'consentsource' : 'consent' },
    );
  },
};
