export type { Db, Tx } from './connection.ts';
