/** A person who has left personal data everywhere, and a search for it in the whole database. */
import assert from 'node:assert/strict';
import { GOOD_PASSWORD, registered } from '../accounts/people.ts';
import type { Harness } from '../harness.ts';
import { confirmLink, ok } from '../newsletters/fixture.ts';
import { press } from '../orders/shop.ts';

/** Words that no other test writes. */
export const PERSONAL_DATA = {
  name: 'Wilhelmina Quackenbush',
  phone: '+4915112349876',
  street: 'Zwetschgenallee 77',
  gift: 'For my dear Leopoldine',
  note: 'Prefers Darjeeling',
  vatId: 'FR40303265045',
};

/** The words that must not remain after an erasure. */
export const wordsOf = (email: string) => [
  email,
  ...Object.values(PERSONAL_DATA),
  'Quackenbush',
  'Wilhelmina',
  '15112349876',
];

export type Business = Awaited<ReturnType<typeof openBusiness>>;

/** Creates a shop with a newsletter and an ADMIN. */
export async function openBusiness(h: Harness) {
  const businessId = await h.business({ orderBlocks: [] });
  const admin = await h.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}` as const;
  const post = <P extends string>(path: P, body: object) =>
    ok(h.call('POST', `${base}/${path}`, { token: admin.token, body }));
  const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 1000 }] };
  const variants = [{ id: 'main', name: 'Main', pricing, inventory: { tracked: false } }];
  const product = await post('products', { name: 'Mug', statuses: [{ status: 'ACTIVE' }], variants });
  const newsletter = await post('collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    statuses: [{ status: 'PUBLISHED' }],
    settings: { doubleOptIn: true },
    blocks: [{ id: 'title', type: 'TEXT' }],
    plans: [{ id: 'free', name: 'Free' }],
  });
  return { businessId, admin, base, post, productId: product.id as string, newsletterId: newsletter.id as string };
}

/** Registers a confirmed account with a name, phone number and address. */
export async function register(h: Harness, email: string) {
  const person = await registered(h, email);
  const { body } = await person.login();
  const change = {
    name: PERSONAL_DATA.name,
    phoneNumbers: [PERSONAL_DATA.phone],
    addresses: [{ street: PERSONAL_DATA.street, city: 'Ulm', name: PERSONAL_DATA.name, vatId: PERSONAL_DATA.vatId }],
    apiTokens: [{ id: 'own', name: `Key of ${PERSONAL_DATA.name}` }],
  };
  await ok(h.call('PUT', '/v1/users/update', { token: body.accessToken, body: change }));
  await h.call('POST', '/v1/users/forgot-password', { body: { email } });
  return { userId: body.userId as string, email, token: body.accessToken as string, password: GOOD_PASSWORD };
}

export type Account = Awaited<ReturnType<typeof register>>;

const text = (id: string, value: string) => ({ id, key: id, type: 'TEXT', value });

/** Orders, subscribes, receives emails, gets a customer record and an invitation. */
export async function createPersonalData(h: Harness, business: Business, { email, token }: Account) {
  const { base, admin, post, productId, newsletterId, businessId } = business;
  const blocks = [text('address', `${PERSONAL_DATA.name}, ${PERSONAL_DATA.street}`), text('gift', PERSONAL_DATA.gift)];
  const items = [{ productId, variantId: 'main', quantity: 2 }];
  const address = {
    street: PERSONAL_DATA.street,
    name: PERSONAL_DATA.name,
    phone: PERSONAL_DATA.phone,
    vatId: PERSONAL_DATA.vatId,
  };
  const addresses = { shippingAddress: address, billingAddress: address };
  const cart = { businessId, market: 'us', paymentMethod: 'CREDIT_CARD', items, blocks, ...addresses };
  const order = await ok(
    h.call('POST', `${base}/orders/checkout`, { token, body: cart, headers: { 'idempotency-key': 'first' } }),
  );
  await press(order.checkoutUrl!, 'pay');
  const guest = await h.guest();
  const typed = { ...cart, email };
  const asGuest = await ok(h.call('POST', `${base}/orders/checkout`, { token: guest.token, body: typed }));
  const tracking = { carrier: 'Post', number: 'Wilhelmina Quackenbush 1' };
  const code = {
    carrier: 'Post',
    number: 'RR 4711 0815 DE',
    url: `https://post.example/${PERSONAL_DATA.name.replace(' ', '-')}`,
  };
  const shipment = { lines: [{ lineId: 'line_1', quantity: 1 }], tracking: code };
  const mistake = await post(`orders/${order.orderId}/shipments`, { ...shipment, tracking });
  await ok(h.call('DELETE', `${base}/orders/${order.orderId}/shipments/${mistake.id}`, { token: admin.token }));
  await post(`orders/${order.orderId}/shipments`, shipment);
  await ok(
    h.call('PUT', `${base}/orders/${order.orderId}/status`, {
      token: admin.token,
      body: { status: 'SHIPPED', tracking },
    }),
  );
  await post(`orders/${order.orderId}/refund`, { amount: 100, reason: `${PERSONAL_DATA.name} complained` });
  await post('entries', { owner: `order:${order.orderId}`, blocks: [text('note', PERSONAL_DATA.note)] });
  await h.drain();

  const subscription = { email, planId: 'free', name: PERSONAL_DATA.name };
  await ok(h.call('POST', `${base}/collections/${newsletterId}/subscribe`, { token: guest.token, body: subscription }));
  const page = await confirmLink(h, email);
  assert.equal((await fetch(page, { method: 'POST', headers: { accept: 'text/html' } })).status, 200);
  const entry = await post('entries', {
    collectionId: newsletterId,
    blocks: [{ id: 'title', type: 'TEXT', value: 'News' }],
    statuses: [{ status: 'PUBLISHED' }],
  });
  await post(`entries/${entry.id}/send`, {});
  const { items: found } = await ok(h.call('GET', `${base}/customers?query=${email}`, { token: admin.token }));
  // The guest who entered the email has a record too.
  const customer = found.find(({ hasAccount }) => hasAccount);
  const record = {
    name: PERSONAL_DATA.name,
    phone: PERSONAL_DATA.phone,
    addresses: [address],
    ...addresses,
    note: PERSONAL_DATA.note,
  };
  await ok(h.call('PUT', `${base}/customers/${customer!.id}`, { token: admin.token, body: record }));
  const { items: roles } = await ok(h.call('GET', `/v1/roles?businessId=${businessId}`, { token: admin.token }));
  await post('invitation', { email, roleIds: [roles[0]!.id] });
  await h.drain();
  return { orderId: order.orderId, guestOrderId: asGuest.orderId, customerId: customer!.id };
}

/** Lists the columns that contain one of these words, in any table: `schema.table.column`. */
export async function findTraces(h: Harness, words: readonly string[]): Promise<string[]> {
  const columns = await h.pool<{ schema: string; table: string; column: string; isBytes: boolean }[]>`
    select n.nspname as schema, c.relname as table, a.attname as column, t.typname = 'bytea' as is_bytes
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid
    where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind = 'r' and a.attnum > 0
      and not a.attisdropped and (t.typcategory in ('S', 'A') or t.typname in ('json', 'jsonb', 'tsvector', 'bytea'))`;
  assert.ok(columns.length > 150 && columns.some(({ schema, column }) => schema === 'jobs' && column === 'data'));
  const found: string[] = [];
  for (const { schema, table, column, isBytes } of columns) {
    const value = isBytes ? h.pool`encode(${h.pool([column])}, 'escape')` : h.pool`${h.pool([column])}::text`;
    const rows = await h.pool`
      select from ${h.pool([`${schema}.${table}`])}
      where exists (
        select from unnest(${words as string[]}::text[]) as trace_searched_for where strpos(lower(${value}), lower(trace_searched_for)) > 0)
      limit 1`;
    if (rows.length > 0) found.push(`${schema}.${table}.${column}`);
  }
  return found.sort();
}
