/**
 * The interface of an import format: it recognizes a file, groups its rows into records and converts them to our
 * records.
 */
import type { PreparedTexts, ProcessedText } from '../../../shared/blocks/index.ts';
import type { PreviousIdentity } from '../../../shared/ids.ts';
import type { CustomerImport } from '../../businesses/index.ts';
import type { ProductImport } from '../../catalog/index.ts';
import type { Collection, EntryImport } from '../../content/index.ts';
import type { Alt, MediaChange } from '../../media/index.ts';
import type { SubscriberImport } from '../../newsletters/index.ts';
import type { DocumentImport, OrderImport, PastOrderImport } from '../../orders/index.ts';
import type { Places } from './places.ts';

export const IMPORT_TYPES = ['products', 'customers', 'orders', 'subscribers', 'entries', 'business'] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

/** A row with its cells by column name. Names are case-insensitive. */
export class Row {
  readonly number: number;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];

  constructor(number: number, columns: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.number = number;
    this.#columns = columns;
    this.#cells = cells;
  }

  /** The trimmed cell of the first of these columns that exists; empty if none does. */
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

  /** Whether one of these columns has a value. */
  hasValue(...names: string[]): boolean {
    return this.get(...names) !== '';
  }

  columns(): IterableIterator<string> {
    return this.#columns.keys();
  }
}

/** The columns of a header, in lower case. Repeated names get a number. */
export function columnsOf(header: readonly string[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [i, cell] of header.entries()) {
    const name = cell.trim().toLowerCase();
    if (name !== '' && !columns.has(name)) columns.set(name, i);
    else if (name !== '') columns.set(`${name} #${i + 1}`, i);
  }
  return columns;
}

/** A market that prices can belong to. */
export type PriceMarket = { id: string; name: string; currency: string };

/** The data that a conversion needs besides the file. */
export type Conversion = {
  /** Part of each derived ID, so that records of different businesses never share one. */
  businessId: string;
  markets: readonly PriceMarket[];
  /** The market of prices that have none in the file. */
  market: PriceMarket | null;
  /** The collections of the business, by ID and by slug. */
  collections: ReadonlyMap<string, Collection>;
  collection: Collection | null;
  planId: string | null;
  /** Where subscribers gave consent, according to the caller. */
  consent: string | null;
  now: number;
};

export type RowError = { row: number; field: string; error: string; message: string };

/** A record from a full business export: the settings, a role or a collection. */
export type PartImport = { previous: PreviousIdentity; input: Record<string, unknown>; texts?: PreparedTexts };

export type Body =
  | { kind: 'product'; data: ProductImport }
  | { kind: 'customer'; data: CustomerImport }
  | { kind: 'subscriber'; data: SubscriberImport }
  | { kind: 'entry'; data: EntryImport }
  | { kind: 'order'; data: OrderImport }
  | { kind: 'pastOrder'; data: PastOrderImport }
  | { kind: 'document'; data: DocumentImport }
  | { kind: PartKind; data: PartImport };

type PartKind =
  | 'business'
  | 'orders'
  | 'role'
  | 'mailTemplate'
  | 'collection'
  | 'category'
  | 'automation'
  | 'form'
  | 'sender'
  | 'redirect'
  | 'segment'
  | 'suppression'
  | 'promoCode'
  | 'member';

/** An image in the file: its row and metadata. */
export type NamedImage = Omit<MediaChange, 'alt'> & {
  row: number;
  alt: Alt;
  fileName?: string;
  /** In a gallery, which takes images and videos only. */
  isInGallery?: boolean;
};

/** The email of a customer, or the SKU of a variant. A product that is left without a key gets this ID. */
export type Repeated = { email: true } | { variant: number; id?: string };

export type RecordKey = {
  key: string;
  field: string;
  row: number;
  /** The value to remove from a record that repeats it. If missing, the record is rejected. */
  drop?: Repeated;
};

/** A converted record, made from one or more rows. */
export type Converted = Body & {
  /**
   * Identify the record: a later record in the same file with one of these keys is a duplicate. `field` is its column.
   */
  keys: RecordKey[];
  /** By URL. */
  images?: Map<string, NamedImage>;
  /** By default, fields are reported in the first row of the record, by their path. */
  places?: Places;
  /** The long texts of the record, sanitized and split into words. */
  texts?: { texts: string[]; processed: ProcessedText[] };
  /** Data in the file that can't be stored in the record. Reported if the record is saved. */
  warnings?: RowError[];
};

/** `skipped`: the record is left out on purpose, with the reasons to report. */
export type Outcome = { record: Converted } | { errors: RowError[] } | { skipped: RowError[] };

type Shared = {
  name: string;
  type: ImportType;
  /** Displayed to users. */
  label: string;
  /** A note for every file of this format. */
  note?: string;
};

export type CsvFormat = Shared & {
  isRecognized(columns: ReadonlyMap<string, number>): boolean;
  /** Whether the format reads this column. The import's notes list the others. */
  reads(column: string, to: Conversion): boolean;
  /** Whether the row continues the record of these rows. */
  isContinuation?(rows: readonly Row[], row: Row): boolean;
  /** Rows that belong to a record and can be anywhere in the file. */
  parts?: {
    /** The reference to the record this row belongs to; null if it is not a part. */
    ownerOf(row: Row): string | null;
    /** The references that parts can use for the record that starts with this row. */
    namesOf(row: Row): string[];
  };
  /** Decodes a cell, if the format escapes cells. */
  plain?(cell: string): string;
  convert(rows: readonly Row[], to: Conversion): Outcome;
  /** The reason to reject a recognized file with these columns; null if it is accepted. */
  refusal?(columns: ReadonlyMap<string, number>): string | null;
  /** Whether the caller must state where subscribers gave consent, because the file doesn't. */
  needsConsent?(columns: ReadonlyMap<string, number>): boolean;
  /** Whether the caller must choose the market for prices, because the file doesn't name one. */
  needsMarket?: (columns: ReadonlyMap<string, number>) => boolean;
};

/** Other lists of the same document that belong to its records. */
export type Related = {
  /** The paths of the lists. */
  paths: readonly string[];
  /** Returns a function that adds their items to a record. `isCut`: the lists were too large to read completely. */
  complete(
    lists: ReadonlyMap<string, Record<string, unknown>[]>,
    isCut: boolean,
  ): (value: Record<string, unknown>) => Record<string, unknown>;
};

export type JsonFormat = Shared & {
  isRecognized(sample: Record<string, unknown>): boolean;
  related?: Related;
  /** The fields of this record that the format ignores. */
  ignored?(value: Record<string, unknown>, to: Conversion): string[];
  convert(value: Record<string, unknown>, row: number, to: Conversion): Outcome;
};

export const rowError = (row: number, field: string, error: string, message: string): RowError => ({
  row,
  field,
  error,
  message,
});

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** `2023-03-24 10:23:10 UTC`, `2023-03-24T10:23:10-05:00`, and both without a time zone. */
const ISO_LIKE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;

/** Longer than any date. */
const MAX_DATE = 64;

/** Parses a date to seconds since 1970; undefined if invalid. */
export function secondsOf(text: string): number | undefined {
  if (text === '' || text.length > MAX_DATE) return undefined;
  if (/^\d{9,11}$/.test(text)) return Number(text);
  // Milliseconds.
  if (/^\d{12,14}$/.test(text)) return Math.floor(Number(text) / 1000);
  const [, day, time = '00:00', zone = 'Z'] = ISO_LIKE.exec(text) ?? [];
  const offset = zone.replace(/^(?:utc|gmt)$/i, 'Z');
  const ms = day === undefined ? parseOther(text) : Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1000);
}

const TIME_ZONE = /(?:[+-]\d\d:?\d\d|\b(?:Z|UTC|GMT|[A-Z][A-Z]T))$/i;

/** Without a time zone, the time is UTC, wherever the service runs. */
const parseOther = (text: string): number => Date.parse(TIME_ZONE.test(text) ? text : `${text} UTC`);

/** `true`, `yes`, `1`, `x`. */
export const isYes = (text: string) => /^(?:true|yes|y|1|x|ja|wahr)$/i.test(text);
