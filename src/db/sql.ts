/**
 * SQL as tagged templates: db`select … where id = ${id}`. Values are sent as parameters, never as part of the text. A nested statement
 * becomes part of the outer one. Nothing is sent until it is awaited or executed.
 *
 * Columns are snake_case in SQL and camelCase in rows; int8 is a number (amounts and times stay below 2^53).
 */

import { jsonText } from '../shared/text/json-text.ts';

/** Sends a statement and returns its rows. */
export type Run = (text: string, values: unknown[]) => Promise<object[]>;

// biome-ignore lint/suspicious/noExplicitAny: rows without a declared type are untyped.
export type Row = Record<string, any>;

/** A handle for reading. */
export interface Db {
  <Rows extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Rows>;
  /** Quoted column or table names. */
  (names: string | readonly string[]): Fragment;
  /** For an insert: column names and values. */
  (row: object): Fragment;
  /** Trusted SQL text, as a statement or part of one, with parameters `$1`, `$2`, … */
  text<Rows extends readonly object[] = Row[]>(text: string, values?: unknown[]): Statement<Rows>;
  json(value: unknown): Json;
}

/** A handle for writing: a transaction. Functions that write or lock take this. */
export interface Tx extends Db {
  /** Rolls back the writes of `work` if it throws; the transaction continues. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** A part of a statement that appends itself to the text. */
export abstract class Fragment {
  abstract write(draft: Draft): void;
}

type Draft = { text: string; values: unknown[] };

/** A statement that is sent when it is awaited or executed. */
export class Statement<Rows> extends Fragment implements Promise<Rows> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly #run: Run;
  readonly #strings: readonly string[] | string;
  readonly #values: unknown[];
  #rows: Promise<Rows> | null = null;

  constructor(run: Run, strings: readonly string[] | string, values: unknown[]) {
    super();
    this.#run = run;
    this.#strings = strings;
    this.#values = values;
  }

  /** Sends the statement, once. */
  execute(): Promise<Rows> {
    this.#rows ??= this.#send() as Promise<unknown> as Promise<Rows>;
    return this.#rows;
  }

  #send(): Promise<object[]> {
    if (typeof this.#strings !== 'string' && !this.#values.some(isPart)) {
      return this.#run(plainText(this.#strings), this.#values.map(sentAs));
    }
    const draft: Draft = { text: '', values: [] };
    this.write(draft);
    return this.#run(draft.text, draft.values);
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement is how it is sent.
  then<A = Rows, B = never>(
    onRows?: ((rows: Rows) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(onRows, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Rows | B> {
    return this.execute().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Rows> {
    return this.execute().finally(onEnd);
  }

  write(draft: Draft): void {
    if (typeof this.#strings === 'string') {
      if (draft.text !== '' && this.#values.length > 0)
        throw new Error("SQL with bound values can't be embedded in another statement");
      draft.text += this.#strings;
      draft.values.push(...this.#values);
      return;
    }
    draft.text += this.#strings[0];
    for (let i = 0; i < this.#values.length; i++) {
      writeValue(draft, this.#values[i]);
      draft.text += this.#strings[i + 1];
    }
  }
}

const plainTexts = new WeakMap<readonly string[], string>();

/** The text of a template without fragments. Built once, because it is looked up for every query. */
function plainText(strings: readonly string[]): string {
  let text = plainTexts.get(strings);
  if (text === undefined) {
    text = strings.reduce((before, part, i) => `${before}$${i}${part}`);
    plainTexts.set(strings, text);
  }
  return text;
}

const isPart = (value: unknown) => value instanceof Fragment || (Array.isArray(value) && value[0] instanceof Fragment);

const sentAs = (value: unknown) => (value instanceof Json ? value.text : value);

function writeValue(draft: Draft, value: unknown): void {
  if (isPart(value)) {
    for (const part of [value].flat() as Fragment[]) {
      part.write(draft);
      draft.text += ' ';
    }
  } else {
    draft.values.push(sentAs(value));
    draft.text += `$${draft.values.length}`;
  }
}

class Json {
  readonly text: string;

  constructor(value: unknown) {
    this.text = jsonText(value);
  }

  get bytes(): number {
    return Buffer.byteLength(this.text);
  }
}

class Names extends Fragment {
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    super();
    this.#names = names;
  }

  write(draft: Draft): void {
    draft.text += this.#names.map(quote).join(', ');
  }
}

class InsertedRow extends Fragment {
  readonly #row: Record<string, unknown>;

  constructor(row: object) {
    super();
    this.#row = row as Record<string, unknown>;
  }

  write(draft: Draft): void {
    const columns = Object.keys(this.#row);
    draft.text += `(${columns.map((column) => quote(toSnake(column))).join(', ')}) values (`;
    for (const [i, column] of columns.entries()) {
      if (i > 0) draft.text += ', ';
      writeValue(draft, this.#row[column]);
    }
    draft.text += ')';
  }
}

/** `s.created_at` becomes `"s"."created_at"`. */
const quote = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function createDb(run: Run): Db {
  const db = (first: TemplateStringsArray | string | readonly string[] | object, ...values: unknown[]) => {
    if (typeof first === 'string') return new Names([first]);
    if (!Array.isArray(first)) return new InsertedRow(first);
    return 'raw' in first ? new Statement(run, first as unknown as readonly string[], values) : new Names(first);
  };
  return Object.assign(db, {
    text: (text: string, values: unknown[] = []) => new Statement(run, text, values),
    json: (value: unknown) => new Json(value),
  }) as Db;
}

let savepoints = 0;

export function createTx(run: Run): Tx {
  return Object.assign(createDb(run), {
    async savepoint<T>(work: () => Promise<T>): Promise<T> {
      const name = `s${++savepoints}`;
      await run(`savepoint ${name}`, []);
      try {
        return await work();
      } catch (error) {
        await run(`rollback to savepoint ${name}`, []);
        throw error;
      }
    },
  });
}
