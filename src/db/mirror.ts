import type { Logger } from 'pino';
import type { Broadcast } from './broadcast.ts';
import type { Db } from './sql.ts';

const RETRY_MS = 1000;

type Platform = {
  broadcast: Pick<Broadcast, 'subscribe'> & { onReset: (forget: () => void) => unknown };
  log: Pick<Logger, 'error'>;
};

type Mirrored<T> = { name: string; empty: T; isAbout: (subject: string) => boolean; read: (db: Db) => Promise<T> };

/**
 * Data that nearly every request needs, in memory: read at startup and after each change. A failed read is repeated. All changes during a
 * read cause a single further read.
 */
export function createMirror<T>({ broadcast, log }: Platform, { name, empty, isAbout, read }: Mirrored<T>) {
  let current = empty;
  let changes = 0;
  let isReading = false;

  async function reload(db: Db): Promise<void> {
    changes++;
    if (isReading) return;
    isReading = true;
    try {
      for (let seen = 0; seen !== changes; ) {
        seen = changes;
        current = await read(db);
      }
    } catch (error) {
      log.error({ err: error }, `Failed to load ${name}`);
      setTimeout(reload, RETRY_MS, db).unref();
    } finally {
      isReading = false;
    }
  }

  return {
    async start(db: Db): Promise<void> {
      broadcast.subscribe((subject) => {
        if (isAbout(subject)) void reload(db);
      });
      broadcast.onReset(() => void reload(db));
      current = await read(db);
    },
    get: (): T => current,
  };
}
