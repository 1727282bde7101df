import type { AppServices, Command, Steps } from '../../context/index.ts';
import { type Configs, getBusiness, raiseLastNumber } from '../../domains/businesses/index.ts';
import { listSellables, type Product, saveAvailability } from '../../domains/catalog/index.ts';
import { derivedColumns, raiseOrderNumber } from '../../domains/orders/index.ts';
import { countImportedUses, createPromo, findPromoByCode } from '../../domains/pricing/index.ts';
import { insertRows } from '../rows.ts';
import { type Book, createBook } from './book.ts';
import type { CustomerNote } from './customers.ts';
import { type PlannedOrder, PROMO_CODE } from './planned-order.ts';
import type { Delivery } from './stock-plan.ts';

export type Plan = {
  orders: readonly PlannedOrder[];
  deliveries: readonly Delivery[];
  customerNotes: readonly CustomerNote[];
};

/** Simulates the plan in memory. */
export async function buildBook(
  ctx: Steps<AppServices>,
  { configs, products, plan }: { configs: Configs; products: readonly Product[]; plan: Plan },
): Promise<Book> {
  const { db, businessId, caller } = ctx;
  const refs = products.flatMap(({ id, variants }) => variants.map((each) => ({ productId: id, variantId: each.id })));
  const [business, sellables, promo] = await Promise.all([
    getBusiness(ctx, businessId),
    listSellables(db, businessId, refs, ctx.publicUrl()),
    findPromoByCode(db, businessId, PROMO_CODE.toLowerCase(), caller.userId),
  ]);
  const book = createBook({ ctx, business: { ...business, configs }, products, sellables, promo: promo! });
  for (const act of timeline(plan, book)) await act();
  return book;
}

/** All steps of the plan in chronological order. */
function timeline({ orders, deliveries, customerNotes }: Plan, book: Book): (() => unknown)[] {
  const ids = new Map<PlannedOrder, string>();
  return [
    ...deliveries.map((delivery) => ({ at: delivery.at, act: () => book.receive(delivery) as unknown })),
    ...customerNotes.map((entry) => ({ at: entry.at, act: () => book.addNote(entry) })),
    ...orders.map((order) => ({ at: order.at, act: async () => ids.set(order, await book.place(order)) })),
    ...orders.flatMap((order) =>
      order.steps.map((step) => ({ at: step.at, act: () => book.apply(ids.get(order)!, step, order.person) })),
    ),
  ]
    .sort((a, b) => a.at - b.at)
    .map(({ act }) => act);
}

export async function addPromo(ctx: Command<AppServices>): Promise<void> {
  await createPromo(ctx, {
    code: PROMO_CODE,
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    conditions: [{ type: 'MAX_USES_PER_USER', value: 1 }],
  });
}

/** Inserts everything except the events. */
export async function insertBook(
  { db: tx, businessId }: Command<AppServices>,
  { rows, customers }: Book,
): Promise<void> {
  const { orders, payments, refunds, documents, ledger, promoUses } = rows;
  const moved = rows.moved();
  await Promise.all([
    insertRows(tx, 'users', customers.users),
    insertRows(tx, 'customers', customers.rows()),
    insertRows(
      tx,
      'orders',
      [...orders.values()].map((order) => ({ ...order, ...derivedColumns(order), docBytes: tx.json(order.doc).bytes })),
    ),
    insertRows(tx, 'payments', [...payments.values()]),
    insertRows(tx, 'refunds', refunds),
    insertRows(tx, 'documents', documents),
    ...[...Map.groupBy(documents, ({ series }) => series)].map(([series, { length }]) =>
      raiseLastNumber(tx, businessId, series, length),
    ),
    insertRows(tx, 'stock_ledger', ledger),
    tx`
      update stock s set quantity = m.quantity, changes = s.changes + m.changes, last_change = m.changes + 1
      from unnest(${moved.map(({ productId }) => productId)}::text[], ${moved.map(({ variantId }) => variantId)}::text[],
        ${moved.map(({ quantity }) => quantity)}::bigint[], ${moved.map(({ changes }) => changes)}::bigint[])
        as m (product_id, variant_id, quantity, changes)
      where s.business_id = ${businessId} and s.product_id = m.product_id and s.variant_id = m.variant_id`,
    saveAvailability(tx, businessId, [...new Set(moved.map(({ productId }) => productId))]),
    raiseOrderNumber(tx, businessId, orders.size),
    countImportedUses(tx, businessId, promoUses),
  ]);
}
