/** Our own CSV exports. Must read everything that `exports/tables.ts` writes. */

import { isRecord } from '../../../shared/is-record.ts';
import type { EntrySettings } from '../../content/index.ts';
import { cellOf, isTextType, plainCell, valueOfCell } from './cells.ts';
import { entryOf } from './entry-blocks.ts';
import { type Conversion, type CsvFormat, isYes, type Row, rowError, secondsOf, textOf } from './format.ts';
import { customerOf, subscriberOf } from './people.ts';
import { ProductDraft } from './product-draft.ts';
import { isStatusColumn, statusOfWord } from './subscription-status.ts';

const text = (row: Row, column: string) => plainCell(row.raw(column));
/** Trimmed and unescaped: a name chosen by a user can start like a formula. */
const name = (row: Row, column: string) => plainCell(row.get(column));
const MARKET = /^(price|currency|compareatprice):(.+)$/;

const PRODUCT_COLUMNS = new Set([
  ...[
    'id',
    'slug',
    'name',
    'description',
    'category',
    'taxclassid',
    'status',
    'gallery',
    'blocks',
    'variantid',
    'variantname',
    'sku',
  ],
  ...['attributes', 'tracked', 'quantity', 'lowstockthreshold', 'variantgallery'],
  ...['requiresshipping', 'weight', 'barcode', 'hscode', 'origincountry', 'unitpricing'],
  ...['descriptionhtml', 'categoryids', 'relatedids', 'seo', 'translations', 'manufacturer', 'safety'],
]);

const DETAILS = ['categoryIds', 'relatedIds', 'seo', 'translations', 'manufacturer', 'safety'] as const;

/** Parses a JSON cell. Records an error and returns undefined if it is invalid. */
function jsonAt<T>(draft: ProductDraft, row: Row, column: string): T | undefined {
  if (!row.hasValue(column)) return undefined;
  const value = valueOfCell(text(row, column), false);
  if (value === undefined)
    draft.errors.push(
      rowError(row.number, column, 'INVALID_JSON', `${column} is not valid JSON. Use the same format as in an export.`),
    );
  return value as T | undefined;
}

export const ownProducts: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'products',
  isRecognized: (columns) => columns.has('slug') && columns.has('name') && columns.has('variantid'),
  reads: (column) => PRODUCT_COLUMNS.has(column) || MARKET.test(column),
  isContinuation: (rows, row) => keyOf(row) !== '' && keyOf(row) === keyOf(rows[0]!),
  convert(rows, to) {
    const first = rows[0]!;
    const draft = new ProductDraft(first, {
      'variants.sku': 'sku',
      'variants.pricing': 'price',
      'variants.inventory': 'quantity',
    });
    const { input } = draft;
    for (const field of ['name', 'slug'] as const) if (first.hasValue(field)) input[field] = text(first, field);
    for (const field of ['description', 'category'] as const) if (first.has(field)) input[field] = text(first, field);
    if (first.hasValue('taxclassid')) input.taxClassId = text(first, 'taxclassid');
    if (first.hasValue('status')) input.status = first.get('status') as 'ACTIVE';
    const gallery = jsonAt<{ id?: string; url?: string }[]>(draft, first, 'gallery');
    if (gallery) input.gallery = gallery as never;
    if (first.hasValue('descriptionhtml')) input.descriptionHtml = text(first, 'descriptionhtml');
    for (const field of DETAILS) {
      const value = jsonAt<never>(draft, first, field.toLowerCase());
      if (value !== undefined) input[field] = value;
    }
    const blocks = jsonAt<never>(draft, first, 'blocks');
    if (blocks) input.blocks = blocks;
    for (const row of rows) if (row.hasValue('variantid') || row.hasValue('sku')) addVariant(draft, row, to);
    const outcome = draft.finish(to, { slugColumn: 'slug' });
    if ('record' in outcome && outcome.record.kind === 'product' && first.hasValue('id')) {
      outcome.record.data.id = first.get('id');
    }
    return outcome;
  },
};

const keyOf = (row: Row) => row.get('id') || row.get('slug');

function addVariant(draft: ProductDraft, row: Row, to: Conversion): void {
  const markets = [...row.columns()].flatMap((column) => {
    const [, field, id] = MARKET.exec(column) ?? [];
    if (field !== 'price' || !row.hasValue(column)) return [];
    const known = to.markets.find((market) => market.id.toLowerCase() === id);
    const currency = row.get(`currency:${id}`) || known?.currency;
    if (!currency) {
      draft.errors.push(
        rowError(row.number, `currency:${id}`, 'REQUIRED', `currency:${id} is required together with ${column}.`),
      );
      return [];
    }
    if (!/^[A-Za-z]{3}$/.test(currency)) {
      draft.errors.push(
        rowError(
          row.number,
          `currency:${id}`,
          'INVALID_FORMAT',
          'A currency must be a three-letter code, for example usd.',
        ),
      );
      return [];
    }
    return draft.marketPrice(row, column, `compareatprice:${id}`, { id: known?.id ?? id!, name: '', currency });
  });
  const attributes = jsonAt<never>(draft, row, 'attributes');
  const gallery = jsonAt<never>(draft, row, 'variantgallery');
  const unitPricing = jsonAt<never>(draft, row, 'unitpricing');
  const quantity = draft.quantity(row, 'quantity');
  const threshold = draft.quantity(row, 'lowstockthreshold');
  const hasInventory = row.hasValue('tracked') || quantity !== undefined || threshold !== undefined;
  draft.addVariant(row, {
    ...(row.hasValue('variantid') ? { id: name(row, 'variantid') } : {}),
    ...(row.has('variantname') ? { name: text(row, 'variantname') } : {}),
    ...(row.has('sku') ? { sku: text(row, 'sku') } : {}),
    ...(attributes === undefined ? {} : { attributes }),
    ...(unitPricing === undefined ? {} : { unitPricing }),
    ...(markets.length > 0 ? { pricing: { markets } } : {}),
    ...(hasInventory
      ? {
          inventory: {
            ...(row.hasValue('tracked') ? { tracked: isYes(row.get('tracked')) } : {}),
            ...(quantity === undefined ? {} : { quantity }),
            ...(threshold === undefined ? {} : { lowStockThreshold: threshold }),
          },
        }
      : {}),
    ...(gallery === undefined ? {} : { gallery }),
    ...shippingOf(draft, row),
  });
}

function shippingOf(draft: ProductDraft, row: Row) {
  const weight = draft.quantity(row, 'weight');
  return {
    ...(row.hasValue('requiresshipping') ? { requiresShipping: isYes(row.get('requiresshipping')) } : {}),
    ...(weight === undefined ? {} : { weight }),
    ...(row.hasValue('barcode') ? { barcode: text(row, 'barcode') } : {}),
    ...(row.hasValue('hscode') ? { hsCode: text(row, 'hscode') } : {}),
    ...(row.hasValue('origincountry') ? { originCountry: text(row, 'origincountry') } : {}),
  };
}

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
    const jsonIn = (column: string) => (r.hasValue(column) ? valueOfCell(text(r, column), false) : undefined);
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
    const source = text(r, 'consentsource');
    return customerOf(
      r.number,
      {
        id: r.get('id') || undefined,
        createdAt: secondsOf(r.get('createdat')),
        input: {
          ...(r.hasValue('email') ? { email: text(r, 'email') } : {}),
          ...(r.has('name') ? { name: text(r, 'name') } : {}),
          ...(r.hasValue('phone') ? { phone: text(r, 'phone') } : {}),
          ...(addresses === undefined ? {} : { addresses: addresses as never }),
          ...(shippingAddress === undefined ? {} : { shippingAddress: shippingAddress as never }),
          ...(billingAddress === undefined ? {} : { billingAddress: billingAddress as never }),
          ...(r.has('tags') ? { tags: tagsIn(r) } : {}),
          ...(r.has('note') ? { note: text(r, 'note') } : {}),
        },
        ...(source === '' ? {} : { consentSource: source, consentAt: secondsOf(r.get('consentat')) }),
      },
      to,
      { consent: 'consentsource' },
    );
  },
};

/** A list of texts separated by commas, or JSON. */
function tagsIn(row: Row): string[] {
  const tags = valueOfCell(text(row, 'tags'), true);
  if (Array.isArray(tags)) return tags.map(textOf);
  return textOf(tags)
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}

const OWN_FIELD = 'fields.';

/** A column with all fields as JSON, or one column for each: `fields.city`. Null if the JSON is invalid. */
function fieldsIn(row: Row): Record<string, string> | null {
  const whole = row.hasValue('fields') ? valueOfCell(text(row, 'fields'), false) : {};
  if (!isRecord(whole)) return null;
  const columns = [...row.columns()].filter((column) => column.startsWith(OWN_FIELD) && row.hasValue(column));
  const single = columns.map((column) => [column.slice(OWN_FIELD.length), name(row, column)]);
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
    const status = r.hasValue('status') ? (statusOfWord(r.get('status')) ?? (r.get('status') as 'ACTIVE')) : undefined;
    // The caller states consent only for people who get emails.
    const stated = status === undefined || status === 'ACTIVE' ? to.consent : null;
    const source = text(r, r.has('consentsource') ? 'consentsource' : 'consent') || stated;
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
        email: text(r, 'email').trim(),
        ...(r.has('name') ? { name: text(r, 'name') } : {}),
        ...(r.hasValue('planid') ? { planId: name(r, 'planid') } : {}),
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

const ENTRY_COLUMNS = new Set([
  ...['id', 'collection', 'locale', 'status', 'createdat', 'slug', 'access', 'planids', 'seotitle', 'seodescription'],
  'blocks',
]);

/** Empty cells keep the current values. */
function settingsIn(r: Row): EntrySettings {
  const title = text(r, 'seotitle');
  const description = text(r, 'seodescription');
  return {
    ...(r.hasValue('slug') ? { slug: r.get('slug') } : {}),
    ...(r.hasValue('access') ? { access: r.get('access') as NonNullable<EntrySettings['access']> } : {}),
    ...(r.hasValue('planids') ? { planIds: r.get('planids').split(',') } : {}),
    ...(title || description ? { seo: { ...(title && { title }), ...(description && { description }) } } : {}),
  };
}

export const ownEntries: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'entries',
  isRecognized: (columns) =>
    columns.has('id') && [...columns.keys()].some((column) => column === 'blocks' || column.startsWith('blocks.')),
  reads: (column) => ENTRY_COLUMNS.has(column) || column.startsWith('blocks.'),
  convert([row], given) {
    const r = row!;
    const to = { ...given, collection: given.collections.get(r.get('collection')) ?? given.collection };
    if (!to.collection)
      return {
        errors: [
          rowError(
            r.number,
            'collection',
            'NOT_FOUND',
            'The row has no collection. Choose the collection to import entries into.',
          ),
        ],
      };
    const errors = [];
    const whole = r.hasValue('blocks') ? valueOfCell(text(r, 'blocks'), false) : undefined;
    if (r.hasValue('blocks') && !Array.isArray(whole))
      errors.push(
        rowError(r.number, 'blocks', 'INVALID_JSON', 'blocks is not valid JSON. Use the same format as in an export.'),
      );
    const blocks = Array.isArray(whole) ? whole : [];
    for (const { id, type } of whole === undefined ? to.collection.blocks : []) {
      const column = `blocks.${id.toLowerCase()}`;
      if (!r.has(column)) continue;
      const value = valueOfCell(text(r, column), isTextType(type));
      if (value === undefined)
        errors.push(rowError(r.number, column, 'INVALID_TYPE', `The cell is not valid for a block of type ${type}.`));
      blocks.push({ id, type, value });
    }
    if (errors.length > 0) return { errors };
    return entryOf(
      r.number,
      {
        ...(r.hasValue('id') ? { id: r.get('id') } : { key: `row:${r.number}:${cellOf(blocks)}` }),
        blocks: blocks as never,
        locale: r.get('locale') || undefined,
        status: r.get('status') || undefined,
        createdAt: secondsOf(r.get('createdat')),
        settings: settingsIn(r),
        columnOf: (id) => (r.has('blocks') ? 'blocks' : id && `blocks.${id.toLowerCase()}`),
      },
      to,
    );
  },
};
