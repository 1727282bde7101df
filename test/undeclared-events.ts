/** Finds fields of stored events that no schema of `src/event-schemas.ts` declares, and that clients therefore never get. */
import assert from 'node:assert/strict';
import type { Pool } from '../src/db/pool.ts';
import type { PickDeclared } from '../src/domains/events/event-data.ts';

/** Per business and type, because an import writes thousands of similar events. */
const MAX_EVENTS = 200;

export async function checkEventsDeclared(pool: Pool, pickDeclared: PickDeclared): Promise<void> {
  const rows = await pool<{ type: string; data: unknown; changes: unknown }[]>`
    select type, data, changes from (
      select type, data, changes, row_number() over (partition by business_id, type) as n from events
      union all
      select type, data, changes, row_number() over (partition by business_id, type) as n from event_outbox
      union all
      select type, data, null, row_number() over (partition by type) as n from account_events
    ) each
    where n <= ${MAX_EVENTS}`;
  const found = new Set<string>();
  for (const row of rows) {
    const picked = pickDeclared(row);
    for (const path of lostPaths(row.data, picked.data, 'data')) found.add(`${row.type}: ${path}`);
    for (const path of lostPaths(row.changes, picked.changes, 'changes')) found.add(`${row.type}: ${path}`);
  }
  assert.deepEqual([...found].sort(), [], 'The schemas of these event types do not declare these fields.');
}

/** The paths of fields that are in `stored` but not in `picked`. */
function lostPaths(stored: unknown, picked: unknown, path: string): string[] {
  if (stored !== undefined && picked === undefined) return [path];
  if (typeof stored !== 'object' || stored === null) return [];
  return Object.entries(stored).flatMap(([name, value]) =>
    lostPaths(value, (picked as Record<string, unknown>)[name], `${path}.${Array.isArray(stored) ? '*' : name}`),
  );
}
