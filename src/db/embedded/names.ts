import type { Logger } from '../../shared/logger.ts';

export const PORT = 5432;
/** Of the database, of its only role and of the cluster. */
export const NAME = 'souk';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;
/** PostgreSQL's own settings, by name. */
export type Settings = Record<string, string>;
