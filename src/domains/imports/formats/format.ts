/** What a foreign format has to say: whether a file is of it, which rows make one record, and what they are with us. */
import type { FieldError } from '../../../shared/errors.ts';
import type { FormerIdentity } from '../../../shared/ids.ts';
import type { CustomerImport } from '../../businesses/index.ts';
import type { ProductImport } from '../../catalog/index.ts';
import type { Collection, EntryImport } from '../../content/index.ts';
import type { Alt, MediaChange } from '../../media/index.ts';
import type { SubscriberImport } from '../../newsletters/index.ts';
import type { OrderImport } from '../../orders/index.ts';

export const IMPORT_TYPES = ['products', 'customers', 'subscribers', 'entries', 'business'] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

/** A row by the names of its columns. They compare without case. */
export class Row {
  readonly number: number;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];

  constructor(number: number, columns: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.number = number;
    this.#columns = columns;
    this.#cells = cells;
  }

  /** Of the first of these columns that the file has; empty when it has none. Without spaces around it. */
  get(...names: string[]): string {
    return this.raw(...names).trim();
  }

  raw(...names: string[]): string {
    for (const name of names) {
      const at = this.#columns.get(name);
      if (at !== undefined) return this.#cells[at] ?? '';
    }
    return '';
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** Whether the file says anything in one of these columns. */
  says(...names: string[]): boolean {
    return this.get(...names) !== '';
  }

  columns(): IterableIterator<string> {
    return this.#columns.keys();
  }
}

/** The columns of a header, in lower case; of a name that comes twice the first counts, others get a number. */
export function columnsOf(header: readonly string[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [i, cell] of header.entries()) {
    const name = cell.trim().toLowerCase();
    if (name !== '' && !columns.has(name)) columns.set(name, i);
    else if (name !== '') columns.set(`${name} #${i + 1}`, i);
  }
  return columns;
}

/** A market that prices can be for. */
export type PriceMarket = { id: string; name: string; currency: string };

/** What is known besides the file. */
export type Conversion = {
  /** Names the importing business, so that its records get ids of their own. */
  businessId: string;
  markets: readonly PriceMarket[];
  /** What a price without a market is for. */
  market: PriceMarket | null;
  /** Where entries go, by id and by slug. */
  collections: ReadonlyMap<string, Collection>;
  collection: Collection | null;
  planId: string | null;
  /** Where subscribers have agreed, as the caller states. */
  consent: string | null;
  now: number;
};

export type RowError = { row: number; field: string; error: string; message: string };

/** A part of a whole business: its settings, a role, a collection. */
export type PartImport = { former: FormerIdentity; input: Record<string, unknown> };

export type Body =
  | { kind: 'product'; data: ProductImport }
  | { kind: 'customer'; data: CustomerImport }
  | { kind: 'subscriber'; data: SubscriberImport }
  | { kind: 'entry'; data: EntryImport }
  | { kind: 'order'; data: OrderImport }
  | { kind: 'business' | 'orders' | 'role' | 'collection' | 'promoCode' | 'member'; data: PartImport };

/** The row that names a picture, and what is said of it. */
export type NamedPicture = Omit<MediaChange, 'alt'> & { row: number; alt: Alt; fileName?: string };

/** One record of ours, made of one or several rows. */
export type Converted = Body & {
  /** What makes it one: another record of the same file with one of these is a repetition. Each with its column. */
  keys: { key: string; field: string; row: number }[];
  /** By their addresses. */
  pictures?: Map<string, NamedPicture>;
  /** Where in the file a wrong field of ours is. */
  locate?: (error: FieldError) => { row: number; field: string };
};

export type Outcome = { record: Converted } | { errors: RowError[] } | 'SKIPPED';

type Shared = {
  name: string;
  type: ImportType;
  /** For people. */
  label: string;
  /** What is worth knowing of a file with this beginning. */
  notesOn?(head: string): string[];
};

export type CsvFormat = Shared & {
  recognises(columns: ReadonlyMap<string, number>): boolean;
  /** Whether a column means something to this format; the notes of the import name the others. */
  takes(column: string, to: Conversion): boolean;
  /** Whether the row goes on with the record of these rows. */
  joins?(rows: readonly Row[], row: Row): boolean;
  /** Rows of a record that may stand anywhere in the file. */
  parts?: {
    /** How the row names the record that it is a part of; null: it is none. */
    ownerOf(row: Row): string | null;
    /** How parts may name the record that begins with this row. */
    namesOf(row: Row): string[];
  };
  /** What a cell says, where the format writes it in another way. */
  plain?(cell: string): string;
  convert(rows: readonly Row[], to: Conversion): Outcome;
  /** Prices have no market in the file: it must be known. */
  needsMarket?: (columns: ReadonlyMap<string, number>) => boolean;
};

export type JsonFormat = Shared & {
  recognises(sample: Record<string, unknown>): boolean;
  /** Fields of this record that mean nothing to this format. */
  ignored?(sample: Record<string, unknown>, to: Conversion): string[];
  convert(value: Record<string, unknown>, row: number, to: Conversion): Outcome;
};

export const wrong = (row: number, field: string, error: string, message: string): RowError => ({
  row,
  field,
  error,
  message,
});

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Seconds of a date as files write it; undefined: it is none. */
export function secondsOf(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d{9,11}$/.test(text)) return Number(text);
  const ms = Date.parse(
    /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text)
      ? `${text.replace(' ', 'T').replace(' ', '')}${/[zZ+]|UTC/.test(text) ? '' : 'Z'}`
      : text,
  );
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1000);
}

/** `true`, `yes`, `1`, `x`. */
export const isYes = (text: string) => /^(?:true|yes|y|1|x|ja|wahr)$/i.test(text);
