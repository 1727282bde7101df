/** Sends a statement: prepared, traced, and with camelCase keys in its rows. */
import type pg from 'pg';
import { tracing } from '../shared/tracing.ts';
import { resumeWork, workInProgress } from '../shared/work.ts';
import type { Client } from './client.ts';
import { withValues } from './driver.ts';
import { findPrepared, type Query } from './statement-names.ts';

/** `created_at` becomes `createdAt`. */
const camelCased = new Map<string, string>();

function toCamel(column: string): string {
  let field = camelCased.get(column);
  if (field === undefined) {
    field = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (camelCased.size < 1000) camelCased.set(column, field);
  }
  return field;
}

const MAX_TRACED_TEXT = 2000;

/** The text of a statement contains none of its values. */
const spanOf = (text: string) => ({
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TRACED_TEXT) },
});

const summaryOf = (text: string) => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL';

function queryOf(text: string, values: unknown[], name: string | undefined): Query {
  const known = findPrepared(text);
  return withValues(known && known.name === name ? known : { text, name, rowMode: 'array' }, values);
}

/** Rows as objects with camelCase keys. A script of several statements has several results, which are ignored. */
function rowsOf(result: pg.QueryArrayResult | pg.QueryArrayResult[]): object[] {
  if (Array.isArray(result)) return [];
  const { fields } = result;
  return result.rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < fields.length; i++) row[toCamel(fields[i]!.name)] = values[i];
    return row;
  });
}

/**
 * Prepares statements with values. Other statements can be in flight on the connection. Pass `mayPrepare = false` in
 * transactions behind a pooler: after an error in the transaction, PostgreSQL prepares nothing, and PgBouncer does not
 * notice that.
 */
export function send(client: Client, text: string, values: unknown[], mayPrepare = true): Promise<object[]> {
  client.corkUntil(process.nextTick);
  const span = tracing === null ? null : tracing.begin(summaryOf(text), spanOf(text));
  const work = workInProgress();
  return new Promise((resolve, reject) => {
    const name = mayPrepare && values.length > 0 ? client.nameOf(text) : undefined;
    client.query(queryOf(text, values, name), (error: Error | null, result: pg.QueryArrayResult) => {
      resumeWork(work);
      span?.end(error ? { error } : undefined);
      if (!error) return resolve(rowsOf(result));
      if (name !== undefined) client.noteFailure(text, name);
      reject(error);
    });
  });
}
