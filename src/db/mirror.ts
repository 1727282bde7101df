import type { Logger } from 'pino';
import type { Broadcast } from './broadcast.ts';
import type { Db } from './sql.ts';

const RETRY_MS = 1000;

type Platform = { broadcast: Pick<Broadcast, 'subscribe' | 'onReset'>; log: Pick<Logger, 'error'> };

type Mirrored<T> = { name: string; empty: T; isAbout: (subject: string) => boolean; read: (db: Db) => Promise<T> };

/** Data that nearly every request needs, in memory: read at the start and after each change. A failed read is repeated. */
export function createMirror<T>({ broadcast, log }: Platform, { name, empty, isAbout, read }: Mirrored<T>) {
  let current = empty;
  let latest = 0;

  async function load(db: Db): Promise<void> {
    const turn = ++latest;
    const next = await read(db);
    if (turn === latest) current = next;
  }

  function reload(db: Db): void {
    load(db).catch((error) => {
      log.error({ err: error }, `Loading ${name} failed`);
      setTimeout(reload, RETRY_MS, db).unref();
    });
  }

  return {
    async start(db: Db): Promise<void> {
      broadcast.subscribe((subject) => {
        if (isAbout(subject)) reload(db);
      });
      broadcast.onReset(() => reload(db));
      await load(db);
    },
    get: (): T => current,
  };
}
