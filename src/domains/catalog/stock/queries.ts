import type { EventSource } from '../../../context/index.ts';
import { lockNames } from '../../../db/lock-name.ts';
import type { Db, Statement, Tx } from '../../../db/sql.ts';
import { isSoldOut, saveAvailability } from '../facets/queries.ts';
import type { Product } from '../products/schemas.ts';

export type StockLine = { productId: string; variantId: string; quantity: number };
type StockReason = 'ORDER' | 'CANCEL' | 'ADJUST' | 'SET';
type StockMove = {
  businessId: string;
  lines: readonly StockLine[];
  /** With ORDER, returned stock is recorded as CANCEL. */
  reason: 'ORDER' | 'ADJUST' | 'SET';
  /** The cause, such as an order ID. */
  reference: string | null;
  /** The acting user; null for the system. */
  userId: string | null;
  nowSeconds: number;
  /** Emits the low-stock events. */
  source: EventSource;
  /** False if no line had a low-stock threshold when it was read. Skips the low-stock check. */
  isWatched?: boolean;
};
/** A line with insufficient stock. `quantity` is the total requested across all lines of the variant. */
export type UnderstockedLine = StockLine & { available: number };

/**
 * Moves stock by signed quantities: negative takes, positive returns. Moves all lines or none. Returns an empty list on
 * success; otherwise the lines with insufficient stock (including unknown variants), and no quantity has changed. Lines of the
 * same variant are added up. Untracked variants never run short, and returns to them change nothing.
 * Rows are locked in order of product and variant, so that two moves can't deadlock.
 */
export async function moveStock(tx: Tx, move: StockMove): Promise<UnderstockedLine[]> {
  const changes = sumLines(move.lines);
  if (changes.length === 0) return [];
  const understocked = await tx<UnderstockedLine[]>`
    select product_id, variant_id, quantity, available from ${movedLines(tx, move, changes)}`;
  if (understocked.length === 0) await Promise.all(lowStockEvents(tx, move, changes));
  return [...understocked];
}

/** Takes all lines or none. Returns an empty list on success. */
export const takeStock = (tx: Tx, move: StockMove): Promise<UnderstockedLine[]> => moveStock(tx, asTaken(move));

/** The same for a pipelined transaction: aborts it with INSUFFICIENT_STOCK and the lines with insufficient stock. */
export function takeStockOrAbort(tx: Tx, move: StockMove): Statement<object[]>[] {
  const changes = sumLines(asTaken(move).lines);
  const taken = tx`
    select abort_transaction('INSUFFICIENT_STOCK', jsonb_agg(jsonb_build_object('productId', product_id,
      'variantId', variant_id, 'quantity', quantity, 'available', available))::text)
    from ${movedLines(tx, move, changes)} having count(*) > 0`;
  return [taken, ...lowStockEvents(tx, move, changes)];
}

/** Returns the lines to stock. */
export async function returnStock(tx: Tx, move: StockMove): Promise<void> {
  await moveStock(tx, move);
}

const asTaken = (move: StockMove): StockMove => ({
  ...move,
  lines: move.lines.map((line) => ({ ...line, quantity: -line.quantity })),
});

/** Adds up the lines of each variant and drops those that cancel out. Sorted: `move_stock` locks them in this order. */
function sumLines(lines: readonly StockLine[]): StockLine[] {
  const sums = new Map<string, StockLine>();
  for (const { productId, variantId, quantity } of lines) {
    const key = `${productId} ${variantId}`;
    sums.set(key, { productId, variantId, quantity: quantity + (sums.get(key)?.quantity ?? 0) });
  }
  const [keys, changed] = [[...sums.keys()].sort(), (line: StockLine) => line.quantity !== 0];
  return keys.map((key) => sums.get(key)!).filter(changed);
}

const columnsOf = (changes: StockLine[]) =>
  [
    changes.map((line) => line.productId),
    changes.map((line) => line.variantId),
    changes.map((line) => line.quantity),
  ] as const;

/** The lines with insufficient stock. Without any, the lines are moved and recorded in the ledger. */
const movedLines = (tx: Tx, move: StockMove, changes: StockLine[]) => {
  const [products, variants, quantities] = columnsOf(changes);
  return tx`move_stock(${move.businessId}, ${products}::text[], ${variants}::text[], ${quantities}::bigint[],
    ${move.reason}, ${move.reference}, ${move.userId}, ${move.nowSeconds})`;
};

/** Reads the moved rows, which are still locked. */
function lowStockEvents(tx: Tx, { businessId, source, isWatched = true }: StockMove, changes: StockLine[]) {
  if (!isWatched) return [];
  const [products, variants, quantities] = columnsOf(changes);
  return [
    tx`select emit_low_stock(${businessId}, ${products}::text[], ${variants}::text[], ${quantities}::bigint[], ${source.eventCause(tx)})`,
  ];
}

/** Creates the stock rows of a new product. */
export async function insertStock(tx: Tx, product: Product, userId: string, nowSeconds: number): Promise<void> {
  if (product.variants.length === 0) return;
  await Promise.all([
    upsertStock(tx, product),
    insertChanges(tx, product, changesOf(null, product), userId, nowSeconds),
  ]);
}

/** Sets the stock to the quantities in `product`. The caller must have read `current` under the lock. Returns the stock version. */
export async function saveStock(
  tx: Tx,
  current: Product,
  product: Product,
  userId: string | null,
  nowSeconds: number,
): Promise<number> {
  const kept = product.variants.map(({ id }) => id);
  await Promise.all([
    tx`delete from stock where business_id = ${product.businessId} and product_id = ${product.id}
      and not variant_id = any(${kept})`,
    upsertStock(tx, product),
    insertChanges(tx, product, changesOf(current, product), userId, nowSeconds),
    isSoldOut(current) === isSoldOut(product) ? undefined : saveAvailability(tx, product.businessId, [product.id]),
  ]);
  const [row] = await tx<{ version: number }[]>`
    select coalesce(sum(changes), 0)::bigint as version from stock
    where business_id = ${product.businessId} and product_id = ${product.id}`;
  return row!.version;
}

/** PostgreSQL's lock table holds a few thousand entries, and a release changes many products at once. */
const MAX_LOCKED_SKUS = 64;

/**
 * Serializes writers of the same SKUs before they check availability. The constraint is checked only after all rows of a
 * statement are inserted, so without this lock, concurrent writers would deadlock. Beyond the first 64 SKUs of a write, only
 * the constraint applies.
 */
export async function lockSkus(tx: Tx, businessId: string, skus: readonly string[]): Promise<void> {
  if (skus.length === 0) return;
  const names = skus.map((sku) => `sku ${businessId} ${sku}`).sort();
  await lockNames(tx, names.slice(0, MAX_LOCKED_SKUS));
}

/** The SKUs that a change adds. */
export function newSkus(current: Product | null, { variants }: Product): string[] {
  const before = new Set(current?.variants.map(({ sku }) => sku));
  return variants.map(({ sku }) => sku).filter((sku) => sku !== '' && !before.has(sku));
}

type Change = { variantId: string; change: number; quantity: number };

/** The change to each quantity. A dropped variant goes to 0. */
function changesOf(current: Product | null, product: Product): Change[] {
  const before = new Map(current?.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  const after = new Map(product.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((variantId) => {
      const quantity = after.get(variantId) ?? 0;
      return { variantId, quantity, change: quantity - (before.get(variantId) ?? 0) };
    })
    .filter(({ change }) => change !== 0);
}

async function upsertStock(tx: Tx, { businessId, id, variants }: Product): Promise<void> {
  await tx`
    insert into stock as s
      (business_id, product_id, variant_id, sku, tracked, quantity, low_stock_threshold)
    select ${businessId}, ${id}, variant_id, nullif(sku, ''), tracked::boolean, quantity, low_stock_threshold
    from unnest(
      ${variants.map((variant) => variant.id)}::text[], ${variants.map(({ sku }) => sku)}::text[], ${variants.map(({ inventory }) => String(inventory.tracked))}::text[],
      ${variants.map(({ inventory }) => inventory.quantity)}::bigint[],
      ${variants.map(({ inventory }) => inventory.lowStockThreshold ?? null) as number[]}::bigint[]
    ) as v (variant_id, sku, tracked, quantity, low_stock_threshold)
    on conflict (business_id, product_id, variant_id) do update
      set sku = excluded.sku, tracked = excluded.tracked, quantity = excluded.quantity,
        changes = s.changes + (s.quantity <> excluded.quantity)::int,
        low_stock_threshold = excluded.low_stock_threshold`;
}

/** Requires the lock on the stock rows. */
async function insertChanges(
  tx: Tx,
  { businessId, id }: Product,
  changes: Change[],
  userId: string | null,
  nowSeconds: number,
): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    select record_stock_change(${businessId}, ${id}, variant_id, change, quantity, 'SET', null, ${userId}, ${nowSeconds})
    from unnest(${changes.map(({ variantId }) => variantId)}::text[], ${changes.map(({ change }) => change)}::bigint[],
      ${changes.map(({ quantity }) => quantity)}::bigint[]) as c (variant_id, change, quantity)`;
}

type StockRow = { tracked: boolean; quantity: number; lowStockThreshold: number | null };

export async function findStock(db: Db, businessId: string, productId: string, variantId: string) {
  const [row] = await db<StockRow[]>`
    select tracked, quantity, low_stock_threshold from stock
    where business_id = ${businessId} and product_id = ${productId} and variant_id = ${variantId}`;
  return row ?? null;
}

export type LedgerRow = {
  id: number;
  change: number;
  quantity: number;
  reason: StockReason;
  reference: string | null;
  userId: string | null;
  createdAt: number;
};

/** Newest first. */
export const listLedger = (
  db: Db,
  businessId: string,
  productId: string,
  variantId: string,
  before: number | null,
  limit: number,
) => db<LedgerRow[]>`
  select id, change, quantity, reason, reference, user_id, created_at from stock_ledger
  where business_id = ${businessId} and product_id = ${productId} and variant_id = ${variantId}
    ${before === null ? db`` : db`and id < ${before}`}
  order by id desc limit ${limit}`;

/** By SKU. */
export async function findVariantsBySku(
  db: Db,
  businessId: string,
  skus: readonly string[],
): Promise<Map<string, { productId: string; variantId: string }>> {
  if (skus.length === 0) return new Map();
  const rows = await db<{ sku: string; productId: string; variantId: string }[]>`
    select sku, product_id, variant_id from stock where business_id = ${businessId} and sku = any(${skus as string[]})`;
  return new Map(rows.map(({ sku, ...variant }) => [sku, variant]));
}
