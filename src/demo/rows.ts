import type { Tx } from '../db/sql.ts';
import { jsonText } from '../shared/text/json-text.ts';

/** Inserts rows in one statement, in the given order. All rows must have the same fields. */
export async function insertRows(tx: Tx, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = new Map(Object.keys(first).map((field) => [field, columnOf(field)]));
  const columns = [...names.values()].join(', ');
  const renamed = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [names.get(field), value])),
  );
  await tx.text(
    `insert into ${table} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [jsonText(renamed)],
  );
}

const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
