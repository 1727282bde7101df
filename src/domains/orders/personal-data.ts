/**
 * Personal data in orders. Erasure keeps the amounts for accounting and removes names, addresses, custom fields, tags and notes.
 * Invoices and credit notes stay as they are, because tax law requires them to be kept unchanged.
 */
import type { Kept, Person, PersonalDataHolder } from '../../context/personal-data.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { eraseEntriesOf, listEntriesOf } from '../content/index.ts';
import { erasePayers } from '../payments/index.ts';
import { eraseEntries, listEntriesOfOrders } from './bank-transfer/queries.ts';
import type { OrderServices } from './context.ts';
import { countDocuments, type DocumentRow, listDocumentRows, numberOf } from './documents/queries.ts';
import { ORDER_PURPOSE, type OrderRow, viewNewOrder } from './order.ts';
import { ExportedOrder } from './personal-data-schemas.ts';
import { columns, lockOrder, writeOrder } from './queries.ts';
import { eraseReturnTexts, listReturnsOf } from './returns/queries.ts';
import { viewReturn } from './returns/return.ts';
import { withShipments } from './shipments/change-shipments.ts';
import { shipmentsOf } from './shipments/fulfillment.ts';
import type { Shipment } from './shipments/schemas.ts';

const BATCH = 100;
const PAGE = 50;
const FINISHED = new Set(['DELIVERED', 'CANCELLED', 'REFUNDED']);

export const orderData: PersonalDataHolder<OrderServices> = {
  name: 'orders',
  record: ExportedOrder,
  async find(db, businessId, id) {
    const rows = await db`select from orders where business_id = ${businessId} and customer_id = ${id} limit 1`;
    if (rows.length === 0) return null;
    // Staff may create an order for a user whose email is unknown to the business, or for a customer record.
    return id.startsWith('cust_') ? { userId: null, customerId: id, emails: [] } : { userId: id, emails: [] };
  },
  async businessesOf(db, businessIds, person) {
    const rows = await db<{ businessId: string }[]>`
      select distinct business_id from orders
      where business_id = any(${businessIds as string[]}) and ${isPerson(db, person)}
        and created_at >= ${person.since ?? 0}`;
    return rows.map((row) => row.businessId);
  },
  async list({ db, businessId }, person, after) {
    const ids = await listIds(db, businessId, person, after, PAGE);
    const rows = await db<OrderRow[]>`
      select ${columns(db)} from orders where business_id = ${businessId} and id = any(${ids}) order by id`;
    const payments = await listEntriesOfOrders(db, businessId, ids);
    const items: object[] = [];
    for (const row of rows) {
      const entries = await listEntriesOf(db, businessId, [`order:${row.id}`]);
      const returns = (await listReturnsOf(db, businessId, row.id)).map((each) => viewReturn(each, row, null));
      const documents = (await listDocumentRows(db, businessId, row.id)).map(exportDocument);
      const notes = row.doc.notes ?? [];
      const bankEntries = payments.filter(({ orderId }) => orderId === row.id);
      items.push({ ...viewNewOrder(row), number: row.number, notes, returns, documents, bankEntries, entries });
    }
    return { items, next: ids.length < PAGE ? null : ids.at(-1)! };
  },
  async erase(ctx, person, after) {
    const { db: tx, businessId } = ctx;
    const ids = await listIds(tx, businessId, person, after, BATCH);
    let unfinished = 0;
    for (const id of ids) {
      const order = await lockOrder(tx, businessId, id);
      if (!order) continue;
      await eraseOrder(tx, order);
      if (!FINISHED.has(order.status)) unfinished++;
    }
    await eraseEntries(tx, businessId, ids);
    const openPayments = await erasePayers(tx, businessId, {
      purpose: ORDER_PURPOSE,
      references: ids,
      paymentIds: ids,
    });
    const entries = await eraseEntriesOf(
      ctx,
      ids.map((id) => `order:${id}`),
    );
    const kept: Kept[] = [
      { what: 'orders', count: ids.length, reason: 'ACCOUNTING' },
      { what: 'documents', count: await countDocuments(tx, businessId, ids), reason: 'TAX_LAW' },
      { what: 'openOrders', count: unfinished, reason: 'ORDER_OPEN' },
      { what: 'openPayments', count: openPayments, reason: 'PAYMENT_OPEN' },
    ];
    return {
      erased: ids.length,
      kept: kept.filter(({ count }) => count > 0),
      entities: [...ids.map((id) => `order:${id}`), ...entries],
      next: ids.length < BATCH ? null : ids.at(-1)!,
    };
  },
};

function exportDocument(document: DocumentRow): object {
  const { id, type, issuedAt, total, currency, snapshot } = document;
  const { buyer, buyerEmail, shipTo } = snapshot;
  return { id, type, number: numberOf(document), issuedAt, total, currency, buyer, buyerEmail, shipTo };
}

/** Status entries and shipments keep their user IDs, which identify the staff member behind each change. */
async function eraseOrder(tx: Tx, order: OrderRow): Promise<void> {
  const { businessId, id, doc } = order;
  const { shippingAddress: _, billingAddress: __, notes: ___, tags: ____, ...amounts } = doc;
  const erased = { ...withShipments(amounts, shipmentsOf(order).map(eraseTracking)), blocks: [] };
  await writeOrder(tx, { ...order, customerEmail: null, doc: erased, version: order.version + 1 });
  await tx`delete from order_tags where business_id = ${businessId} and order_id = ${id}`;
  await eraseReturnTexts(tx, businessId, id);
}

/**
 * Keeps the carrier, and the tracking number if it is mostly digits. Staff can enter any text, such as a name, and a URL can contain one.
 */
function eraseTracking({ tracking = {}, ...shipment }: Shipment): Shipment {
  const { carrier, number = '' } = tracking;
  const digits = number.replace(/\D/g, '').length;
  const isCode = digits > 0 && digits * 2 >= number.replace(/\s/g, '').length;
  const kept = { ...(carrier ? { carrier } : {}), ...(isCode ? { number } : {}) };
  return Object.keys(kept).length > 0 ? { ...shipment, tracking: kept } : shipment;
}

/** An SQL condition on orders. */
const isPerson = (db: Db, { userId, customerId = null, emails }: Person) =>
  db`(customer_id = ${userId} or customer_id = ${customerId} or customer_email = any(${emails as string[]}))`;

/** Sorted by ID, which is also the lock order. */
async function listIds(
  db: Db,
  businessId: string,
  person: Person,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from orders where business_id = ${businessId} and ${isPerson(db, person)}
      ${after === null ? db`` : db`and id > ${after}`}
    order by id limit ${limit}`;
  return rows.map((row) => row.id);
}
