import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../db/errors.ts';
import { type ErrorKind, type FieldError, ServiceError, unavailable } from '../shared/errors.ts';
import { requestId } from './request-id.ts';

const STATUS: Record<ErrorKind, number> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_MISMATCH: 422,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

export type ErrorAnswer = {
  status: number;
  error: string;
  message: string;
  details: FieldError[];
  /** The details again, for clients that look for them under this name. */
  validationErrors?: Pick<FieldError, 'field' | 'error'>[];
  requestId?: string;
};

/** What a person sees at an address that leads nowhere. */
export type NotFoundPage = (reply: FastifyReply) => FastifyReply;

/** The one place where an error becomes an answer. */
export function answerErrors(app: FastifyInstance, notFoundPage?: NotFoundPage): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    if (notFoundPage && isForPeople(request)) return notFoundPage(reply);
    return send(reply, answer(404, 'NOT_FOUND', `There is no ${request.method} ${request.url.split('?')[0]} here.`));
  });
}

const isForPeople = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && !url.startsWith('/v1/') && (headers.accept?.includes('text/html') ?? false);

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answered = errorAnswer(error, request, reply);
  if (answered.status !== 413) return send(reply, answered);
  return readToEnd(request.raw).then(() => send(reply, answered));
}

const READ_LIMIT = 16 * 1024 * 1024;
const READ_MS = 5000;

/**
 * Reads the rest of a body that is too large, and drops it: a client that is still writing when the connection closes sees a
 * reset instead of the answer. Gives up on one that is far too large or takes too long.
 */
function readToEnd(body: IncomingMessage): Promise<void> {
  if (Number(body.headers['content-length']) > READ_LIMIT) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      body.off('data', count).off('end', finish).off('close', finish);
      resolve();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > READ_LIMIT) finish();
    };
    const timer = setTimeout(finish, READ_MS);
    body.on('data', count).on('end', finish).on('close', finish).resume();
  });
}

/** What to answer. Sets the headers that go with it, and logs what is ours to mend. */
export function errorAnswer(error: unknown, request: FastifyRequest, reply: FastifyReply): ErrorAnswer {
  if (hasHungUp(request.raw)) return answer(400, 'BAD_REQUEST', 'The body did not arrive.');
  const known = error instanceof ServiceError ? error : isDatabaseAway(error) ? unavailable() : null;
  if (known) {
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
    else if (known.kind === 'UNAVAILABLE') reply.header('retry-after', 1);
    if (known.kind === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
    if (known.kind === 'UNAVAILABLE') logUnavailable(request, known.message, error as Error);
    return answer(STATUS[known.kind], known.kind, known.message, known.details);
  }
  const status = (error as FastifyError).statusCode ?? 500;
  if (status === 413) return answer(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than is accepted here.');
  if (status === 415) return answer(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  if (status >= 400 && status < 500) return answer(400, 'BAD_REQUEST', 'The request is malformed.');
  if (status === 503) return answer(503, 'UNAVAILABLE', 'The service is stopping. Try again soon.');
  request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'unexpected error');
  const message = `Something went wrong on our side (request ${request.id}).`;
  return { ...answer(500, 'INTERNAL', message), requestId: request.id };
}

const SUMMARY_MS = 1000;
/** How many answers were not logged since the last log entry, by their message. */
const unlogged = new Map<string, number>();

/** Without a stack, and of each message at most the first and a count in each second: under overload there are thousands. */
function logUnavailable({ log, id }: FastifyRequest, message: string, { message: cause }: Error): void {
  const count = unlogged.get(message);
  unlogged.set(message, (count ?? -1) + 1);
  if (count !== undefined) return;
  log.warn({ requestId: id, reason: message, ...(cause === message ? {} : { cause }) }, 'not available');
  const summary = setTimeout(() => {
    const more = unlogged.get(message)!;
    unlogged.delete(message);
    if (more > 0) log.warn({ reason: message, count: more }, 'not available, in one second');
  }, SUMMARY_MS);
  summary.unref();
}

/** True when the client went away before its body had arrived: its error is not one of the database, though it may look so. */
const hasHungUp = (request: IncomingMessage) => request.destroyed && !request.complete;

/** A request that breaks HTTP itself, or never ends, reaches no route: its answer is written to the socket. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, ...body } = brokenAnswer(error.code);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nx-request-id: ${requestId()}\r\nconnection: close\r\n\r\n${text}`,
    () => socket.destroy(),
  );
}

function brokenAnswer(code: string | undefined): ErrorAnswer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return answer(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time.');
  if (code === 'HPE_HEADER_OVERFLOW') return answer(431, 'HEADERS_TOO_LARGE', 'The headers are too large.');
  return answer(400, 'BAD_REQUEST', 'The request is malformed.');
}

const answer = (status: number, error: string, message: string, details: FieldError[] = []): ErrorAnswer => ({
  status,
  error,
  message,
  details,
  ...(details.length > 0
    ? { validationErrors: details.map(({ field, error: code }) => ({ field, error: code })) }
    : {}),
});

const send = (reply: FastifyReply, { status, ...body }: ErrorAnswer) =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
