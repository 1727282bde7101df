import { type OpenSpan, tracing } from '../shared/tracing.ts';
import type { App } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | null;
  }
}

const OUR_FAULT = 500;
/** How others write of a client that went away. */
const CLIENT_GONE = 499;

/** A span for each request, below the caller's where it names one (W3C traceparent). What the request does stands below it. */
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
  // The body arrives by events of the socket, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => request.span!.run(done));
  const end = ({ span }: { span: OpenSpan | null }, status: number) =>
    span?.end({
      attributes: { 'http.response.status_code': status },
      ...(status >= OUR_FAULT ? { error: { code: String(status) } } : {}),
    });
  app.addHook('onResponse', async (request, reply) =>
    end(request, reply.raw.writableFinished ? reply.statusCode : CLIENT_GONE),
  );
}
