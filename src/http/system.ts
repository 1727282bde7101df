import type { Db } from '../db/sql.ts';
import { unavailable } from '../shared/errors.ts';
import type { App } from './server.ts';

export type SystemOptions = { db: Db; isReady: () => boolean; metrics: () => Promise<string> };

/** What operators and tools ask: is it up, is it ready, how is it doing, what can it do. */
export function systemRoutes(app: App, { db, isReady, metrics }: SystemOptions): void {
  app.get('/healthz', { config: { access: 'public' } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { access: 'public' } }, async () => {
    if (!isReady()) throw unavailable('The service is starting or stopping.');
    await db`select 1`.catch(() => {
      throw unavailable('The database does not answer.');
    });
    return { status: 'ready' };
  });

  app.get('/metrics', { config: { access: 'public' } }, async (_request, reply) => {
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    return metrics();
  });

  app.get('/openapi.json', { config: { access: 'public' } }, () => app.swagger());
}
