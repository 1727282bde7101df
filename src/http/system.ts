import type { Db } from '../db/sql.ts';
import { unavailable } from '../shared/errors.ts';
import { withDeadline } from './deadline.ts';
import type { App } from './server.ts';

export type SystemOptions = { db: Db; isReady: () => boolean; metrics: () => Promise<string> };

const DATABASE_DEADLINE_MS = 1500;

/** What operators and tools ask: is it up, is it ready, how is it doing, what can it do. */
export function systemRoutes(app: App, { db, isReady, metrics }: SystemOptions): void {
  const checkDatabase = databaseCheck(db);

  app.get('/healthz', { config: { access: 'public' } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { access: 'public' } }, async () => {
    if (!isReady()) throw unavailable('The service is starting or stopping.');
    await checkDatabase();
    return { status: 'ready' };
  });

  app.get('/metrics', { config: { access: 'public' } }, async (_request, reply) => {
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    return metrics();
  });

  app.get('/openapi.json', { config: { access: 'public' } }, () => app.swagger());
}

/**
 * Raises 503 when the database does not answer in time. Whoever asks while a check is under way gets its outcome, so that a
 * database that hangs is not sent one statement more for each of them.
 */
function databaseCheck(db: Db): () => Promise<unknown> {
  const away = () => Promise.reject(unavailable('The database does not answer.'));
  let check: Promise<unknown> | undefined;
  return () => {
    check ??= withDeadline(db`select 1`.catch(away), DATABASE_DEADLINE_MS, away).finally(() => {
      check = undefined;
    });
    return check;
  };
}
