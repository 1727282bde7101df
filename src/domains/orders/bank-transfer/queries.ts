import type { Db, Tx } from '../../../db/sql.ts';
import type { KeyedEntry } from './entry.ts';
import { BANK_TRANSFER } from './instructions.ts';

export type StatementRow = {
  businessId: string;
  id: string;
  fileName: string;
  format: 'CAMT' | 'CSV';
  iban: string | null;
  skipped: number;
  userId: string;
  createdAt: number;
};

export type EntryRow = Omit<KeyedEntry, 'text'> & { text: string | null; orderId: string | null };

const columns = (db: Db) => db`business_id, id, file_name, format, iban, skipped, user_id, created_at`;

export async function insertStatement(tx: Tx, statement: StatementRow, entries: readonly EntryRow[]): Promise<void> {
  const { businessId, id, fileName, format, iban, skipped, userId, createdAt } = statement;
  await tx`
    insert into bank_statements (${columns(tx)})
    values (${businessId}, ${id}, ${fileName}, ${format}, ${iban}, ${skipped}, ${userId}, ${createdAt})`;
  if (entries.length === 0) return;
  await tx`
    insert into bank_entries (business_id, statement_id, position, key, amount, currency, date, name, iban, text, order_id)
    select ${businessId}, ${id}, position, e ->> 'key', (e ->> 'amount')::bigint, e ->> 'currency', e ->> 'date', e ->> 'name',
      e ->> 'iban', e ->> 'text', e ->> 'orderId'
    from jsonb_array_elements(${tx.json(entries as never)}::jsonb) with ordinality as listed (e, position)`;
}

export async function findStatement(db: Db, businessId: string, id: string): Promise<StatementRow | null> {
  const [row] = await db<StatementRow[]>`
    select ${columns(db)} from bank_statements where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

/** Newest first. */
export const listStatements = (db: Db, businessId: string, after: string | null, limit: number) => db<
  (StatementRow & { count: number; booked: number })[]
>`
  select ${columns(db)},
    (select count(*)::int from bank_entries e where e.business_id = s.business_id and e.statement_id = s.id) as count,
    (select count(*)::int from bank_entries e join bank_bookings b on b.business_id = e.business_id and b.key = e.key
      where e.business_id = s.business_id and e.statement_id = s.id) as booked
  from bank_statements s
  where business_id = ${businessId} and (${after}::text is null or id < ${after})
  order by id desc limit ${limit}`;

/** `isRepeated`: a similar payment, which is in another file but not in this one, is already recorded. */
type ListedEntry = EntryRow & { bookedOrderId: string | null; isRepeated: boolean };

export const listEntries = (db: Db, businessId: string, statementId: string) => db<ListedEntry[]>`
  select e.key, e.amount, e.currency, e.date, e.name, e.iban, e.text, e.order_id, b.order_id as booked_order_id,
    exists (
      select from bank_entries o join bank_bookings ob on ob.business_id = o.business_id and ob.key = o.key
      where o.business_id = ${businessId} and o.date = e.date and o.amount = e.amount and o.currency = e.currency
        and o.statement_id <> e.statement_id and o.key <> e.key
        and (o.iban = e.iban or lower(o.name) = lower(e.name) or o.order_id = e.order_id)
        and not exists (
          select from bank_entries own
          where own.business_id = ${businessId} and own.statement_id = e.statement_id and own.key = o.key)
    ) as is_repeated
  from bank_entries e left join bank_bookings b on b.business_id = e.business_id and b.key = e.key
  where e.business_id = ${businessId} and e.statement_id = ${statementId} order by e.position`;

export async function deleteStatementRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from bank_statements where business_id = ${businessId} and id = ${id}`;
}

/** Across all businesses. */
export async function deleteOldStatements(tx: Tx, beforeSeconds: number): Promise<void> {
  await tx`delete from bank_statements where created_at < ${beforeSeconds}`;
}

export type PayableOrder = {
  id: string;
  number: number;
  currency: string;
  total: number;
  received: number;
  status: string;
  paymentStatus: string;
};

const payable = (db: Db) => db`
  id, number, doc ->> 'currency' as currency, (doc ->> 'total')::bigint as total,
  coalesce((doc ->> 'received')::bigint, 0) as received, status, payment_status`;

/** Orders with these numbers that are paid by bank transfer. */
export const listByNumber = (db: Db, businessId: string, numbers: readonly number[]) => db<PayableOrder[]>`
  select ${payable(db)} from orders
  where business_id = ${businessId} and number = any(${numbers as number[]}) and doc ->> 'paymentMethod' = ${BANK_TRANSFER}`;

export const listPayable = (db: Db, businessId: string, ids: readonly string[]) => db<PayableOrder[]>`
  select ${payable(db)} from orders where business_id = ${businessId} and id = any(${ids as string[]})`;

type NewBooking = { businessId: string; key: string; orderId: string; amount: number; userId: string; now: number };

/** Returns false if the payment is already recorded. Waits for a transaction that is recording it. */
export async function insertBooking(tx: Tx, booking: NewBooking): Promise<boolean> {
  const { businessId, key, orderId, amount, userId, now } = booking;
  const rows = await tx`
    insert into bank_bookings (business_id, key, order_id, amount, user_id, created_at)
    values (${businessId}, ${key}, ${orderId}, ${amount}, ${userId}, ${now})
    on conflict (business_id, key) do nothing returning key`;
  return rows.length > 0;
}

/** Stores the order in every bank statement that contains the payment. */
export async function updateEntryOrder(tx: Tx, businessId: string, key: string, orderId: string): Promise<void> {
  await tx`update bank_entries set order_id = ${orderId} where business_id = ${businessId} and key = ${key}`;
}

/** Incoming payments for these orders. */
export const listEntriesOfOrders = (db: Db, businessId: string, orderIds: readonly string[]) => db<
  (Pick<EntryRow, 'amount' | 'currency' | 'date' | 'name' | 'iban' | 'text'> & { orderId: string })[]
>`
  select order_id, amount, currency, date, name, iban, text from bank_entries
  where business_id = ${businessId} and order_id = any(${orderIds as string[]}) order by date, key`;

/** Removes the payer from payments for these orders and from other payments from the same accounts. */
export async function eraseEntries(tx: Tx, businessId: string, orderIds: readonly string[]): Promise<void> {
  const ids = orderIds as string[];
  await tx`
    update bank_entries set name = null, iban = null, text = null
    where business_id = ${businessId} and (order_id = any(${ids}) or iban in (
      select iban from bank_entries where business_id = ${businessId} and order_id = any(${ids}) and iban is not null))`;
}
