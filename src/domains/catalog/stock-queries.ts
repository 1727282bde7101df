import type { Db, Tx } from '../../db/sql.ts';
import type { Product } from './schemas.ts';

export type StockLine = { productId: string; variantId: string; quantity: number };
export type StockReason = 'ORDER' | 'CANCEL' | 'ADJUST' | 'SET';
export type StockMove = {
  businessId: string;
  lines: readonly StockLine[];
  reason: StockReason;
  /** What caused it, such as an order's id. */
  reference: string | null;
  /** Who caused it; null: the system. */
  userId: string | null;
  nowSeconds: number;
};
/** A line that asked for more than there is; `quantity` is what all lines of that variant asked for together. */
export type LackingLine = StockLine & { available: number };

/**
 * Takes all lines or nothing, in one statement. Empty: all were taken. Else the lines that lacked (a variant that is not
 * there lacks too), and no quantity has changed. Lines of the same variant count together; untracked variants never lack.
 * Rows are locked in the order of product and variant, so that two baskets cannot wait for each other in a circle.
 */
export async function takeStock(tx: Tx, move: StockMove): Promise<LackingLine[]> {
  if (move.lines.length === 0) return [];
  const lacking = await tx<LackingLine[]>`
    ${takenLines(tx, move)}
    select product_id, variant_id, quantity, available from lacking order by product_id, variant_id`;
  return [...lacking];
}

/** The same for a transaction in one trip: aborts it with LACKING and the lines that lacked. */
export const takeStockOrAbort = (tx: Tx, move: StockMove) => tx`
  ${takenLines(tx, move)}
  select abort_transaction('LACKING', jsonb_agg(jsonb_build_object('productId', product_id, 'variantId', variant_id,
    'quantity', quantity, 'available', available))::text)
  from lacking having count(*) > 0`;

const takenLines = (tx: Tx, move: StockMove) => tx`
  with asked as (${askedLines(tx, move)}),
  locked as (${lockedRows(tx, move)}),
  lacking as (
    select a.product_id, a.variant_id, a.quantity, coalesce(l.quantity, 0) as available
    from asked a left join locked l using (product_id, variant_id)
    where l.product_id is null or (l.tracked and l.quantity < a.quantity)
  ),
  taken as (
    update stock s set quantity = s.quantity - l.asked
    from locked l
    where s.business_id = ${move.businessId} and s.product_id = l.product_id and s.variant_id = l.variant_id
      and s.tracked and not exists (select from lacking)
    returning s.product_id, s.variant_id, -l.asked as change, s.quantity
  ),
  noted as (${ledgerRows(tx, move, 'taken')})`;

/** Puts the lines back where they came from. What is no longer there, or no longer tracked, is left alone. */
export async function returnStock(tx: Tx, move: StockMove): Promise<void> {
  if (move.lines.length === 0) return;
  await tx`
    with asked as (${askedLines(tx, move)}),
    locked as (${lockedRows(tx, move)}),
    returned as (
      update stock s set quantity = s.quantity + l.asked
      from locked l
      where s.business_id = ${move.businessId} and s.product_id = l.product_id and s.variant_id = l.variant_id
        and s.tracked
      returning s.product_id, s.variant_id, l.asked as change, s.quantity
    )
    ${ledgerRows(tx, move, 'returned')}`;
}

/** Each variant once, with the sum of its lines. */
function askedLines(tx: Tx, move: StockMove) {
  const sums = new Map<string, StockLine>();
  for (const { productId, variantId, quantity } of move.lines) {
    const key = `${productId} ${variantId}`;
    sums.set(key, { productId, variantId, quantity: quantity + (sums.get(key)?.quantity ?? 0) });
  }
  const lines = [...sums.values()];
  return tx`
    select * from unnest(${lines.map((line) => line.productId)}::text[], ${lines.map((line) => line.variantId)}::text[],
      ${lines.map((line) => line.quantity)}::bigint[]) as line (product_id, variant_id, quantity)`;
}

/** The rows as they are once nobody else can change them, and what is asked of them. */
const lockedRows = (tx: Tx, { businessId }: StockMove) => tx`
  select s.product_id, s.variant_id, s.tracked, s.quantity, a.quantity as asked
  from asked a join stock s using (product_id, variant_id)
  where s.business_id = ${businessId}
  order by s.product_id, s.variant_id
  for update of s`;

const ledgerRows = (tx: Tx, move: StockMove, changes: 'taken' | 'returned') => tx`
  insert into stock_ledger
    (business_id, product_id, variant_id, change, quantity, reason, reference, user_id, created_at)
  select ${move.businessId}, product_id, variant_id, change, quantity, ${move.reason}, ${move.reference},
    ${move.userId}, ${move.nowSeconds}::bigint
  from ${tx(changes)}`;

/** The stock of a new product, from the quantities in it. */
export async function insertStock(tx: Tx, product: Product, userId: string, nowSeconds: number): Promise<void> {
  if (product.variants.length === 0) return;
  await Promise.all([
    upsertStock(tx, product),
    insertChanges(tx, product, changesOf(null, product), userId, nowSeconds),
  ]);
}

/** Brings the stock to what `product` says; `current` was read under the lock of these rows. */
export async function saveStock(
  tx: Tx,
  current: Product,
  product: Product,
  userId: string,
  nowSeconds: number,
): Promise<void> {
  const kept = product.variants.map(({ id }) => id);
  await Promise.all([
    tx`delete from stock where business_id = ${product.businessId} and product_id = ${product.id}
      and not variant_id = any(${kept})`,
    upsertStock(tx, product),
    insertChanges(tx, product, changesOf(current, product), userId, nowSeconds),
  ]);
}

type Change = { variantId: string; change: number; quantity: number };

/** By how much each quantity changes; a variant that is dropped goes to 0. */
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
    insert into stock
      (business_id, product_id, variant_id, sku, tracked, quantity, low_stock_threshold)
    select ${businessId}, ${id}, variant_id, nullif(sku, ''), tracked::boolean, quantity, low_stock_threshold
    from unnest(
      ${variants.map((variant) => variant.id)}::text[], ${variants.map(({ sku }) => sku)}::text[], ${variants.map(({ inventory }) => String(inventory.tracked))}::text[],
      ${variants.map(({ inventory }) => inventory.quantity)}::bigint[],
      ${variants.map(({ inventory }) => inventory.lowStockThreshold ?? null) as number[]}::bigint[]
    ) as v (variant_id, sku, tracked, quantity, low_stock_threshold)
    on conflict (business_id, product_id, variant_id) do update
      set sku = excluded.sku, tracked = excluded.tracked, quantity = excluded.quantity,
        low_stock_threshold = excluded.low_stock_threshold`;
}

async function insertChanges(
  tx: Tx,
  { businessId, id }: Product,
  changes: Change[],
  userId: string,
  nowSeconds: number,
): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    insert into stock_ledger (business_id, product_id, variant_id, change, quantity, reason, user_id, created_at)
    select ${businessId}, ${id}, variant_id, change, quantity, 'SET', ${userId}, ${nowSeconds}::bigint
    from unnest(${changes.map(({ variantId }) => variantId)}::text[], ${changes.map(({ change }) => change)}::bigint[],
      ${changes.map(({ quantity }) => quantity)}::bigint[]) as c (variant_id, change, quantity)`;
}

export type StockRow = { tracked: boolean; quantity: number; lowStockThreshold: number | null };

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
