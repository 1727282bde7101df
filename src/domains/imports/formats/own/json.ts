/** Our own NDJSON exports: records as the API returns them, and the records of a whole business, each with its kind. */
import { isRecord } from '../../../../shared/is-record.ts';
import { type Conversion, type JsonFormat, type Outcome, rowError, textOf } from '../format.ts';
import { customerOf, subscriberOf } from '../people.ts';

const MAX_SECONDS = 253_402_300_799;
const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_SECONDS;

const previousOf = (value: Record<string, unknown>) => ({
  ...(typeof value.id === 'string' ? { id: value.id } : {}),
  ...(isTime(value.createdAt) ? { createdAt: value.createdAt } : {}),
  ...(isTime(value.updatedAt) ? { updatedAt: value.updatedAt } : {}),
});

type Convert = JsonFormat['convert'];

const productJson: Convert = (value, row) => {
  const variants = (Array.isArray(value.variants) ? value.variants : []) as { sku?: string }[];
  return {
    record: {
      kind: 'product',
      data: { ...previousOf(value), input: value as never },
      keys: [
        ...(typeof value.slug === 'string' ? [{ key: `slug:${value.slug}`, field: 'slug', row }] : []),
        ...variants.flatMap((variant, i) =>
          isRecord(variant) && typeof variant.sku === 'string' && variant.sku !== ''
            ? [{ key: `sku:${variant.sku}`, field: `variants[${i}].sku`, row }]
            : [],
        ),
      ],
    },
  };
};

const customerJson: Convert = (value, row, to) => customerOf(row, { ...previousOf(value), input: value as never }, to);

/** `consentOf` selects the consent to import: only source and time, or all fields for the export of a whole business. */
const subscriberWith =
  (consentOf: (consent: Record<string, unknown>) => Record<string, unknown>): Convert =>
  (value, row, to) => {
    const owner = textOf(value.entity).replace(/^collection:/, '');
    const consent = isRecord(value.consent) && isTime(value.consent.at) ? consentOf(value.consent) : null;
    return subscriberOf(
      row,
      {
        ...previousOf(value),
        ...(to.collections.has(owner) ? { newsletter: owner } : {}),
        email: textOf(value.email),
        name: textOf(value.name),
        planId: textOf(value.planId),
        status: textOf(value.status) as 'ACTIVE',
        ...(Array.isArray(value.tags) ? { tags: value.tags.map(textOf) } : {}),
        ...(isRecord(value.fields) ? { fields: value.fields as Record<string, string> } : {}),
        ...(typeof value.timeZone === 'string' ? { timeZone: value.timeZone } : {}),
        ...(value.doNotTrack === true ? { doNotTrack: true } : {}),
        ...(isTime(value.referrals) ? { referrals: value.referrals } : {}),
        ...(consent
          ? { consent: consent as never }
          : to.consent && textOf(value.status) === 'ACTIVE'
            ? { consent: { source: to.consent, at: to.now } }
            : {}),
      },
      to,
    );
  };

const subscriberJson = subscriberWith(({ source, at }) => ({ source: textOf(source), at }));
const trustedSubscriber = subscriberWith((consent) => consent);

const entryJson: Convert = (value, row, given) => {
  const owner = textOf(value.owner).replace(/^collection:/, '');
  const collection = given.collections.get(owner) ?? given.collection;
  if (!collection)
    return {
      errors: [
        rowError(
          row,
          'owner',
          'NOT_FOUND',
          'The collection of this entry does not exist in this business. Choose the collection to import entries into.',
        ),
      ],
    };
  const id = textOf(value.id);
  return {
    record: {
      kind: 'entry',
      data: { ...previousOf(value), id, input: { ...value, owner: undefined, collectionId: collection.id } as never },
      keys: [{ key: `id:${id}`, field: 'id', row }],
    },
  };
};

const pastOrderJson: Convert = (value, row) => ({
  record: {
    kind: 'pastOrder',
    data: { input: value as never },
    keys: [{ key: `order:${textOf(value.id)}`, field: 'id', row }],
  },
});

const json = (type: JsonFormat['type'], isRecognized: JsonFormat['isRecognized'], convert: Convert): JsonFormat => ({
  name: 'souk',
  label: 'Souk export',
  type,
  isRecognized,
  convert,
});

export const ownJson: readonly JsonFormat[] = [
  json('products', (sample) => 'name' in sample && 'variants' in sample, productJson),
  json('orders', (sample) => Array.isArray(sample.lines) && Array.isArray(sample.statuses), pastOrderJson),
  json('customers', (sample) => 'email' in sample || 'addresses' in sample, customerJson),
  json('subscribers', (sample) => 'email' in sample, subscriberJson),
  json('entries', (sample) => 'id' in sample && 'owner' in sample && 'blocks' in sample, entryJson),
  json('business', (sample) => sample.kind === 'business' && 'data' in sample, businessRecord),
];

/** Records can refer to later records and to files that get new IDs here, so references are not checked. */
function withoutReferenceChecks(outcome: Outcome): Outcome {
  if (!('record' in outcome)) return outcome;
  const { record } = outcome;
  if (record.kind === 'entry' || record.kind === 'product' || record.kind === 'subscriber')
    record.data.isTrusted = true;
  return outcome;
}

/** Adds the price history that only the export of a business has. Rows that are incomplete or in the future are dropped. */
function withPriceHistory(outcome: Outcome, { priceHistory }: Record<string, unknown>, now: number): Outcome {
  if (!('record' in outcome) || outcome.record.kind !== 'product' || !Array.isArray(priceHistory)) return outcome;
  const isAmount = (value: unknown) => value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
  const isKey = (value: unknown) => typeof value === 'string' && /^[^\0]{1,64}$/.test(value);
  outcome.record.data.history = priceHistory
    .filter(
      (row) =>
        isRecord(row) &&
        [row.variantId, row.market, row.currency].every(isKey) &&
        [row.amount, row.compareAt].every(isAmount) &&
        isTime(row.since) &&
        row.since <= now,
    )
    .map(({ variantId, market, currency, amount, compareAt, since }) => ({
      variantId,
      market,
      currency,
      amount,
      compareAt,
      since,
    }))
    .sort((a, b) => a.since - b.since);
  return outcome;
}

/** Other entries belong to an order, or to a reservation in another system. */
const isCollectionEntry = (entry: Record<string, unknown>) => textOf(entry.owner).startsWith('collection:');

const ownedEntry: Convert = (value, row) => ({
  record: {
    kind: 'entry',
    data: { ...previousOf(value), id: textOf(value.id), input: value as never },
    keys: [{ key: `id:${textOf(value.id)}`, field: 'id', row }],
  },
});

const orderJson: Convert = (value, row) => ({
  record: {
    kind: 'order',
    data: { input: value as never },
    keys: [
      { key: `id:${textOf(value.id)}`, field: 'id', row },
      { key: `number:${textOf(value.number)}`, field: 'number', row },
    ],
  },
});

const documentJson: Convert = (value, row) => ({
  record: {
    kind: 'document',
    data: { input: value as never },
    keys: [
      { key: `id:${textOf(value.id)}`, field: 'id', row },
      { key: `document:${textOf(value.series)}${textOf(value.sequence)}`, field: 'sequence', row },
    ],
  },
});

/** Moves scheduled statuses that have come due into the history, and drops failed ones. */
function withDueStatuses(data: Record<string, unknown>, now: number): Record<string, unknown> {
  if (!Array.isArray(data.scheduled) || !Array.isArray(data.statuses)) return data;
  const { scheduled, statuses } = data;
  const isDue = (entry: unknown) => isRecord(entry) && isTime(entry.timestamp) && entry.timestamp <= now;
  const isPending = (entry: unknown) => !isDue(entry) && !(isRecord(entry) && 'error' in entry);
  const due = scheduled.filter((entry) => isDue(entry) && !('error' in entry));
  return { ...data, statuses: [...statuses, ...due], scheduled: scheduled.filter(isPending) };
}

/** The warning that the sender address gets a new key: exports don't contain private keys. */
const newKey = (row: number) =>
  rowError(
    row,
    'address',
    'DROPPED',
    'The private key of the sender address is not part of an export. If the address is new to this business, a new key was generated: publish its DNS records.',
  );

/** Reports kinds that this version doesn't support. */
function businessRecord(value: Record<string, unknown>, row: number, to: Conversion): Outcome {
  const { kind } = value;
  if (!isRecord(value.data))
    return { errors: [rowError(row, 'data', 'REQUIRED', 'The record has no data field. Export the business again.')] };
  const data = withDueStatuses(value.data, to.now);
  switch (kind) {
    case 'product':
      return withPriceHistory(withoutReferenceChecks(productJson(data, row, to)), data, to.now);
    case 'customer':
      return customerJson(data, row, to);
    case 'subscription':
      return withoutReferenceChecks(trustedSubscriber(data, row, to));
    case 'entry':
      return withoutReferenceChecks((isCollectionEntry(data) ? entryJson : ownedEntry)(data, row, to));
    case 'order':
      return orderJson(data, row, to);
    case 'document':
      return documentJson(data, row, to);
    case 'sender':
      return { record: { kind, data: { previous: {}, input: data }, keys: [], warnings: [newKey(row)] } };
    case 'business':
    case 'orders':
    case 'role':
    case 'mailTemplate':
    case 'collection':
    case 'category':
    case 'automation':
    case 'form':
    case 'redirect':
    case 'segment':
    case 'suppression':
    case 'promoCode':
    case 'member':
      return { record: { kind, data: { previous: previousOf(data), input: data }, keys: [] } };
    default:
      return {
        skipped: [
          rowError(row, 'kind', 'UNSUPPORTED', `Records of kind “${textOf(kind).slice(0, 40)}” are not supported.`),
        ],
      };
  }
}
