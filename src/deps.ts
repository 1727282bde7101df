import type { Config } from './config.ts';
import type { Broadcast } from './db/broadcast.ts';
import type { OneTrip } from './db/one-trip.ts';
import type { Pool } from './db/pool.ts';
import type { Db } from './db/sql.ts';
import type { Jobs } from './jobs/index.ts';
import type { Messages } from './jobs/messages.ts';
import type { Clock } from './shared/clock.ts';
import type { Logger } from './shared/logger.ts';
import type { Origins } from './shared/origins.ts';
import type { Cursors } from './shared/paging.ts';

/** What every domain is handed by `app.ts`: the platform, and nothing of another domain. */
export type Deps = Readonly<{
  config: Config;
  pool: Pool;
  /** For reads that always take well under a millisecond, such as those by key: they share few connections and go out together. */
  quick: Db;
  inOneTrip: OneTrip;
  broadcast: Broadcast;
  jobs: Jobs;
  messages: Messages;
  clock: Clock;
  cursors: Cursors;
  origins: Origins;
  log: Logger;
  /** Known for sure only once the service listens. */
  publicUrl: () => string;
}>;
