/** How a statement is sent: prepared, its columns named as our code does, and told to whoever traces. */
import pg from 'pg';
import { tracing } from '../shared/tracing.ts';
import type { Client } from './client.ts';

/** Texts that were prepared, by the name they go by on the server. Rare shapes beyond these are not prepared. */
const names = new Map<string, string>();
const MAX_PREPARED = 1000;

export function sharedName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_PREPARED) return known;
  const name = `souk_${names.size}`;
  names.set(text, name);
  return name;
}

/** `created_at` becomes `createdAt`. */
const fields = new Map<string, string>();

function toCamel(column: string): string {
  let field = fields.get(column);
  if (field === undefined) {
    field = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (fields.size < 1000) fields.set(column, field);
  }
  return field;
}

type Result = { rows: object[] };
type Callback = (error: Error | null, result?: Result | Result[]) => void;
type Described = { fields: { name: string }[] };
type QueryConstructor = new (
  config: object,
  values: unknown,
  callback: Callback,
) => pg.Submittable & { handleRowDescription(message: Described): void };

/** Names the columns of its rows as our code does. */
class CamelQuery extends (pg.Query as unknown as QueryConstructor) {
  override handleRowDescription(message: Described): void {
    for (const field of message.fields) field.name = toCamel(field.name);
    super.handleRowDescription(message);
  }
}

const MAX_TOLD_TEXT = 2000;

/** The text of a statement holds none of its values. */
const spanOf = (text: string) => ({
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TOLD_TEXT) },
});

const summaryOf = (text: string) => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL';

/** A script has a result for each of its statements. */
const rowsOf = (result: Result | Result[]) => (Array.isArray(result) ? [] : result.rows);

/**
 * Sends a statement, prepared where it has values. It may follow others that are still under way. `mayPrepare` is false in
 * transactions behind a pooler: a statement behind one that failed is not prepared, and PgBouncer loses count of those that are.
 */
export function send(client: Client, text: string, values: unknown[], mayPrepare = true): Promise<object[]> {
  client.corkUntil(process.nextTick);
  const span = tracing === null ? null : tracing.begin(summaryOf(text), spanOf(text));
  return new Promise((resolve, reject) => {
    const name = mayPrepare && values.length > 0 ? client.nameOf(text) : undefined;
    const config = values.length > 0 ? { text, values, name } : { text };
    const callback: Callback = (error, result) => {
      span?.end(error ? { error } : undefined);
      if (!error) return resolve(rowsOf(result!));
      if (name !== undefined) client.noteFailure(text, name);
      reject(error);
    };
    client.query(new CamelQuery(config, undefined, callback));
  });
}
