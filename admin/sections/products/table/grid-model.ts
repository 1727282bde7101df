/**
 * The table of products × variants: stored values, edits and errors. Pure; each change creates a new `Sheet`. Name and status belong to
 * the product and can be edited in its first row.
 */
import type { ListedProduct, Product, Variant } from '@souk/client';
import { moneyInput, parseMoney, statusOf } from '../../../parts/show.tsx';
import { t } from '../../../text/index.ts';
import type { MarketColumn } from '../form.ts';

export type Column =
  | { key: string; kind: 'name' | 'status' | 'variant' | 'sku' | 'stock' }
  | { key: string; kind: 'price'; market: MarketColumn };

export type Row = { key: string; product: ListedProduct; variant: Variant; isFirst: boolean };

export type Sheet = {
  columns: Column[];
  rows: Row[];
  /** Typed text by cell, where it differs from the stored value. */
  edits: ReadonlyMap<string, string>;
  problems: ReadonlyMap<string, string>;
  /** The edits before each change, newest last. */
  past: ReadonlyMap<string, string>[];
};

const MAX_UNDO = 200;
const STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'];

export const columnsOf = (markets: MarketColumn[]): Column[] => [
  { key: 'name', kind: 'name' },
  { key: 'variant', kind: 'variant' },
  { key: 'sku', kind: 'sku' },
  { key: 'status', kind: 'status' },
  ...markets.map((market) => ({ key: `price ${market.id}`, kind: 'price' as const, market })),
  { key: 'stock', kind: 'stock' },
];

export const rowsOf = (products: readonly ListedProduct[]): Row[] =>
  products.flatMap((product) =>
    product.variants.map((variant, i) => ({ key: `${product.id} ${variant.id}`, product, variant, isFirst: i === 0 })),
  );

export const cellKey = (row: Row, column: Column) => `${row.key}\n${column.key}`;

export const isEditable = ({ isFirst, variant }: Row, { kind }: Column) =>
  kind === 'name' || kind === 'status' ? isFirst : kind === 'stock' ? variant.inventory.tracked : true;

/** The stored value as text. */
export function storedText({ product, variant, isFirst }: Row, column: Column): string {
  switch (column.kind) {
    case 'name':
      return isFirst ? product.name : '';
    case 'status':
      return isFirst ? statusOf(product.statuses) : '';
    case 'variant':
      return variant.name;
    case 'sku':
      return variant.sku;
    case 'stock':
      return variant.inventory.tracked ? String(variant.inventory.quantity) : '';
    case 'price': {
      const { id, currency } = column.market;
      const price = variant.pricing.markets.find(({ marketId }) => marketId.toLowerCase() === id.toLowerCase());
      return price ? moneyInput(price.price, currency) : '';
    }
  }
}

export const cellText = ({ edits }: Sheet, row: Row, column: Column) =>
  edits.get(cellKey(row, column)) ?? storedText(row, column);

/** Validates the input before it is sent. */
function problemWith(text: string, column: Column): string | undefined {
  if (column.kind === 'price' && text.trim() && (parseMoney(text, column.market.currency) ?? -1) < 0)
    return t('products.notAnAmount');
  if (column.kind === 'stock' && !/^\d{1,9}$/.test(text.trim())) return t('products.notAQuantity');
  if (column.kind === 'status' && !STATUSES.includes(text.trim().toUpperCase()))
    return t('products.notAStatus', { statuses: STATUSES.join(', ') });
  if (column.kind === 'name' && !text.trim()) return t('products.missingName');
  return undefined;
}

export type Change = { row: Row; column: Column; text: string };

/** Enters these values as one undo step. Skips cells that can't be edited. */
export function write(sheet: Sheet, changes: Change[]): Sheet {
  const edits = new Map(sheet.edits);
  const problems = new Map(sheet.problems);
  for (const { row, column, text } of changes) {
    if (!isEditable(row, column)) continue;
    const key = cellKey(row, column);
    if (text === storedText(row, column)) edits.delete(key);
    else edits.set(key, text);
    const problem = edits.has(key) ? problemWith(text, column) : undefined;
    if (problem) problems.set(key, problem);
    else problems.delete(key);
  }
  return { ...sheet, edits, problems, past: [...sheet.past.slice(-MAX_UNDO), sheet.edits] };
}

export function undo(sheet: Sheet): Sheet {
  const edits = sheet.past.at(-1);
  if (!edits) return sheet;
  const problems = new Map([...sheet.problems].filter(([key]) => edits.get(key) === sheet.edits.get(key)));
  return { ...sheet, edits, problems, past: sheet.past.slice(0, -1) };
}

/** Parses cells copied from a spreadsheet: tabs between cells, lines between rows, quotes around cells that contain either. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^\t\r\n]*)(\t|\r?\n|$)/gy;
  for (
    let match = pattern.exec(text);
    match && (match[0] !== '' || pattern.lastIndex < text.length);
    match = pattern.exec(text)
  ) {
    const cell = match[1]!;
    rows
      .at(-1)!
      .push(
        cell.startsWith('"') && cell.endsWith('"') && cell.length > 1 ? cell.slice(1, -1).replaceAll('""', '"') : cell,
      );
    if (match[2] !== '\t') rows.push([]);
    if (match[2] === '') break;
  }
  return rows.filter((row) => row.length > 0);
}

/** The edits that result from pasting cells at a position. A single value fills the whole selection. */
export function pasteChanges(sheet: Sheet, block: string[][], selection: Selection): Change[] {
  const { top, left, bottom, right } = selection;
  const isSingle = block.length === 1 && block[0]!.length === 1;
  const height = isSingle ? bottom - top + 1 : block.length;
  const width = isSingle ? right - left + 1 : Math.max(...block.map((row) => row.length));
  const changes: Change[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const row = sheet.rows[top + y];
      const column = sheet.columns[left + x];
      const text = isSingle ? block[0]![0]! : block[y]![x];
      if (row && column && text !== undefined) changes.push({ row, column, text: text.trim() });
    }
  }
  return changes;
}

export type Selection = { top: number; left: number; bottom: number; right: number };

/** Copies the first row of the selection to all rows below. */
export function fillChanges(sheet: Sheet, { top, left, bottom, right }: Selection): Change[] {
  const changes: Change[] = [];
  for (let x = left; x <= right; x++) {
    const column = sheet.columns[x]!;
    const text = cellText(sheet, sheet.rows[top]!, column);
    for (let y = top + 1; y <= bottom; y++) changes.push({ row: sheet.rows[y]!, column, text });
  }
  return changes;
}

/** Replaces the records with newer ones and keeps the edits. */
export function accept(sheet: Sheet, products: readonly Product[]): Sheet {
  const newer = new Map(products.map((product) => [product.id, product as ListedProduct]));
  const rows = sheet.rows.flatMap((row) => {
    const product = newer.get(row.product.id);
    if (!product) return [row];
    const variant = product.variants.find(({ id }) => id === row.variant.id);
    return variant ? [{ ...row, product, variant }] : [];
  });
  return { ...sheet, rows };
}
