import type { Db, Statement, Tx } from '../../db/sql.ts';
import { type CartRow, expiryOf } from './cart.ts';

export const cartColumns = (db: Db) => db`
  business_id, id, owner_id, secret_hash, email, doc, order_id, reminder_at, version, created_at, updated_at, expires_at`;

export const insertCart = (tx: Tx, row: CartRow): Statement<object[]> => tx`
  insert into carts ${tx({ ...row, doc: tx.json(row.doc as never) } as never)}`;

export const updateCart = (tx: Tx, row: CartRow): Statement<object[]> => tx`
  update carts set owner_id = ${row.ownerId}, secret_hash = ${row.secretHash}, email = ${row.email},
    doc = ${tx.json(row.doc as never)}, order_id = ${row.orderId}, reminder_at = ${row.reminderAt},
    version = ${row.version}, updated_at = ${row.updatedAt}, expires_at = ${row.expiresAt}
  where business_id = ${row.businessId} and id = ${row.id}`;

export const deleteCart = (tx: Tx, { businessId, id }: Pick<CartRow, 'businessId' | 'id'>): Statement<object[]> => tx`
  delete from carts where business_id = ${businessId} and id = ${id}`;

/** Expired carts are not found. */
export async function findCart(db: Db, businessId: string, id: string, nowSeconds: number): Promise<CartRow | null> {
  const [row] = await db<CartRow[]>`
    select ${cartColumns(db)} from carts where business_id = ${businessId} and id = ${id} and expires_at > ${nowSeconds}`;
  return row ?? null;
}

/** In ID order, which is the lock order. */
export const lockCarts = (tx: Tx, businessId: string, ids: readonly string[], nowSeconds: number) => tx<CartRow[]>`
  select ${cartColumns(tx)} from carts
  where business_id = ${businessId} and id = any(${ids as string[]}) and expires_at > ${nowSeconds}
  order by id for update`;

export async function lockCart(tx: Tx, businessId: string, id: string, nowSeconds: number): Promise<CartRow | null> {
  const [row] = await lockCarts(tx, businessId, [id], nowSeconds);
  return row ?? null;
}

/** The open cart that this user changed last. */
export async function findLatestId(
  db: Db,
  businessId: string,
  ownerId: string,
  nowSeconds: number,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select id from carts
    where business_id = ${businessId} and owner_id = ${ownerId} and order_id is null and expires_at > ${nowSeconds}
    order by updated_at desc, id desc limit 1`;
  return row?.id ?? null;
}

type ListOptions = {
  /** Null for the carts of all users. */
  ownerId: string | null;
  after: readonly [updatedAt: number, id: string] | null;
  limit: number;
  nowSeconds: number;
};

/** Open carts with items, last changed first. */
export const listCarts = (db: Db, businessId: string, { ownerId, after, limit, nowSeconds }: ListOptions) => db<
  CartRow[]
>`
  select ${cartColumns(db)} from carts
  where business_id = ${businessId} and order_id is null and expires_at > ${nowSeconds}
    and jsonb_array_length(doc -> 'items') > 0
    ${ownerId === null ? db`` : db`and owner_id = ${ownerId}`}
    ${after === null ? db`` : db`and (updated_at, id) < (${after[0]}, ${after[1]})`}
  order by updated_at desc, id desc limit ${limit}`;

type Closed = { businessId: string; id: string; version: number; orderId: string; now: number };

/** Aborts the transaction with CART_CHANGED if the cart was changed or ordered since it was read. */
export const closeCartOrAbort = (tx: Tx, { businessId, id, version, orderId, now }: Closed): Statement<object[]> => tx`
  with closed as (
    update carts set order_id = ${orderId}, reminder_at = null, version = version + 1, updated_at = ${now},
      expires_at = ${expiryOf(now)}
    where business_id = ${businessId} and id = ${id} and version = ${version} and order_id is null
    returning id
  )
  select abort_transaction('CART_CHANGED', '') where not exists (select from closed)`;

export const setReminder = (tx: Tx, { businessId, id }: Pick<CartRow, 'businessId' | 'id'>, dueAt: number | null) => tx`
  update carts set reminder_at = ${dueAt} where business_id = ${businessId} and id = ${id}`;

/** Across all businesses. */
export async function deleteExpiredCarts(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from carts where expires_at <= ${nowSeconds}`;
}
