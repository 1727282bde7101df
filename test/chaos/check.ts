/** Compares the database with the responses that clients got and with the records of the other systems. */
import { hasAdmin } from '../../src/domains/businesses/roles/queries.ts';
import type { Shop } from './clients.ts';
import type { History } from './history.ts';
import type { Team } from './team.ts';
import type { World } from './world.ts';

type OrderRow = {
  id: string;
  number: number;
  status: string;
  paymentStatus: string;
  holds: boolean;
  paid: number;
  refunded: number;
  total: number;
  units: number;
  productId: string;
  promoCode: string | null;
  customerId: string;
  shipped: number;
};

/** Adds the sentence to the violations if `isTrue` is false. */
type Expect = (isTrue: boolean, sentence: string) => void;
type Checked = { world: World; shop: Shop; history: History; orders: OrderRow[]; expect: Expect };

/** The violations, and how much was checked. */
export async function check(world: World, shop: Shop, team: Team, history: History) {
  const violations = [...history.violations];
  const expect: Expect = (isTrue, sentence) => {
    if (!isTrue) violations.push(sentence);
  };
  const orders = await world.pool<OrderRow[]>`
    select id, number, status, payment_status, holds, paid, refunded, total, customer_id, doc->>'promoCode' as promo_code,
      (doc #>> '{lines,0,quantity}')::int as units, doc #>> '{lines,0,productId}' as product_id,
      (select coalesce(sum((l->>'quantity')::int), 0)::int
       from jsonb_array_elements(coalesce(doc->'shipments', '[]')) s, jsonb_array_elements(s->'lines') l) as shipped
    from orders where business_id = ${shop.businessId} order by number`;
  const checked: Checked = { world, shop, history, orders, expect };
  checkOrders(checked);
  await checkStock(checked);
  await checkCodes(checked);
  expect(await hasAdmin(world.pool.db, team.businessId), 'a business has no ADMIN');
  return {
    violations,
    summary: {
      orders: orders.length,
      paid: orders.filter(({ paid }) => paid > 0).length,
      refunds: world.stripe.refunds.size,
      documents: await checkMoney(checked),
      ...(await checkEvents(checked)),
      ...(await checkNewsletters(checked)),
    },
  };
}

/** Whether the numbers start at 1 and have no gaps. */
const isGapless = (numbers: number[]) => numbers.every((number, i) => number === i + 1);

function checkOrders({ history, orders, expect }: Checked): void {
  const byId = new Map(orders.map((order) => [order.id, order]));
  for (const [key, ids] of history.checkouts) {
    expect(ids.size === 1, `the Idempotency-Key ${key} created ${ids.size} orders`);
    for (const id of ids) expect(byId.has(id), `order ${id} was confirmed and does not exist`);
  }
  expect(isGapless(orders.map(({ number }) => number)), 'order numbers have a gap or a duplicate');
  for (const { id, units, shipped } of orders) {
    expect(shipped <= units, `order ${id} has shipped ${shipped} of ${units}`);
  }
  for (const id of history.shipments) {
    expect(byId.get(id)!.shipped > 0, `a shipment of ${id} was confirmed and is missing`);
  }
}

async function checkStock({ world: { pool }, shop, history, orders, expect }: Checked): Promise<void> {
  for (const [i, productId] of shop.products.entries()) {
    const [row] = await pool<[{ quantity: number; ledger: number; added: number }]>`
      select s.quantity, coalesce(sum(change), 0)::bigint as ledger,
        coalesce(sum(change) filter (where reason not in ('ORDER', 'CANCEL')), 0)::bigint as added
      from stock s left join stock_ledger l using (business_id, product_id, variant_id)
      where business_id = ${shop.businessId} and product_id = ${productId} group by s.quantity`;
    // A canceled order returns the units that were not shipped.
    const sold = orders
      .filter((order) => order.productId === productId)
      .reduce((sum, { holds, units, shipped }) => sum + (holds ? units : shipped), 0);
    const confirmed = shop.stock[i]! + (history.restocked.get(productId) ?? 0);
    expect(row.quantity >= 0, `product ${i} has a stock of ${row.quantity}`);
    expect(row.quantity === row.ledger, `product ${i}: stock ${row.quantity}, ledger ${row.ledger}`);
    expect(row.quantity + sold === row.added, `product ${i}: ${row.quantity} left and ${sold} sold of ${row.added}`);
    expect(row.added >= confirmed, `product ${i}: ${confirmed} units were confirmed, ${row.added} added`);
  }
}

async function checkCodes({ world: { pool }, shop, orders, expect }: Checked): Promise<void> {
  const [code] = await pool<[{ uses: number; maxUses: number; byCustomer: number }]>`
    select uses, max_uses, (select coalesce(sum(u.uses), 0)::bigint from promo_uses u
      where u.business_id = p.business_id and u.promo_id = p.id) as by_customer
    from promo_codes p where business_id = ${shop.businessId} and id = ${shop.codeId}`;
  const held = orders.filter(({ promoCode, holds }) => promoCode && holds);
  const discounted = held.filter(({ promoCode }) => promoCode === 'CHAOS').length;
  expect(code.uses <= code.maxUses, `the code was used ${code.uses} of ${code.maxUses} times`);
  expect(discounted <= code.maxUses, `${discounted} orders have a code with ${code.maxUses} uses`);
  const once = held.filter(({ promoCode }) => promoCode === 'ONCE');
  expect(
    new Set(once.map(({ customerId }) => customerId)).size === once.length,
    'a customer has used a code for one use twice',
  );
  expect(code.uses === code.byCustomer, `the code has ${code.uses} uses, ${code.byCustomer} of them by customers`);
}

/** Returns the number of invoices and credit notes. */
async function checkMoney({ world: { pool, stripe }, shop, history, orders, expect }: Checked): Promise<number> {
  const documents = await pool<{ orderId: string; type: string; total: number; series: string; sequence: number }[]>`
    select order_id, type, total, series, sequence from documents
    where business_id = ${shop.businessId} order by series, sequence`;
  for (const [series, rows] of Map.groupBy(documents, (row) => row.series)) {
    expect(isGapless(rows.map(({ sequence }) => sequence)), `series ${series} has a gap or a duplicate`);
  }
  const documentsOf = Map.groupBy(documents, (row) => row.orderId);
  const refundsOf = Map.groupBy(stripe.refunds.values(), (refund) => refund.payment_intent);
  for (const { id, status, paymentStatus, paid, refunded, total } of orders) {
    const own = documentsOf.get(id) ?? [];
    const invoices = own.filter(({ type }) => type === 'INVOICE').length;
    const documented = own.reduce((sum, each) => sum + (each.type === 'INVOICE' ? each.total : -each.total), 0);
    // Money for an order that was already canceled is refunded immediately, without an invoice.
    const isLate = own.length === 0 && status === 'CANCELLED' && paid === refunded;
    expect(isLate || invoices === (paid > 0 ? 1 : 0), `order ${id} (${paymentStatus}) has ${invoices} invoices`);
    expect(documented === paid - refunded, `order ${id}: documents for ${documented}, kept ${paid - refunded}`);
    expect(paid === 0 || paid === total, `order ${id}: paid ${paid} of ${total}`);
    expect(refunded >= (history.refunds.get(id) ?? 0), `order ${id}: a confirmed refund is missing`);
    const session = stripe.sessionOf(id);
    const received = session?.status === 'complete' ? session.amount_total : 0;
    const returned = (refundsOf.get(session?.payment_intent) ?? []).reduce((sum, { amount }) => sum + amount, 0);
    expect(
      received - returned === paid - refunded,
      `order ${id} (${paymentStatus}): the provider has ${received - returned}, the order ${paid - refunded}`,
    );
  }
  return documents.length;
}

async function checkEvents({ world: { pool, receiver }, shop, orders, expect }: Checked) {
  const events = await pool<{ position: number; entity: string; sequence: number; type: string }[]>`
    select position, entity, sequence, type from events where business_id = ${shop.businessId} order by position`;
  expect(isGapless(events.map(({ position }) => position)), 'event positions have a gap or a duplicate');
  for (const [entity, own] of Map.groupBy(events, (event) => event.entity)) {
    expect(isGapless(own.map(({ sequence }) => sequence)), `the events of ${entity} have a gap`);
  }
  const created = events.filter(({ type }) => type === 'order.created').map(({ entity }) => entity);
  expect(created.length === orders.length, `${orders.length} orders have ${created.length} order.created events`);
  expect(new Set(created).size === created.length, 'an order has two order.created events');
  const received = new Set(receiver.calls.map(({ event }) => `${event.entity} ${event.sequence}`));
  // The webhook gets the events after its own creation.
  const since = events.findIndex(({ type }) => type === 'webhook.created');
  const missing = events.slice(since + 1).filter(({ entity, sequence }) => !received.has(`${entity} ${sequence}`));
  expect(missing.length === 0, `${missing.length} events were not delivered, the first is ${missing[0]?.type}`);
  return { events: events.length, webhookCalls: receiver.calls.length };
}

async function checkNewsletters({ world: { pool, sink }, shop, expect }: Checked) {
  const sends = await pool<{ id: string; status: string; recipients: number }[]>`
    select id, status, recipients from sends where business_id = ${shop.businessId}`;
  for (const { id, status } of sends) expect(status === 'SENT', `send ${id} is ${status}`);
  const letters = sink.messages.filter(({ to }) => to.startsWith('reader'));
  const distinct = new Set(letters.map(({ to, messageId }) => `${to} ${messageId}`)).size;
  const expected = sends.reduce((sum, { recipients }) => sum + recipients, 0);
  expect(distinct === expected, `${distinct} of ${expected} newsletter emails arrived`);
  return { newsletterEmails: expected, sentTwice: letters.length - distinct };
}
