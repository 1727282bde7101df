import { pipeline } from 'node:stream';
import Type from 'typebox';
import { requireAccess } from '../../http/access.ts';
import { closeIfStalled } from '../../http/clients/slow-clients.ts';
import { query, stream } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, PageOf } from '../../shared/schemas.ts';
import { readAccountAudit, readAudit, readFeed } from './list-events.ts';
import { AccountEvent, AuditEntry, Event, EventQuery, StreamQuery } from './schemas.ts';
import { openStream } from './stream.ts';

const tags = ['Events'];

export function eventRoutes(app: App): void {
  // Clients keep streams open, so shutdown must close them.
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const ending of open) ending.abort();
  });

  app.get(
    '/v1/businesses/:businessId/events',
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'List events',
        description:
          'With `after`, events are returned oldest first. To continue without missing an event, pass the ID of the last event you ' +
          'received. Without `after`, events are returned newest first.',
        params: BusinessParams,
        querystring: EventQuery,
        response: { 200: PageOf(Event) },
      },
    },
    (request) => query(request, readFeed, request.query),
  );

  app.get(
    '/v1/businesses/:businessId/audit',
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'listAuditEntries',
        summary: 'List audit log entries',
        description: 'Returns who changed what, when and from which IP address.',
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
        summary: 'Stream events',
        description:
          "Streams events as server-sent events. Use `fetch`, because `EventSource` can't send an authorization header. The stream " +
          'includes only events that your permissions allow you to read. It continues after `Last-Event-ID` or `after`, or starts with ' +
          'new events. It ends after 15 minutes or when your permissions change. Reconnect to continue.',
        params: BusinessParams,
        querystring: StreamQuery,
        response: {
          200: {
            description: 'The events, as server-sent events',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      // The client disconnected during the access check.
      if (reply.raw.destroyed) return void reply.hijack();
      const last = request.headers['last-event-id'];
      const after = typeof last === 'string' ? { after: last } : {};
      // Ends the wait for events immediately. Otherwise the stream would only close at its next heartbeat.
      const ending = new AbortController();
      reply.raw.once('close', () => ending.abort());
      open.add(ending);
      ending.signal.addEventListener('abort', () => open.delete(ending));
      const events = await stream(request, openStream, {
        ...request.query,
        ...after,
        ending,
        recheck: async () => {
          await requireAccess(request);
          return request.caller;
        },
      });
      reply.hijack();
      if (reply.raw.destroyed) return void events.destroy();
      reply.raw.writeHead(200, {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      } as Record<string, string>);
      // Closes both streams when one of them closes.
      pipeline(events, reply.raw, () => {});
      closeIfStalled(reply.raw, app.stallMs);
    },
  );

  app.get(
    '/v1/users/me/audit',
    {
      config: { access: 'token' },
      schema: {
        tags: ['Users'],
        operationId: 'listAccountEvents',
        summary: 'List my account events',
        querystring: PageQuery,
        response: { 200: PageOf(AccountEvent) },
      },
    },
    (request) => query(request, readAccountAudit, request.query),
  );
}
