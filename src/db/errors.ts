/** Classifies database errors. */
import { ServiceError, unavailable } from '../shared/errors.ts';
import { isLostMessage } from './driver.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/**
 * A serialization failure, a deadlock, or a prepared statement unknown to the session. Nothing was written, so it can
 * be retried.
 */
export const isRetryable = (error: unknown) => ['40001', '40P01', '26000'].includes(codeOf(error));

/** The statement failed because an earlier one in its transaction did. */
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

/** True if the server can't be reached. */
export const isUnreachable = (error: unknown) =>
  SOCKET_CODES.has(codeOf(error)) || (error instanceof Error && isLostMessage(error));

/** True if the connection is lost, or useless because its server became read-only. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Error && isLostMessage(error)) return true;
  const code = codeOf(error);
  return SOCKET_CODES.has(code) || code.startsWith('08') || code.startsWith('57P') || ['25P03', '25006'].includes(code);
}

/** A statement or lock timeout. After an idle-in-transaction timeout the connection is lost instead. */
const TIMEOUT_CODES = new Set(['57014', '55P03']);

export const isTimeout = (error: unknown) => TIMEOUT_CODES.has(codeOf(error));

/** The server has no connection, memory or disk space left. */
export const isFull = (error: unknown) => codeOf(error).startsWith('53');

export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03';

/**
 * True if the database is unreachable, overloaded or rejects us after retries. The caller gets 503 and can try again.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ServiceError) return error.kind === 'UNAVAILABLE';
  return isConnectionLost(error) || isRetryable(error) || isFull(error) || isTimeout(error);
}

/**
 * True if `error` is a violation of the named unique constraint or index. A Citus cluster appends the number of the shard to the
 * name, and the coordinator reports it only in the message.
 */
export function violatesUnique(error: unknown, constraint: string): boolean {
  if (codeOf(error) !== '23505') return false;
  const { constraint: named, message } = error as Error & { constraint?: string };
  // At most 10,000 characters: a message of the database.
  return new RegExp(`\\b${constraint}(_\\d+)?\\b`).test(named ?? message);
}

/**
 * True if the database rejects a value (class 22), a constraint violation (23) or a size (54). A Citus cluster that
 * copies rows to a node reports it only in the message.
 */
export const isRefusedValue = (error: unknown) =>
  /^(?:22|23|54)/.test(codeOf(error)) ||
  (codeOf(error) === 'XX000' && /violates [a-z-]+ constraint/.test((error as Error).message));

export const tooBusy = () => unavailable('The service is too busy. Try again later.');
