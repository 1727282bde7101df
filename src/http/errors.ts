import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../db/errors.ts';
import { type ErrorKind, type FactorRequest, type FieldError, ServiceError, unavailable } from '../shared/errors.ts';
import { requestId } from './request-id.ts';

export const STATUS: Record<ErrorKind, number> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  FORBIDDEN: 403,
  SECOND_FACTOR_MISSING: 403,
  SSO_REQUIRED: 403,
  KEY_UNCONFIRMED: 403,
  STEP_UP_REQUIRED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_MISMATCH: 422,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

type ErrorResponse = {
  status: number;
  error: string;
  message: string;
  details: FieldError[];
  /** A copy of the details, for clients that expect this name. */
  validationErrors: Pick<FieldError, 'field' | 'error'>[];
  requestId?: string;
} & Partial<FactorRequest>;

/** Sends the HTML page for an unknown URL. */
export type NotFoundPage = (reply: FastifyReply) => FastifyReply;

/** The only place that turns errors into responses. */
export function handleErrors(app: FastifyInstance, notFoundPage?: NotFoundPage): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    if (notFoundPage && isPageRequest(request)) return notFoundPage(reply);
    return send(reply, response(404, 'NOT_FOUND', `Route ${request.method} ${request.url.split('?')[0]} not found.`));
  });
}

const isPageRequest = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && !url.startsWith('/v1/') && (headers.accept?.includes('text/html') ?? false);

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const body = errorResponse(error, request, reply);
  if (body.status === 413 && drain(request.raw)) reply.removeHeader('connection');
  return send(reply, body);
}

const DRAIN_LIMIT = 16 * 1024 * 1024;
const DRAIN_MS = 5000;

/**
 * Reads and discards the rest of an oversized body while the response is sent: if the connection was closed, a client that is
 * still writing would see a connection reset instead of the response. Closes it once the body is far too large or too slow.
 * Returns false if the body is too large to be read.
 */
function drain(body: IncomingMessage): boolean {
  if (body.readableEnded || body.destroyed) return true;
  if (Number(body.headers['content-length']) > DRAIN_LIMIT) return false;
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), DRAIN_MS);
  const finish = () => clearTimeout(timer);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAIN_LIMIT) body.destroy();
  };
  body.on('data', count).once('end', finish).once('close', finish).resume();
  return true;
}

/** Returns the response for an error. Sets its headers and logs server errors. */
export function errorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): ErrorResponse {
  const known = knownError(error);
  if (known && !hasDisconnected(request.raw)) {
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
    else if (known.kind === 'UNAVAILABLE') reply.header('retry-after', 1);
    if (known.kind === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
  }
  return describeError(error, request);
}

const knownError = (error: unknown) =>
  error instanceof ServiceError ? error : isDatabaseUnavailable(error) ? unavailable() : null;

/** The same without headers, for one item of a request. */
export function describeError(error: unknown, request: FastifyRequest): ErrorResponse {
  if (hasDisconnected(request.raw)) return response(400, 'BAD_REQUEST', 'The request body is incomplete.');
  const known = knownError(error);
  if (known) {
    if (known.kind === 'UNAVAILABLE') logUnavailable(request, known.message, error as Error);
    return { ...response(STATUS[known.kind], known.kind, known.message, known.details), ...known.factorRequest };
  }
  const status = (error as FastifyError).statusCode ?? 500;
  if (status === 413) return response(413, 'PAYLOAD_TOO_LARGE', 'The request body is too large.');
  if (status === 415) {
    return response(415, 'UNSUPPORTED_MEDIA_TYPE', "The content type isn't supported.");
  }
  if (status >= 400 && status < 500) return response(400, 'BAD_REQUEST', 'The request is malformed.');
  request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'Unexpected error');
  const message = `An unexpected error occurred (request ${request.id}).`;
  return { ...response(500, 'INTERNAL', message), requestId: request.id };
}

const SUMMARY_MS = 1000;
/** The number of responses since the last log entry, by message. */
const unlogged = new Map<string, number>();

/** Logs the first response with each message, then a count after a second, without stack traces: overload causes thousands. */
function logUnavailable({ log, id }: FastifyRequest, message: string, { message: cause }: Error): void {
  const count = unlogged.get(message);
  unlogged.set(message, (count ?? -1) + 1);
  if (count !== undefined) return;
  log.warn({ requestId: id, reason: message, ...(cause === message ? {} : { cause }) }, 'Service unavailable');
  const summary = setTimeout(() => {
    const more = unlogged.get(message)!;
    unlogged.delete(message);
    if (more > 0) log.warn({ reason: message, count: more }, 'Service unavailable (repeated)');
  }, SUMMARY_MS);
  summary.unref();
}

/** Whether the client disconnected before its body arrived. The resulting error can look like a database error. */
const hasDisconnected = (request: IncomingMessage) => request.destroyed && !request.complete;

/** For `handleBrokenRequest`: the client did not send its request in time. */
export class RequestTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** A request that violates HTTP or times out never reaches a route, so the response is written directly to the socket. */
export function handleBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, ...body } = brokenRequestResponse(error.code);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nx-request-id: ${requestId()}\r\nconnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  );
}

function brokenRequestResponse(code: string | undefined): ErrorResponse {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return response(408, 'REQUEST_TIMEOUT', 'The request timed out.');
  if (code === 'HPE_HEADER_OVERFLOW') return response(431, 'HEADERS_TOO_LARGE', 'The request headers are too large.');
  return response(400, 'BAD_REQUEST', 'The request is malformed.');
}

const response = (status: number, error: string, message: string, details: FieldError[] = []): ErrorResponse => ({
  status,
  error,
  message,
  details,
  validationErrors: details.map(({ field, error: code }) => ({ field, error: code })),
});

const send = (reply: FastifyReply, { status, ...body }: ErrorResponse) =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
