import type { Json } from './components.ts';

/** The time-ordered part of the example IDs. */
const SUFFIX = '01jd3x8q6kz5v0n4t7w2m9c1ab';
const GENERIC = new RegExp(`^[a-z]+_${SUFFIX}$`);

/** ID prefixes by record, as in the names of fields, schemas and path segments. */
const PREFIXES: Record<string, string> = {
  automation: 'aut',
  bankStatement: 'bst',
  statement: 'bst',
  business: 'biz',
  cart: 'cart',
  category: 'cat',
  categoryAncestor: 'cat',
  collection: 'col',
  planCollection: 'col',
  customer: 'cust',
  subject: 'cust',
  entry: 'ent',
  alternative: 'ent',
  erasure: 'ers',
  import: 'imp',
  invitation: 'inv',
  key: 'key',
  apiToken: 'key',
  publishableKey: 'key',
  media: 'media',
  mediaItem: 'media',
  blockMedia: 'media',
  image: 'media',
  form: 'form',
  signupForm: 'form',
  order: 'ord',
  orderUpdate: 'ord',
  matchedOrder: 'ord',
  exchangeOrder: 'ord',
  passkey: 'pky',
  addedPasskey: 'pky',
  product: 'prod',
  promoCode: 'promo',
  condition: 'prod',
  quote: 'quote',
  redirect: 'rdr',
  refund: 'rfd',
  release: 'rel',
  role: 'role',
  defaultRole: 'role',
  segment: 'seg',
  send: 'snd',
  sendStarted: 'snd',
  session: 'ses',
  supportSession: 'ses',
  status: 'st',
  statusEntry: 'st',
  scheduledStatus: 'st',
  contentStatusEntry: 'st',
  orderStatusEntry: 'st',
  paymentStatusEntry: 'st',
  productStatusEntry: 'st',
  scheduledContentStatus: 'st',
  scheduledProductStatus: 'st',
  subscriber: 'sub',
  subscription: 'sub',
  ownSubscription: 'sub',
  subscriberDetail: 'sub',
  suppression: 'sup',
  upload: 'upl',
  largeUpload: 'upl',
  user: 'usr',
  assignee: 'usr',
  supportBy: 'usr',
  webhook: 'whk',
};

/** All records use the same ID schema. Gives each example the prefix of its record. */
export function nameExampleIds(document: Json): void {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const [name, schema] of Object.entries(schemas)) rename(schema, recordOf(name));
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
    for (const operation of Object.values(operations)) {
      const record = recordOf(segmentBefore(path, '{id}'));
      for (const parameter of (operation.parameters ?? []) as Json[]) {
        const owner = parameter.name === 'id' ? record : recordOf(String(parameter.name));
        renameExamples(parameter, owner);
        rename(parameter.schema, owner);
      }
      rename(operation.requestBody, record);
      rename(operation.responses, record);
    }
  }
}

/** `record` is the record that contains the schema. An `id` is its own, and `userId` is the ID of a user. */
function rename(value: unknown, record: string): void {
  if (Array.isArray(value)) for (const item of value) rename(item, record);
  else if (typeof value === 'object' && value !== null) {
    const schema = value as Json;
    renameExamples(schema, record);
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Json)) {
      rename(property, name === 'id' ? record : recordOf(name) in PREFIXES ? recordOf(name) : record);
    }
    for (const [key, inner] of Object.entries(schema)) {
      if (key !== 'properties' && key !== 'examples' && key !== 'example') rename(inner, record);
    }
  }
}

function renameExamples(schema: Json, record: string): void {
  const prefix = PREFIXES[record];
  const named = (example: unknown) =>
    prefix && typeof example === 'string' && GENERIC.test(example) ? `${prefix}_${SUFFIX}` : example;
  if (Array.isArray(schema.examples)) schema.examples = schema.examples.map(named);
  if (schema.example !== undefined) schema.example = named(schema.example);
}

/** `Listed` and `New` are variants of a record: `ListedOrder`, `roleIds`, `promo-codes`, `statuses`. */
function recordOf(name: string): string {
  // The customer of an order is a user.
  if (name === 'customerId') return 'user';
  const single = name
    .replace(/^(?:Listed|New|Seen|Public)(?=[A-Z])/, '')
    .replace(/(?<=[a-z])Ids?$/, '')
    .replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const plural = {
    categories: 'category',
    entries: 'entry',
    statuses: 'status',
    businesses: 'business',
    paymentStatus: 'status',
  }[single];
  return plural ?? (single in PREFIXES ? single : single.replace(/s$/, ''));
}

const segmentBefore = (path: string, parameter: string) => {
  const segments = path.split('/');
  return segments[segments.indexOf(parameter) - 1] ?? '';
};
