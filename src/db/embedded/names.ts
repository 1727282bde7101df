import type { Logger } from '../../shared/logger.ts';

export const PORT = 5432;
/** The name of the database, its only role and the cluster. */
export const NAME = 'souk';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;
/** PostgreSQL settings, by name. */
export type Settings = Record<string, string>;
