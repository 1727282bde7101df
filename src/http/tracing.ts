import { type OpenSpan, tracing } from '../shared/tracing.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | null;
  }
}

const SERVER_ERROR = 500;
/** nginx's status for a client that closed the connection. */
const CLIENT_CLOSED = 499;

/** Starts a span for each request, as a child of the caller's span if it sends one (W3C traceparent). */
export function traceRequests(app: App): void {
  if (tracing === null) return;
  const { begin } = tracing;
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const [method, route] = [request.method, request.routeOptions.url ?? 'none'];
    request.span = begin(`${method} ${route}`, {
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route },
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    request.span.run(done);
  });
  // Reading the body loses the async context, because it continues from socket events.
  app.addHook('preValidation', (request, _reply, done) => request.span!.run(done));
  const end = ({ span }: { span: OpenSpan | null }, status: number) =>
    span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= SERVER_ERROR ? { error: { code: String(status) } } : {}),
    });
  app.addHook('onResponse', async (request, reply) =>
    end(request, reply.raw.writableFinished ? reply.statusCode : CLIENT_CLOSED),
  );
}
