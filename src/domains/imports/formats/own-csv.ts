/** Our own exports as CSV. `exports/tables.ts` writes them: what is said there must be read here. */

import { cellOf, plainCell, valueOfCell } from './cells.ts';
import { entryOf } from './entry-blocks.ts';
import { type Conversion, type CsvFormat, isYes, type Row, secondsOf, textOf, wrong } from './format.ts';
import { customerOf, subscriberOf } from './people.ts';
import { ProductDraft } from './product-draft.ts';

const text = (row: Row, column: string) => plainCell(row.raw(column));
/** One that people choose may begin like a formula. */
const name = (row: Row, column: string) => plainCell(row.get(column));
const MARKET = /^(price|currency|compareatprice):(.+)$/;

const PRODUCT_COLUMNS = new Set([
  ...[
    'id',
    'slug',
    'name',
    'description',
    'category',
    'status',
    'gallery',
    'blocks',
    'variantid',
    'variantname',
    'sku',
  ],
  ...['attributes', 'tracked', 'quantity', 'lowstockthreshold', 'variantgallery'],
]);

/** JSON of a cell; undefined and an error where it is none. */
function jsonAt<T>(draft: ProductDraft, row: Row, column: string): T | undefined {
  if (!row.says(column)) return undefined;
  const value = valueOfCell(text(row, column), false);
  if (value === undefined)
    draft.errors.push(
      wrong(row.number, column, 'INVALID_JSON', `${column} is not valid JSON. Write it as the export does.`),
    );
  return value as T | undefined;
}

export const ownProducts: CsvFormat = {
  name: 'souk',
  label: 'Export of Souk',
  type: 'products',
  recognises: (columns) => columns.has('slug') && columns.has('name') && columns.has('variantid'),
  takes: (column) => PRODUCT_COLUMNS.has(column) || MARKET.test(column),
  joins: (rows, row) => keyOf(row) !== '' && keyOf(row) === keyOf(rows[0]!),
  convert(rows, to) {
    const first = rows[0]!;
    const draft = new ProductDraft(first, {
      'variants.sku': 'sku',
      'variants.pricing': 'price',
      'variants.inventory': 'quantity',
    });
    const { input } = draft;
    for (const field of ['name', 'slug'] as const) if (first.says(field)) input[field] = text(first, field);
    for (const field of ['description', 'category'] as const) if (first.has(field)) input[field] = text(first, field);
    if (first.says('status')) input.status = first.get('status') as 'ACTIVE';
    const gallery = jsonAt<{ id?: string; url?: string }[]>(draft, first, 'gallery');
    if (gallery) input.gallery = gallery as never;
    const blocks = jsonAt<never>(draft, first, 'blocks');
    if (blocks) input.blocks = blocks;
    for (const row of rows) if (row.says('variantid') || row.says('sku')) addVariant(draft, row, to);
    const outcome = draft.finish(to, { slugColumn: 'slug' });
    if (outcome !== 'SKIPPED' && 'record' in outcome && outcome.record.kind === 'product' && first.says('id')) {
      outcome.record.data.id = first.get('id');
    }
    return outcome;
  },
};

const keyOf = (row: Row) => row.get('id') || row.get('slug');

function addVariant(draft: ProductDraft, row: Row, to: Conversion): void {
  const markets = [...row.columns()].flatMap((column) => {
    const [, field, id] = MARKET.exec(column) ?? [];
    if (field !== 'price' || !row.says(column)) return [];
    const known = to.markets.find((market) => market.id.toLowerCase() === id);
    const currency = row.get(`currency:${id}`) || known?.currency;
    if (!currency) {
      draft.errors.push(
        wrong(row.number, `currency:${id}`, 'REQUIRED', `currency:${id} is required beside ${column}.`),
      );
      return [];
    }
    if (!/^[A-Za-z]{3}$/.test(currency)) {
      draft.errors.push(
        wrong(row.number, `currency:${id}`, 'INVALID_FORMAT', 'A currency has three letters, like usd.'),
      );
      return [];
    }
    return draft.marketPrice(row, column, `compareatprice:${id}`, { id: known?.id ?? id!, name: '', currency });
  });
  const attributes = jsonAt<never>(draft, row, 'attributes');
  const gallery = jsonAt<never>(draft, row, 'variantgallery');
  const quantity = draft.quantity(row, 'quantity');
  const threshold = draft.quantity(row, 'lowstockthreshold');
  const hasInventory = row.says('tracked') || quantity !== undefined || threshold !== undefined;
  draft.addVariant(row, {
    ...(row.says('variantid') ? { id: name(row, 'variantid') } : {}),
    ...(row.has('variantname') ? { name: text(row, 'variantname') } : {}),
    ...(row.has('sku') ? { sku: text(row, 'sku') } : {}),
    ...(attributes === undefined ? {} : { attributes }),
    ...(markets.length > 0 ? { pricing: { markets } } : {}),
    ...(hasInventory
      ? {
          inventory: {
            ...(row.says('tracked') ? { tracked: isYes(row.get('tracked')) } : {}),
            ...(quantity === undefined ? {} : { quantity }),
            ...(threshold === undefined ? {} : { lowStockThreshold: threshold }),
          },
        }
      : {}),
    ...(gallery === undefined ? {} : { gallery }),
  });
}

const CUSTOMER_COLUMNS = new Set([
  'id',
  'email',
  'name',
  'phone',
  'addresses',
  'tags',
  'note',
  'consentsource',
  'consentat',
  'createdat',
]);

export const ownCustomers: CsvFormat = {
  name: 'souk',
  label: 'Export of Souk',
  type: 'customers',
  recognises: (columns) => columns.has('email') && columns.has('name') && !columns.has('first name'),
  takes: (column) => CUSTOMER_COLUMNS.has(column),
  convert([row], to) {
    const r = row!;
    const addresses = r.says('addresses') ? valueOfCell(text(r, 'addresses'), false) : undefined;
    if (r.says('addresses') && addresses === undefined)
      return {
        errors: [
          wrong(r.number, 'addresses', 'INVALID_JSON', 'addresses is not valid JSON. Write it as the export does.'),
        ],
      };
    const tags = valueOfCell(text(r, 'tags'), true);
    const source = text(r, 'consentsource');
    return customerOf(
      r.number,
      {
        id: r.get('id') || undefined,
        createdAt: secondsOf(r.get('createdat')),
        input: {
          ...(r.says('email') ? { email: text(r, 'email') } : {}),
          ...(r.has('name') ? { name: text(r, 'name') } : {}),
          ...(r.says('phone') ? { phone: text(r, 'phone') } : {}),
          ...(addresses === undefined ? {} : { addresses: addresses as never }),
          ...(r.has('tags')
            ? {
                tags: Array.isArray(tags)
                  ? tags
                  : textOf(tags)
                      .split(',')
                      .map((tag) => tag.trim())
                      .filter(Boolean),
              }
            : {}),
          ...(r.has('note') ? { note: text(r, 'note') } : {}),
        },
        ...(source === '' ? {} : { consentSource: source, consentAt: secondsOf(r.get('consentat')) }),
      },
      to,
    );
  },
};

const SUBSCRIBER_COLUMNS = new Set([
  'id',
  'newsletter',
  'email',
  'name',
  'planid',
  'status',
  'consentsource',
  'consent',
  'consentat',
  'createdat',
]);

export const ownSubscribers: CsvFormat = {
  name: 'souk',
  label: 'Export of Souk',
  type: 'subscribers',
  recognises: (columns) => columns.has('email') && !columns.has('subscribed_to_emails'),
  takes: (column) => SUBSCRIBER_COLUMNS.has(column),
  convert([row], to) {
    const r = row!;
    const source = text(r, r.has('consentsource') ? 'consentsource' : 'consent') || to.consent;
    return subscriberOf(
      r.number,
      {
        ...(r.says('id') ? { id: r.get('id') } : {}),
        ...(r.says('newsletter') ? { newsletter: r.get('newsletter') } : {}),
        email: text(r, 'email').trim(),
        ...(r.has('name') ? { name: text(r, 'name') } : {}),
        ...(r.says('planid') ? { planId: name(r, 'planid') } : {}),
        ...(r.says('status') ? { status: r.get('status') as 'ACTIVE' } : {}),
        ...(source ? { consent: { source, at: secondsOf(r.get('consentat')) ?? to.now } } : {}),
        createdAt: secondsOf(r.get('createdat')),
      },
      to,
    );
  },
};

const ENTRY_COLUMNS = new Set(['id', 'collection', 'locale', 'status', 'createdat', 'blocks']);

export const ownEntries: CsvFormat = {
  name: 'souk',
  label: 'Export of Souk',
  type: 'entries',
  recognises: (columns) =>
    columns.has('id') && [...columns.keys()].some((column) => column === 'blocks' || column.startsWith('blocks.')),
  takes: (column) => ENTRY_COLUMNS.has(column) || column.startsWith('blocks.'),
  convert([row], given) {
    const r = row!;
    const to = { ...given, collection: given.collections.get(r.get('collection')) ?? given.collection };
    if (!to.collection)
      return {
        errors: [
          wrong(
            r.number,
            'collection',
            'NOT_FOUND',
            'The row names no collection. Say with collectionId where entries go.',
          ),
        ],
      };
    const errors = [];
    const whole = r.says('blocks') ? valueOfCell(text(r, 'blocks'), false) : undefined;
    if (r.says('blocks') && !Array.isArray(whole))
      errors.push(wrong(r.number, 'blocks', 'INVALID_JSON', 'blocks is not valid JSON. Write it as the export does.'));
    const blocks = Array.isArray(whole) ? whole : [];
    for (const { id, type } of whole === undefined ? to.collection.blocks : []) {
      const column = `blocks.${id.toLowerCase()}`;
      if (!r.has(column)) continue;
      const isText = type === 'TEXT' || type === 'SELECT' || type === 'RELATIONSHIP';
      const value = valueOfCell(text(r, column), isText);
      if (value === undefined)
        errors.push(wrong(r.number, column, 'INVALID_TYPE', `The cell does not fit a block of type ${type}.`));
      blocks.push({ id, type, value });
    }
    if (errors.length > 0) return { errors };
    return entryOf(
      r.number,
      {
        ...(r.says('id') ? { id: r.get('id') } : { key: `row:${r.number}:${cellOf(blocks)}` }),
        blocks: blocks as never,
        locale: r.get('locale') || undefined,
        status: r.get('status') || undefined,
        createdAt: secondsOf(r.get('createdat')),
      },
      to,
    );
  },
};
