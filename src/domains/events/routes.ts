import { pipeline } from 'node:stream';
import Type from 'typebox';
import { query, stepsOf } from '../../http/command.ts';
import { sendPage } from '../../http/json-answer.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, PageOf } from '../../shared/schemas.ts';
import type { EventServices } from './context.ts';
import { readAccountAudit, readAudit, readFeed } from './list-events.ts';
import { AccountEvent, AuditEntry, Event, EventQuery, StreamQuery } from './schemas.ts';
import { openStream } from './stream.ts';

const tags = ['Events'];

export function eventRoutes(app: App): void {
  app.get(
    '/v1/businesses/:businessId/events',
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Read what happened',
        description:
          'With `after` oldest first: go on from the last id you saw, and you miss nothing, whoever writes meanwhile. Without it newest first.',
        params: BusinessParams,
        querystring: EventQuery,
        response: { 200: PageOf(Event) },
      },
    },
    async (request, reply) => sendPage(reply, await query(request, readFeed, request.query)),
  );

  app.get(
    '/v1/businesses/:businessId/audit',
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'listAuditEntries',
        summary: 'Read who changed what',
        params: BusinessParams,
        querystring: EventQuery,
        response: { 200: PageOf(AuditEntry) },
      },
    },
    (request) => query(request, readAudit, request.query),
  );

  app.get(
    '/v1/businesses/:businessId/events/stream',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'streamEvents',
        summary: 'Follow what happens',
        description:
          'Server-sent events, to be read with fetch. Members get the events that their permissions let them read. Goes on after `Last-Event-ID` or `after`; without them with what happens from now on. Ends after 15 minutes, or when the rights of the caller change: connect again.',
        params: BusinessParams,
        querystring: StreamQuery,
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const ctx = stepsOf<EventServices>(request);
      const last = request.headers['last-event-id'];
      const after = typeof last === 'string' ? { after: last } : {};
      // Ends the wait for news at once: the stream alone would be closed at its next heartbeat.
      const ending = new AbortController();
      reply.raw.once('close', () => ending.abort());
      const stream = await openStream(ctx, { ...request.query, ...after, ending });
      reply.hijack();
      if (reply.raw.destroyed) return void stream.destroy();
      reply.raw.writeHead(200, {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      } as Record<string, string>);
      // Ends both when one of them ends.
      pipeline(stream, reply.raw, () => {});
    },
  );

  app.get(
    '/v1/users/me/audit',
    {
      config: { access: 'token' },
      schema: {
        tags: ['Users'],
        operationId: 'listAccountEvents',
        summary: 'Read what happened to my account',
        querystring: PageQuery,
        response: { 200: PageOf(AccountEvent) },
      },
    },
    (request) => query(request, readAccountAudit, request.query),
  );
}
