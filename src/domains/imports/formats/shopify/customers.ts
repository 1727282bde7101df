/**
 * Shopify's customers CSV, with the current or the previous header.
 * Source: help.shopify.com/en/manual/customers/import-export-customers, "Customer CSV file columns".
 */
import { derivedId } from '../../../../shared/ids.ts';
import { type CsvFormat, isYes, type Row } from '../format.ts';
import { customerOf } from '../people.ts';

const READ_COLUMNS = new Set([
  ...[
    'customer id',
    'first name',
    'last name',
    'email',
    'phone',
    'note',
    'tags',
    'accepts email marketing',
    'accepts marketing',
  ],
]);
const ADDRESS =
  /^(?:default address )?(company|address1|address2|city|province|province code|country|country code|zip|phone)$/;

const part = (row: Row, name: string) => row.get(`default address ${name}`, name);

export const shopifyCustomers: CsvFormat = {
  name: 'shopify-customers',
  label: 'Shopify customers',
  type: 'customers',
  isRecognized: (columns) =>
    columns.has('first name') &&
    columns.has('email') &&
    (columns.has('accepts email marketing') || columns.has('accepts marketing')),
  reads: (column) => READ_COLUMNS.has(column) || ADDRESS.test(column),
  convert(rows, to) {
    const row = rows[0]!;
    const street = [part(row, 'company'), part(row, 'address1'), part(row, 'address2')]
      .filter((text) => text !== '')
      .join(', ');
    const address = {
      ...(street === '' ? {} : { street }),
      ...optional('city', part(row, 'city')),
      ...optional('state', part(row, 'province code') || part(row, 'province')),
      ...optional('zip', part(row, 'zip').replace(/^'/, '')),
      ...optional('country', part(row, 'country code') || part(row, 'country')),
    };
    const email = row.get('email').toLowerCase();
    const phone = (row.get('phone') || row.get('default address phone')).replace(/^'/, '');
    const sourceId = row.get('customer id').replace(/^'/, '') || phone;
    const hasConsent = isYes(row.get('accepts email marketing', 'accepts marketing'));
    return customerOf(
      row.number,
      {
        id: email === '' && sourceId !== '' ? derivedId('cust', to.businessId, `shopify:${sourceId}`) : undefined,
        input: {
          ...(email === '' ? {} : { email }),
          name: [row.get('first name'), row.get('last name')].filter(Boolean).join(' '),
          ...(phone === '' ? {} : { phone }),
          ...(Object.keys(address).length > 0 ? { addresses: [address] } : {}),
          ...(row.has('tags')
            ? {
                tags: row
                  .get('tags')
                  .split(',')
                  .map((tag) => tag.trim())
                  .filter(Boolean),
              }
            : {}),
          ...(row.hasValue('note') ? { note: row.get('note') } : {}),
        },
        ...(hasConsent ? { consentSource: to.consent ?? 'Shopify: accepts email marketing' } : {}),
      },
      to,
      columnsOf(row),
    );
  },
};

const COLUMNS: Record<string, string> = {
  'addresses.street': 'address1',
  'addresses.city': 'city',
  'addresses.state': 'province code',
  'addresses.zip': 'zip',
  'addresses.country': 'country code',
};

/** The columns of the fields, in the header of this file. */
function columnsOf(row: Row): Record<string, string> {
  const address = Object.entries(COLUMNS).map(([field, name]): [string, string] => [
    field,
    row.has(`default address ${name}`) ? `default address ${name}` : name,
  ]);
  const phone = row.hasValue('phone') ? 'phone' : 'default address phone';
  return { ...Object.fromEntries(address), name: 'first name', phone };
}

const optional = (field: string, value: string) => (value === '' ? {} : { [field]: value });
