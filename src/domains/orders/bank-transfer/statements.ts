/** Uploads, shows and deletes bank statements. Records no payments. */
import { notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { ConversionFailed, createConverter } from '../../../shared/threads/index.ts';
import { type Command, command, type Query, type Reads, type Steps } from '../context.ts';
import { type KeyedEntry, unreadable } from './entry.ts';
import type { ReadStatement } from './parse-statement.ts';
import {
  deleteStatementRow,
  type EntryRow,
  findStatement,
  insertStatement,
  listByNumber,
  listEntries,
  listPayable,
  listStatements,
  type PayableOrder,
  type StatementRow,
} from './queries.ts';
import { orderNumbersIn } from './reference.ts';
import type { BankEntry, BankStatement, ListedStatement } from './schemas.ts';

/** `file`: a buffer, unless the body has another content type. */
type Upload = { file: unknown; fileName: string | undefined };
type Prepared = { statement: StatementRow; entries: EntryRow[] };

const converter = createConverter<Uint8Array, ReadStatement>(new URL('./parse-statement.ts', import.meta.url), {
  busy: 'Too many bank statements are being read. Try again later.',
});

export const createStatement = command({ prepare: readFile, execute: store });

async function readFile(ctx: Steps, { file, fileName }: Upload): Promise<Prepared> {
  const { businessId, caller, now } = ctx;
  const {
    format,
    iban,
    skipped,
    entries: read,
  } = await readEntries(ctx, Buffer.isBuffer(file) ? file : Buffer.alloc(0));
  const entries = await propose(ctx, read);
  const id = newId('bst');
  const name = fileName?.trim() || (format === 'CAMT' ? 'statement.xml' : 'statement.csv');
  const statement = { businessId, id, fileName: name, format, iban, skipped, userId: caller.userId, createdAt: now };
  return { statement, entries };
}

async function readEntries({ businessId, signal }: Steps, bytes: Buffer): Promise<ReadStatement> {
  try {
    return await converter.convert(businessId, bytes, signal);
  } catch (error) {
    if (!(error instanceof ConversionFailed) || error.code === 'CRASHED') throw error;
    throw unreadable('The file takes too long to read. Export a shorter period from your bank.');
  }
}

async function store(ctx: Command, { statement, entries }: Prepared): Promise<BankStatement> {
  await insertStatement(ctx.db, statement, entries);
  const { userId: _, ...data } = statement;
  const entity = `bank_statement:${statement.id}` as const;
  ctx.emit({ type: 'bank_statement.created', entity, data: { ...data, count: entries.length } });
  return viewStatement(ctx, statement);
}

/** Adds the order that the text of a payment refers to, if it is exactly one order in the currency of the payment. */
async function propose(ctx: Steps, entries: readonly KeyedEntry[]): Promise<EntryRow[]> {
  const numbers = entries.map(({ text }) => orderNumbersIn(text));
  const orders = await listByNumber(ctx.db, ctx.businessId, [...new Set(numbers.flat())]);
  const byNumber = new Map(orders.map((order) => [order.number, order]));
  return entries.map((entry, i) => {
    const found = numbers[i]!.flatMap((number) => byNumber.get(number) ?? []);
    const isClear = found.length === 1 && isSameCurrency(found[0]!, entry);
    return { ...entry, orderId: isClear ? found[0]!.id : null };
  });
}

const isSameCurrency = (order: { currency: string }, entry: { currency: string }) =>
  order.currency.toLowerCase() === entry.currency.toLowerCase();

export async function readStatement(ctx: Query, id: string): Promise<BankStatement> {
  const statement = await findStatement(ctx.db, ctx.businessId, id);
  if (!statement) throw notFound('Bank statement');
  return viewStatement(ctx, statement);
}

/** The entries with their current state. */
export async function viewStatement(
  { db, businessId }: Pick<Reads, 'db' | 'businessId'>,
  statement: StatementRow,
): Promise<BankStatement> {
  const rows = await listEntries(db, businessId, statement.id);
  const ids = new Set(rows.flatMap(({ orderId, bookedOrderId }) => bookedOrderId ?? orderId ?? []));
  const orders = new Map((await listPayable(db, businessId, [...ids])).map((order) => [order.id, order]));
  const entries = rows.map(({ key, orderId, bookedOrderId, isRepeated, ...entry }): BankEntry => {
    const order = orders.get(bookedOrderId ?? orderId ?? '') ?? null;
    const open = isRepeated ? 'POSSIBLE_DUPLICATE' : stateOf(entry.amount, order);
    const state = bookedOrderId === null ? open : 'ALREADY_BOOKED';
    return { id: key, ...entry, state, order: order && withoutCurrency(order) };
  });
  return { ...statement, entries };
}

const withoutCurrency = ({ currency: _, ...order }: PayableOrder) => order;

function stateOf(amount: number, order: PayableOrder | null): BankEntry['state'] {
  if (!order) return 'UNKNOWN';
  const isPaid = !['PENDING', 'FAILED'].includes(order.paymentStatus);
  if (isPaid && order.received < order.total) return 'ALREADY_PAID';
  const received = order.received + amount;
  if (received === order.total) return 'EXACT';
  return received < order.total ? 'PARTIAL' : 'EXCESS';
}

export async function readStatements(ctx: Query, query: PageQuery): Promise<Page<ListedStatement>> {
  const { replica, businessId, cursors } = ctx;
  const scope = `bank-statements:${businessId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await listStatements(replica, businessId, after as string | null, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    ({ id }) => [id],
    (row) => row,
  );
}

/** Recorded payments are kept, so that uploading the file again records nothing twice. */
export async function deleteStatement(ctx: Command, id: string): Promise<{ success: true }> {
  const statement = await findStatement(ctx.db, ctx.businessId, id);
  if (!statement) throw notFound('Bank statement');
  await deleteStatementRow(ctx.db, ctx.businessId, id);
  const { userId: _, ...data } = statement;
  ctx.emit({ type: 'bank_statement.deleted', entity: `bank_statement:${id}`, data });
  return { success: true };
}
