import type { EventSource } from '../../context/index.ts';
import { lockNames } from '../../db/lock-name.ts';
import type { Db, Statement, Tx } from '../../db/sql.ts';
import type { Product } from './schemas.ts';

export type StockLine = { productId: string; variantId: string; quantity: number };
type StockReason = 'ORDER' | 'CANCEL' | 'ADJUST' | 'SET';
type StockMove = {
  businessId: string;
  lines: readonly StockLine[];
  /** What an order puts back is noted as CANCEL. */
  reason: 'ORDER' | 'ADJUST';
  /** What caused it, such as an order's id. */
  reference: string | null;
  /** Who caused it; null: the system. */
  userId: string | null;
  nowSeconds: number;
  /** What runs low is told as by this. */
  source: EventSource;
  /** False: none of the lines had a threshold a moment ago, so nothing is looked for that runs low. */
  isWatched?: boolean;
};
/** A line that asked for more than there is; `quantity` is what all lines of that variant asked for together. */
export type LackingLine = StockLine & { available: number };

/**
 * Moves stock by signed quantities: below 0 is taken, above 0 is put back. All lines or nothing. Empty: all
 * were moved. Else the lines that lacked (a variant that is not there lacks too), and no quantity has changed. Lines of the
 * same variant count together; untracked variants never lack, and what is put back where nothing is tracked is left alone.
 * Rows are locked in the order of product and variant, so that two moves cannot wait for each other in a circle.
 */
export async function moveStock(tx: Tx, move: StockMove): Promise<LackingLine[]> {
  const changes = sumLines(move.lines);
  if (changes.length === 0) return [];
  const lacking = await tx<LackingLine[]>`
    ${movedLines(tx, move, changes)}
    select product_id, variant_id, quantity, available from lacking order by product_id, variant_id`;
  if (lacking.length === 0) await Promise.all(notesOf(tx, move, changes));
  return [...lacking];
}

/** Takes all lines or nothing. Empty: all were taken. */
export const takeStock = (tx: Tx, move: StockMove): Promise<LackingLine[]> => moveStock(tx, asTaken(move));

/** The same for a transaction in one trip: aborts it with LACKING and the lines that lacked. */
export function takeStockOrAbort(tx: Tx, move: StockMove): Statement<object[]>[] {
  const changes = sumLines(asTaken(move).lines);
  const [first, ...others] = changes;
  const taken = first && others.length === 0 ? takenLine(tx, move, first) : takenLines(tx, move, changes);
  return [taken, ...notesOf(tx, move, changes)];
}

/** `lacking` names the line, and what there is of it. */
const LACKING = `
  abort_transaction('LACKING', jsonb_agg(jsonb_build_object('productId', product_id, 'variantId', variant_id,
    'quantity', quantity, 'available', available))::text)`;

const takenLines = (tx: Tx, move: StockMove, changes: StockLine[]) => tx`
  ${movedLines(tx, move, changes)} select ${tx.text(LACKING)} from lacking having count(*) > 0`;

/** The same for one line, as most orders have: one row by its key, which costs half of it. */
const takenLine = (tx: Tx, { businessId }: StockMove, { productId, variantId, quantity: change }: StockLine) => {
  const here = tx`business_id = ${businessId} and product_id = ${productId} and variant_id = ${variantId}`;
  return tx`
    with locked as (select tracked, quantity from stock where ${here} for update),
    moved as (
      update stock set quantity = quantity + ${change}::bigint, changes = changes + 1
      where ${here} and exists (select from locked l where l.tracked and l.quantity + ${change}::bigint >= 0)
    ),
    lacking as (
      select ${productId}::text as product_id, ${variantId}::text as variant_id, ${-change}::bigint as quantity,
        coalesce((select quantity from locked), 0) as available
      where not exists (select from locked where not tracked or quantity + ${change}::bigint >= 0)
    )
    select ${tx.text(LACKING)} from lacking having count(*) > 0`;
};

/** Puts the lines back where they came from. */
export async function returnStock(tx: Tx, move: StockMove): Promise<void> {
  await moveStock(tx, move);
}

const asTaken = (move: StockMove): StockMove => ({
  ...move,
  lines: move.lines.map((line) => ({ ...line, quantity: -line.quantity })),
});

/** Each variant once, with the sum of its lines, unless that is 0. */
function sumLines(lines: readonly StockLine[]): StockLine[] {
  const sums = new Map<string, StockLine>();
  for (const { productId, variantId, quantity } of lines) {
    const key = `${productId} ${variantId}`;
    sums.set(key, { productId, variantId, quantity: quantity + (sums.get(key)?.quantity ?? 0) });
  }
  return [...sums.values()].filter(({ quantity }) => quantity !== 0);
}

const askedLines = (tx: Tx, changes: StockLine[]) => tx`
  select * from unnest(${changes.map((line) => line.productId)}::text[], ${changes.map((line) => line.variantId)}::text[],
    ${changes.map((line) => line.quantity)}::bigint[]) as line (product_id, variant_id, change)`;

/** `locked`: the rows as they are once nobody else can change them. */
const movedLines = (tx: Tx, { businessId }: StockMove, changes: StockLine[]) => tx`
  with asked as (${askedLines(tx, changes)}),
  locked as (
    select s.product_id, s.variant_id, s.tracked, s.quantity, a.change
    from asked a join stock s using (product_id, variant_id)
    where s.business_id = ${businessId}
    order by s.product_id, s.variant_id
    for update of s
  ),
  lacking as (
    select a.product_id, a.variant_id, -a.change as quantity, coalesce(l.quantity, 0) as available
    from asked a left join locked l using (product_id, variant_id)
    where a.change < 0 and (l.product_id is null or (l.tracked and l.quantity + a.change < 0))
  ),
  moved as (
    update stock s set quantity = s.quantity + l.change, changes = s.changes + 1
    from locked l
    where s.business_id = ${businessId} and s.product_id = l.product_id and s.variant_id = l.variant_id
      and s.tracked and not exists (select from lacking)
    returning s.product_id
  )`;

/**
 * What was moved, in the ledger and, where it has run low, told as an event. Statements of their own behind the one that moves:
 * Citus cannot insert from rows that are locked in the same statement. They find the rows as that one left them, and still locked.
 */
const notesOf = (
  tx: Tx,
  { businessId, reason, reference, userId, nowSeconds, source, isWatched = true }: StockMove,
  changes: StockLine[],
): Statement<object[]>[] => {
  const moved = movedFrom(tx, businessId, changes);
  const noted = tx`
    insert into stock_ledger
      (business_id, product_id, variant_id, change, quantity, reason, reference, user_id, created_at)
    select business_id, product_id, variant_id, change, quantity, ${reasonOf(tx, reason)}, ${reference}, ${userId},
      ${nowSeconds}::bigint ${moved}`;
  if (!isWatched) return [noted];
  const low = source.eventsFrom(
    tx,
    tx`
    select 'inventory.low' as type, 'product:' || product_id as entity, json_build_object('productId', product_id,
      'variantId', variant_id, 'sku', sku, 'quantity', quantity, 'lowStockThreshold', low_stock_threshold)::text as data
    ${moved} and quantity <= low_stock_threshold and quantity - change > low_stock_threshold`,
  );
  return [noted, low];
};

/** The rows with the `change` of each; of one line, as most orders have, by its key, which costs a cluster half of a join. */
function movedFrom(tx: Tx, businessId: string, changes: StockLine[]) {
  const [first, ...others] = changes;
  if (first && others.length === 0)
    return tx`
      from (select *, ${first.quantity}::bigint as change from stock where business_id = ${businessId}
        and product_id = ${first.productId} and variant_id = ${first.variantId}) s
      where tracked`;
  return tx`
    from (${askedLines(tx, changes)}) a join stock s using (product_id, variant_id)
    where s.business_id = ${businessId} and s.tracked`;
}

const reasonOf = (tx: Tx, reason: StockMove['reason']) =>
  reason === 'ADJUST' ? tx`'ADJUST'` : tx`case when change < 0 then 'ORDER' else 'CANCEL' end`;

/** The stock of a new product, from the quantities in it. */
export async function insertStock(tx: Tx, product: Product, userId: string, nowSeconds: number): Promise<void> {
  if (product.variants.length === 0) return;
  await Promise.all([
    upsertStock(tx, product),
    insertChanges(tx, product, changesOf(null, product), userId, nowSeconds),
  ]);
}

/** Brings the stock to what `product` says; `current` was read under the lock of these rows. Returns the version of the stock. */
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
  ]);
  const [row] = await tx<{ version: number }[]>`
    select coalesce(sum(changes), 0)::bigint as version from stock
    where business_id = ${product.businessId} and product_id = ${product.id}`;
  return row!.version;
}

/** PostgreSQL has room for some thousands of locks, and a release changes many products at once. */
const MAX_LOCKED_SKUS = 64;

/**
 * Makes those wait who want the same SKUs, before they look whether these are free. The constraint alone compares when all rows of a
 * statement are in, so that several who wait for it wait for each other. Beyond the first 64 of a write it is what decides.
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

async function insertChanges(
  tx: Tx,
  { businessId, id }: Product,
  changes: Change[],
  userId: string | null,
  nowSeconds: number,
): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    insert into stock_ledger (business_id, product_id, variant_id, change, quantity, reason, user_id, created_at)
    select ${businessId}, ${id}, variant_id, change, quantity, 'SET', ${userId}, ${nowSeconds}::bigint
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
