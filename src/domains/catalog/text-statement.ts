import type { Db } from '../../db/sql.ts';

/** Adds a parameter to the statement and returns its placeholder. */
export type AddValue = (value: unknown) => string;

/**
 * Runs a statement written as text. Lists are read often and vary a lot, and composing nested fragments would cost more
 * than the rest of the request.
 */
export function runText<Row extends object>(db: Db, write: (add: AddValue) => string) {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return db.text<Row[]>(text, values);
}
