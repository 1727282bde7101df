/**
 * Shopify's customer file, with both headers.
 * Source: help.shopify.com/en/manual/customers/import-export-customers, "Customer CSV file columns".
 */
import { derivedId } from '../../../shared/ids.ts';
import { type CsvFormat, isYes, type Row } from './format.ts';
import { customerOf } from './people.ts';

const TAKEN = new Set([
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
  recognises: (columns) =>
    columns.has('first name') &&
    columns.has('email') &&
    (columns.has('accepts email marketing') || columns.has('accepts marketing')),
  takes: (column) => TAKEN.has(column) || ADDRESS.test(column),
  convert(rows, to) {
    const row = rows[0]!;
    const street = [part(row, 'company'), part(row, 'address1'), part(row, 'address2')]
      .filter((text) => text !== '')
      .join(', ');
    const address = {
      ...(street === '' ? {} : { street }),
      ...said('city', part(row, 'city')),
      ...said('state', part(row, 'province code') || part(row, 'province')),
      ...said('zip', part(row, 'zip').replace(/^'/, '')),
      ...said('country', part(row, 'country code') || part(row, 'country')),
    };
    const email = row.get('email').toLowerCase();
    const phone = (row.get('phone') || row.get('default address phone')).replace(/^'/, '');
    const known = row.get('customer id').replace(/^'/, '') || phone;
    const agrees = isYes(row.get('accepts email marketing', 'accepts marketing'));
    return customerOf(
      row.number,
      {
        id: email === '' && known !== '' ? derivedId('cust', to.businessId, `shopify:${known}`) : undefined,
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
          ...(row.says('note') ? { note: row.get('note') } : {}),
        },
        ...(agrees ? { consentSource: to.consent ?? 'Shopify: accepts email marketing' } : {}),
      },
      to,
    );
  },
};

const said = (field: string, value: string) => (value === '' ? {} : { [field]: value });
