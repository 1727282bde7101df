/** Our own orders CSV. Must read everything that `exports/order-table.ts` writes; a file made by hand needs less. */
import { derivedId } from '../../../../shared/ids.ts';
import { isRecord } from '../../../../shared/is-record.ts';
import type { PastOrderImport } from '../../../orders/index.ts';
import {
  ADDRESS_PARTS,
  addressColumn,
  LINE_AMOUNTS,
  LINE_TEXTS,
  ORDER_AMOUNTS,
  ORDER_HEADER,
  ORDER_TEXTS,
} from '../../exports/order-table.ts';
import { plainCell, valueOfCell } from '../cells.ts';
import { type CsvFormat, type Row, type RowError, rowError, secondsOf } from '../format.ts';
import { readMoney } from '../money.ts';

const COLUMNS = new Set(ORDER_HEADER.map((name) => name.toLowerCase()));

/** The text of a cell; undefined if it is empty. */
function textAt(row: Row, column: string): string | undefined {
  const value = valueOfCell(plainCell(row.get(column.toLowerCase())), true);
  return value === null || value === undefined ? undefined : String(value);
}

export const ownOrders: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'orders',
  isRecognized: (columns) => ['number', 'unitprice', 'linename', 'total'].every((name) => columns.has(name)),
  reads: (column) => COLUMNS.has(column),
  isContinuation: (rows, row) => keyOf(row) === keyOf(rows[0]!),
  convert(rows, to) {
    const row = rows[0]!;
    const errors: RowError[] = [];
    const currency = textAt(row, 'currency') ?? to.market?.currency ?? '';
    const money = (each: Row, column: string) => moneyAt(each, column, currency, errors);
    const details = jsonAt(row, 'details', errors);
    const number = Number(row.get('number').replace(/^#/, ''));
    const id = textAt(row, 'id') ?? derivedId('ord', to.businessId, `csv:${number}`);
    const createdAt = secondsOf(row.get('createdat')) ?? to.now;
    const texts = ORDER_TEXTS.flatMap((name) => pair(name, textAt(row, name)));
    const amounts = ORDER_AMOUNTS.flatMap((name) => pair(name, money(row, name)));
    const email = textAt(row, 'email');
    const input = {
      taxBps: 0,
      blocks: [],
      market: to.market?.id,
      paid: 0,
      refunded: 0,
      statuses: history(row, 'status', createdAt),
      paymentStatus: history(row, 'payment', createdAt),
      customerId: derivedId('cust', to.businessId, `csv:${number}`),
      ...details,
      ...Object.fromEntries([...texts, ...amounts]),
      ...Object.fromEntries(
        (['shipping', 'billing'] as const).flatMap((kind) => pair(`${kind}Address`, addressAt(row, kind))),
      ),
      ...tagsAt(row),
      id,
      number,
      currency,
      createdAt,
      updatedAt: secondsOf(row.get('updatedat')) ?? createdAt,
      lines: rows.map((each) => lineAt(each, to.businessId, money, errors)),
    };
    if (errors.length > 0) return { errors };
    const isOwn = row.hasValue('customerid');
    const data: PastOrderImport = {
      input: input as never,
      ...(isOwn || !email ? {} : { person: { email }, personKey: `csv:${number}` }),
      linksProducts: !rows.every((each) => each.hasValue('productid')),
    };
    return {
      record: {
        kind: 'pastOrder',
        data,
        keys: [{ key: `order:${id}`, field: 'id', row: row.number }],
        places: { row: row.number, list: { name: 'lines', rows: rows.map((each) => each.number) } },
      },
    };
  },
};

const keyOf = (row: Row) => row.get('id') || row.get('number');
const pair = <T>(name: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[name, value]]);

function moneyAt(row: Row, column: string, currency: string, errors: RowError[]): number | undefined {
  const text = row.get(column.toLowerCase());
  if (text === '') return undefined;
  const read = readMoney(text, currency || 'usd');
  if ('minor' in read) return read.minor;
  errors.push(rowError(row.number, column, read.error, read.message));
  return undefined;
}

function jsonAt(row: Row, column: string, errors: RowError[]): Record<string, unknown> {
  const text = row.raw(column.toLowerCase());
  if (text === '') return {};
  const value = valueOfCell(plainCell(text), false);
  if (isRecord(value)) return value;
  const message = `${column} is not valid JSON. Use the same format as in an export.`;
  errors.push(rowError(row.number, column, 'INVALID_JSON', message));
  return {};
}

function lineAt(
  row: Row,
  businessId: string,
  money: (row: Row, column: string) => number | undefined,
  errors: RowError[],
) {
  const texts = LINE_TEXTS.flatMap(([column, field]) => pair(field, textAt(row, column)));
  const amounts = LINE_AMOUNTS.flatMap(([column, field]) => pair(field, money(row, column)));
  const quantity = Number(row.get('quantity') || '1');
  const unitPrice = money(row, 'unitPrice') ?? 0;
  return {
    productId: derivedId('prod', businessId, `csv:${row.get('sku') || row.get('linename')}`),
    variantId: 'main',
    totalPrice: unitPrice * quantity,
    ...jsonAt(row, 'lineDetails', errors),
    ...Object.fromEntries([...texts, ...amounts]),
    quantity,
  };
}

function addressAt(row: Row, kind: 'shipping' | 'billing') {
  const parts = ADDRESS_PARTS.flatMap((part) => pair(part, textAt(row, addressColumn(kind, part))));
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** A list as JSON, or comma-separated values. */
function tagsAt(row: Row): { tags?: string[] } {
  const text = plainCell(row.get('tags'));
  if (text === '') return {};
  const value = valueOfCell(text, true);
  return {
    tags: Array.isArray(value)
      ? (value as string[])
      : text
          .split(',')
          .map((tag) => tag.trim())
          .filter(Boolean),
  };
}

const history = (row: Row, column: string, timestamp: number) => [
  { id: 'imported-1', status: row.get(column).toUpperCase() || 'PENDING', changedBy: 'SYSTEM', timestamp },
];
