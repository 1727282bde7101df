/**
 * Loaded into every process that runs a test file: notes each statement that the service sends. At the end of the run `run.ts`
 * checks that those on tables of businesses name their business, so that a cluster knows the one node that has the rows.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const FOLDER = process.env.SOUK_TEST_STATEMENTS;

/** The sessions of the service itself; those of tests have other names. */
const SERVICE = new Set(['souk', 'souk-quick']);

if (process.env.NODE_TEST_CONTEXT && FOLDER) {
  const seen = new Set<string>();
  const { prototype } = pg.Client as unknown as { prototype: { query: (...given: unknown[]) => unknown } };
  const { query } = prototype;
  prototype.query = function (this: { connectionParameters: { application_name: string } }, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text && SERVICE.has(this.connectionParameters.application_name)) seen.add(text);
    return query.apply(this, given);
  };
  process.on('exit', () => writeFileSync(join(FOLDER, `${process.pid}.seen.json`), JSON.stringify([...seen])));
}

/** Work that looks over all businesses, by a part of its statement, and why that is right. */
const OVER_ALL: Record<string, string> = {
  'delete from idempotency_keys where expires_at <': 'Upkeep deletes what has expired.',
  'from stock where sold_as is null': 'Finds products that an older version has saved.',
  'select distinct business_id from event_outbox': 'Finds the businesses whose events wait to be numbered.',
};

/** Statements of the run that touch a table of businesses and name none, and exceptions that no statement needs. */
export function checkStatements(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.seen.json'));
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[];
  const tables = read('tables.json').join('|');
  const touches = new RegExp(`\\b(?:from|join|into|update|only)\\s+"?(?:${tables})\\b`, 'i');
  const names = /\bbusiness_id\s*=\s*\$|\binsert into \w+(?: as \w+)? \([^)]*\bbusiness_id\b/i;
  const statements = new Set(files.flatMap(read).map((text) => text.replaceAll(/\s+/g, ' ').trim()));
  return [...statements]
    .filter((text) => touches.test(text) && !names.test(text))
    .filter((text) => !Object.keys(OVER_ALL).some((part) => text.includes(part)))
    .sort();
}
