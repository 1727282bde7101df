/** Finds or starts the database of a process, checks it and migrates it. */
import type { Logger } from 'pino';
import type { Config, DatabaseSettings } from './config.ts';
import { type ConnectionTarget, openClient } from './db/client.ts';
import { startEmbedded } from './db/embedded/index.ts';
import { migrate } from './db/migrate.ts';
import { sharesSessions } from './db/pooler.ts';

const OLDEST_POSTGRESQL = 150_000;
/** An embedded server that has just started can be slow on a busy machine. */
const START_TIMEOUT_MS = 60_000;

/** `direct` is the server behind `target`, if `target` is a pooler. `replica` is its read replica, if any. */
export type Targets = { target: ConnectionTarget; direct: ConnectionTarget; replica?: ConnectionTarget | null };
export type Database = { targets: Targets; stop(): Promise<void> };

export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.database) return { targets: targetsOf(config.database), stop: async () => {} };
  const { stop, ...target } = await startEmbedded({ dataDir: config.dataDir, log });
  return { targets: { target, direct: target }, stop };
}

function targetsOf({ url, directUrl, replicaUrl, prepares }: DatabaseSettings): Targets {
  const direct = { url: directUrl ?? url };
  return {
    direct,
    target: directUrl ? { url, isPooled: true, prepares } : { ...direct, prepares },
    replica: replicaUrl === null ? null : { url: replicaUrl, prepares },
  };
}

/** Migrates the database. Throws a one-line error if it can't be used. */
export async function prepareDatabase({ target, ...targets }: Targets): Promise<string[]> {
  const direct = 'url' in targets.direct ? targets.direct : { ...targets.direct, connectTimeoutMs: START_TIMEOUT_MS };
  await checkServer(direct);
  if (target.isPooled) await (await open(target, 'the pooler')).end();
  return migrate(direct);
}

const open = (target: ConnectionTarget, what: string) =>
  openClient(target, 'souk-migrate').catch((error: Error & { code?: string }) => {
    throw new Error(`Can't connect to ${what}: ${error.message || error.code}.`);
  });

async function checkServer(direct: ConnectionTarget): Promise<void> {
  const client = await open(direct, 'the database');
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  await client.end();
  if (rows[0]!.version < OLDEST_POSTGRESQL) throw new Error('PostgreSQL 15 or newer is required.');
  if (await sharesSessions(direct)) {
    throw new Error(
      'DATABASE_URL points to a pooler in transaction mode. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.',
    );
  }
}
