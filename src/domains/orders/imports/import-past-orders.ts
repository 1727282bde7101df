/**
 * Imports the order history of a business from a file of orders. Like `importOrders`, it has no side effects. The business can
 * already be in use: existing orders stay as they are, an order whose number is taken gets the next free one, and there are no events
 * about individual orders, so that webhooks are not flooded.
 */
import type { FieldError } from '../../../shared/errors.ts';
import { derivedId } from '../../../shared/ids.ts';
import type { PartialAddress } from '../../../shared/schemas.ts';
import { ensureCustomers } from '../../businesses/index.ts';
import { findVariantsBySku } from '../../catalog/index.ts';
import type { Command } from '../context.ts';
import type { OrderRow } from '../order.ts';
import { composeOrder, insertComposed, type OrderImport } from './import-orders.ts';
import { listExisting, listTakenNumbers, lockOrderNumber, raiseOrderNumber } from './queries.ts';

export type PastOrderImport = OrderImport & {
  /** The customer, to find or create their record. Missing if there is a `customerId`. */
  person?: {
    email?: string;
    name?: string;
    phone?: string;
    shippingAddress?: PartialAddress;
    billingAddress?: PartialAddress;
  } | null;
  /** Identifies a person without an email. */
  personKey?: string;
  /** False if the order has no plain number in the other system: it gets the next free one. */
  hasNumber?: boolean;
  /** Links items to the product with their SKU. */
  linksProducts?: boolean;
};

type PastOrderOutcome =
  | { result: 'CREATED' | 'UNCHANGED'; id: string; warnings?: FieldError[] }
  | { errors: FieldError[] };

/** Returns one outcome per record, in input order. Lock order: customers, number counter. */
export async function importPastOrders(ctx: Command, records: readonly PastOrderImport[]): Promise<PastOrderOutcome[]> {
  const { db: tx, businessId } = ctx;
  const existing = new Map(
    (
      await listExisting(
        tx,
        businessId,
        records.map(({ input }) => input.id),
      )
    ).map((row) => [row.id, row]),
  );
  const fresh = records.filter(({ input }) => !existing.has(input.id));
  const linked = await linkProducts(ctx, await linkCustomers(ctx, fresh));
  const composed = new Map(linked.map((record) => [record.input.id, composeOrder(ctx, record)]));
  const valid = [...composed.values()].flatMap((each) => ('order' in each ? [each] : []));
  const unnumbered = new Set(linked.flatMap(({ input, hasNumber = true }) => (hasNumber ? [] : [input.id])));
  const numbered = await assignNumbers(
    ctx,
    valid.map(({ order }) => order),
    unnumbered,
  );
  const written = new Set(
    await insertComposed(
      ctx,
      valid.map((each, i) => ({ ...each, order: numbered[i]! })),
      { linksPromos: false },
    ),
  );
  const numbers = new Map(numbered.map(({ id, number }) => [id, number]));
  return records.map(({ input }): PastOrderOutcome => {
    const { id } = input;
    const found = existing.get(id);
    if (found) return { result: 'UNCHANGED', id, warnings: differences(found, input) };
    const each = composed.get(id)!;
    if ('errors' in each) return each;
    // Another import wrote it in the meantime.
    if (!written.has(id)) return { result: 'UNCHANGED', id };
    const number = numbers.get(id)!;
    const isMoved = number !== input.number && !unnumbered.has(id);
    return { result: 'CREATED', id, ...(isMoved ? { warnings: [moved(input.number, number)] } : {}) };
  });
}

/** Existing customer records are not changed. */
async function linkCustomers(ctx: Command, records: readonly PastOrderImport[]): Promise<PastOrderImport[]> {
  const people = records.flatMap(({ person, personKey = '', input }) =>
    person
      ? [
          {
            ...(person.email ? {} : { id: derivedId('cust', ctx.businessId, personKey) }),
            input: person,
            createdAt: input.createdAt,
          },
        ]
      : [],
  );
  const ids = await ensureCustomers(ctx, people);
  let at = 0;
  return records.map((record) =>
    record.person ? { ...record, input: { ...record.input, customerId: ids[at++]! } } : record,
  );
}

async function linkProducts(
  { db, businessId }: Command,
  records: readonly PastOrderImport[],
): Promise<PastOrderImport[]> {
  const skus = records.flatMap(({ linksProducts, input }) =>
    linksProducts ? input.lines.flatMap(({ sku }) => sku || []) : [],
  );
  const variants = await findVariantsBySku(db, businessId, [...new Set(skus)]);
  return records.map((record) => {
    if (!record.linksProducts) return record;
    const lines = record.input.lines.map((line) => ({ ...line, ...variants.get(line.sku ?? '') }));
    return { ...record, input: { ...record.input, lines } };
  });
}

/** The counter is locked first, so that no order placed in the meantime takes one of the numbers. */
async function assignNumbers(
  { db: tx, businessId }: Command,
  orders: readonly OrderRow[],
  unnumbered: ReadonlySet<string>,
): Promise<OrderRow[]> {
  if (orders.length === 0) return [];
  const last = await lockOrderNumber(tx, businessId);
  const taken = new Set(
    await listTakenNumbers(
      tx,
      businessId,
      orders.map(({ number }) => number),
    ),
  );
  const kept = new Set<string>();
  for (const { id, number } of orders) {
    if (taken.has(number) || unnumbered.has(id)) continue;
    taken.add(number);
    kept.add(id);
  }
  let next = Math.max(last, ...orders.filter(({ id }) => kept.has(id)).map(({ number }) => number));
  const numbered = orders.map((order) => (kept.has(order.id) ? order : renumbered(order, ++next)));
  await raiseOrderNumber(tx, businessId, next);
  return numbered;
}

/** The order keeps the number in the file as its source. */
const renumbered = (order: OrderRow, number: number): OrderRow => ({
  ...order,
  number,
  doc: { ...order.doc, source: order.doc.source ?? { system: 'souk', number: String(order.number) } },
});

const moved = (from: number, to: number): FieldError => ({
  field: 'number',
  error: 'NUMBER_CHANGED',
  message: `Another order has the number ${from}. This order was assigned number ${to}. You can search for either number.`,
});

/** The differences between the file and an existing order. */
function differences(found: OrderRow, input: OrderImport['input']): FieldError[] {
  const pairs: [string, string | number, string | number][] = [
    ['status', found.status, input.statuses.at(-1)!.status],
    ['payment', found.paymentStatus, input.paymentStatus.at(-1)!.status],
    ['total', found.doc.total, input.total],
    ['refunded', found.refunded, input.refunded],
  ];
  return pairs.flatMap(([field, old, now]) =>
    old === now
      ? []
      : [
          {
            field,
            error: 'KEPT',
            message: `The order already exists and was not changed: its ${field} is ${old}, but the file has ${now}.`,
          },
        ],
  );
}
