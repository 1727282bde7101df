export { isConnectionLost, isDatabaseAway, isRetryable, violatesUnique } from './errors.ts';
export { type ConnectionTarget, createPool as connect, inTransaction, type Pool } from './pool.ts';
export type { Db, Tx } from './sql.ts';
