import { LIMITS } from './client.ts';
import type { Db } from './sql.ts';

/**
 * Prepares a transaction for a statement that joins all rows of a business. More memory keeps its hash tables off the disk. Nested loops
 * are fast only if the estimates are right, and compiling the statement would take longer than running it. A low `random_page_cost` makes
 * PostgreSQL read sorted indexes that have all columns. The small cache size keeps it from looking up each row of a table by an index.
 */
export const prepareScan = (db: Db, maxMs = LIMITS.statementMs) => db`
  select set_config('work_mem', '64MB', true), set_config('jit', 'off', true), set_config('cursor_tuple_fraction', '1', true),
    set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true), set_config('random_page_cost', '1.1', true),
    set_config('effective_cache_size', '64MB', true), set_config('statement_timeout', ${String(maxMs)}, true)`;
