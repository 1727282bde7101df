/** What an error of the database means to us. */
import { ServiceError, unavailable } from '../shared/errors.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** A serialization failure, a deadlock, or a prepared statement that the session does not know: it has left no trace, so try again. */
export const isRetryable = (error: unknown) => ['40001', '40P01', '26000'].includes(codeOf(error));

/** A statement that came behind one that failed: not the cause. */
export const isAfterFailure = (error: unknown) => codeOf(error) === '25P02';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);

/** What `pg` says, without a code, of a connection that is gone. */
const LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;

/** True when nothing answers there at all. */
export const isUnreachable = (error: unknown) =>
  SOCKET_CODES.has(codeOf(error)) || (error instanceof Error && LOST.test(error.message));

/** True when the connection that raised this is gone, or of no use: its server takes no writes any more. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === '') return error instanceof Error && LOST.test(error.message);
  return SOCKET_CODES.has(code) || code.startsWith('08') || code.startsWith('57P') || ['25P03', '25006'].includes(code);
}

/** Statements and locks that passed their time limit. An idle transaction that did has lost its connection. */
const TIMEOUT_CODES = new Set(['57014', '55P03']);

export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03';

/** True when the database is away, too busy or turning us away, also after tries: the caller gets 503 and may try again. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ServiceError) return error.kind === 'UNAVAILABLE';
  const code = codeOf(error);
  return isConnectionLost(error) || isRetryable(error) || code.startsWith('53') || TIMEOUT_CODES.has(code);
}

/**
 * True when `error` is a violation of the named unique constraint or index. A Citus cluster says it only in the message, with
 * the number of the shard behind the name.
 */
export function violatesUnique(error: unknown, constraint: string): boolean {
  if (codeOf(error) !== '23505') return false;
  const { constraint: named, message } = error as Error & { constraint?: string };
  return named === undefined ? new RegExp(`\\b${constraint}(_\\d+)?\\b`).test(message) : named === constraint;
}

/**
 * True when the database refuses a value (class 22), what it would break (23) or its size (54). A Citus cluster that copies rows
 * to a node says it only in the message.
 */
export const isRefusedValue = (error: unknown) =>
  /^(?:22|23|54)/.test(codeOf(error)) ||
  (codeOf(error) === 'XX000' && /violates [a-z-]+ constraint/.test((error as Error).message));

export const tooBusy = () => unavailable('The service is too busy. Try again soon.');
