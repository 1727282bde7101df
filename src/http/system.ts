import Type, { type TSchema } from 'typebox';
import { unavailable } from '../shared/errors.ts';
import { withDeadline } from './deadline.ts';
import { documentOf } from './openapi.ts';
import type { App } from './server.ts';

type SystemOptions = {
  /** Raises when what requests need of the database does not work. */
  probe: () => Promise<void>;
  isReady: () => boolean;
  metrics: () => Promise<string>;
  shapes: () => Promise<ReadonlyMap<string, TSchema>>;
};

const DATABASE_DEADLINE_MS = 1500;
const tags = ['System'];
const Status = (example: string) => Type.Object({ status: Type.String({ examples: [example] }) });

/** What operators and tools ask: is it up, is it ready, how is it doing, what can it do. */
export function systemRoutes(app: App, { probe, isReady, metrics, shapes }: SystemOptions): void {
  const checkDatabase = databaseCheck(probe);

  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: { tags, operationId: 'getHealth', summary: 'Is the process up?', response: { 200: Status('ok') } },
    },
    () => ({ status: 'ok' }),
  );

  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Can it take requests?',
        description: 'The database answers and its migrations are done; else 503.',
        response: { 200: Status('ready') },
      },
    },
    async () => {
      if (!isReady()) throw unavailable('The service is starting or stopping. Try again soon.');
      await checkDatabase();
      return { status: 'ready' };
    },
  );

  app.get(
    '/metrics',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Figures for Prometheus',
        response: { 200: { description: 'The figures', content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) => {
      reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
      return metrics();
    },
  );

  let document: Promise<object> | undefined;
  app.get(
    '/openapi.json',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getDocument',
        summary: 'This document',
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    () => {
      document ??= shapes().then((named) => documentOf(app, named));
      return document;
    },
  );
}

/**
 * Raises 503 when the database does not answer in time. Whoever asks while a check is under way gets its outcome, so that a
 * database that hangs is not sent one statement more for each of them.
 */
function databaseCheck(probe: SystemOptions['probe']): () => Promise<unknown> {
  const away = () => Promise.reject(unavailable('The database does not answer.'));
  let check: Promise<unknown> | undefined;
  return () => {
    check ??= withDeadline(probe().catch(away), DATABASE_DEADLINE_MS, away).finally(() => {
      check = undefined;
    });
    return check;
  };
}
