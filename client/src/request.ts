import { SoukError } from './errors.ts';
import type { ClientSession } from './session.ts';
import { progressFetch } from './upload.ts';

/** The last argument of every call. */
export type CallOptions = {
  signal?: AbortSignal;
  /** Timeout of each attempt in milliseconds. Defaults to 30,000. */
  timeoutMs?: number;
  /** Maximum number of attempts. Defaults to 5. */
  tries?: number;
  /**
   * An ETag, or a record that has one. The record is changed or deleted only if it still has this ETag. Otherwise, the call
   * fails with 412 `PRECONDITION_FAILED`.
   */
  ifMatch?: string | { etag?: string };
  /**
   * For POST requests. Defaults to a new key per call. All attempts of the call share it, so the request takes effect once.
   */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** The fraction of the body that has been sent, from 0 to 1. Only available in browsers. */
  onUploadProgress?: (share: number) => void;
};

/** Authenticates again and returns the token for `Souk-Step-Up`. Null if the user canceled. */
export type StepUpHandler = (error: SoukError) => Promise<string | null>;

export type Transport = {
  baseUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  apiKey?: string | undefined;
  session: ClientSession;
  stepUp?: StepUpHandler | undefined;
  timeoutMs: number;
  tries: number;
  /** The latest position in the write-ahead log that the service has reported. Requests that send it see the writes before it. */
  lsn?: string | undefined;
};

export type Call = {
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  /** Requires no token. */
  isPublic?: boolean;
  /** How to read the response. */
  as?: 'json' | 'text' | 'response';
};

const RETRIED = [0, 429, 502, 503, 504];
const FIRST_PAUSE_MS = 300;
/** If the server asks to wait longer, the call fails immediately. */
const LONGEST_PAUSE_SECONDS = 20;

/** Sends one call with its retries. */
export async function request<T>(transport: Transport, call: Call, options: CallOptions = {}): Promise<T> {
  const { session, apiKey } = transport;
  const { signal, tries = transport.tries } = options;
  const url = transport.baseUrl + call.path + queryString(call.query);
  const { headers, body } = encode(call, options);
  if (apiKey) headers['x-api-key'] = apiKey;
  const usesSession = !apiKey && !call.isPublic;
  let renewed = false;
  let steppedUp = false;
  for (let attempt = 1; ; attempt++) {
    const token = usesSession ? await session.accessToken() : null;
    if (token) headers.authorization = `Bearer ${token}`;
    if (transport.lsn) headers['souk-lsn'] = transport.lsn;
    try {
      return await once<T>(transport, call, url, { method: call.method, headers, body }, options);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof SoukError)) throw error;
      if (error.status === 401 && usesSession && !renewed && (await session.renew(token))) {
        renewed = true;
        attempt--;
        continue;
      }
      if (error.error === 'STEP_UP_REQUIRED' && transport.stepUp && !steppedUp) {
        const token = await transport.stepUp(error);
        if (token === null) throw error;
        headers['souk-step-up'] = token;
        steppedUp = true;
        attempt--;
        continue;
      }
      // An earlier attempt deleted it, but its response was lost.
      if (error.status === 404 && attempt > 1 && call.method === 'DELETE') return { success: true } as T;
      const pauseMs = pauseBefore(attempt, error);
      if (attempt >= tries || pauseMs === null) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function encode(call: Call, { ifMatch, idempotencyKey, headers: given }: CallOptions) {
  const headers: Record<string, string> = { ...given };
  const etag = typeof ifMatch === 'object' ? ifMatch.etag : ifMatch;
  if (etag) headers['if-match'] = etag;
  if (call.method === 'POST') headers['idempotency-key'] = idempotencyKey ?? randomKey();
  const { body } = call;
  const isPlain = typeof body === 'object' && body !== null && (isRecord(body) || Array.isArray(body));
  if (isPlain) headers['content-type'] = 'application/json';
  return { headers, body: isPlain ? JSON.stringify(body) : (body as RequestInit['body']) };
}

const isRecord = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

function queryString(query: object | undefined): string {
  if (!query) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) append(parameters, name, value);
  const text = parameters.toString();
  return text && `?${text}`;
}

function append(parameters: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const each of value) append(parameters, name, each);
  else if (typeof value === 'object')
    for (const [key, each] of Object.entries(value)) append(parameters, `${name}[${key}]`, each);
  else parameters.append(name, String(value));
}

async function once<T>(
  transport: Transport,
  call: Call,
  url: string,
  init: RequestInit,
  options: CallOptions,
): Promise<T> {
  const { signal, timeoutMs = transport.timeoutMs } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, timeoutMs);
  try {
    const { onUploadProgress } = options;
    const send = onUploadProgress && 'XMLHttpRequest' in globalThis ? progressFetch(onUploadProgress) : transport.fetch;
    const response = await send(url, { ...init, signal: controller.signal });
    noteLsn(transport, response.headers.get('souk-lsn'));
    if (!response.ok) throw await errorOf(response);
    return (await decode(response, call.as)) as T;
  } catch (error) {
    if (error instanceof SoukError) throw error;
    throw late
      ? new SoukError(0, {
          error: 'TIMEOUT',
          message: `The service did not respond within ${timeoutMs / 1000} seconds.`,
        })
      : new SoukError(0, { error: 'NETWORK', message: 'The service is unreachable.' }, { cause: error });
  } finally {
    clearTimeout(timer);
    // The body of a streamed response has not arrived yet. An abort cancels it too.
    if (call.as !== 'response') signal?.removeEventListener('abort', abort);
  }
}

/** Processes report their own positions, which may be older. */
function noteLsn(transport: Transport, lsn: string | null): void {
  if (lsn && (!transport.lsn || sortable(lsn) > sortable(transport.lsn))) transport.lsn = lsn;
}

/** A position has two hexadecimal numbers: `16/B374D848`. */
const sortable = (lsn: string) =>
  lsn
    .split('/')
    .map((part) => part.padStart(8, '0'))
    .join();

async function decode(response: Response, as: Call['as'] = 'json'): Promise<unknown> {
  if (as === 'response') return response;
  const text = await response.text();
  if (as === 'text') return text;
  const value = parse(text);
  if (value === undefined) throw await errorOf(response, text);
  const names = response.headers.get('souk-ignored');
  if (names && typeof value === 'object' && value !== null) reportIgnored(value, names.split(', '), response.url);
  const etag = response.headers.get('etag');
  // A single record has its ETag as a property, like the items in a list.
  if (etag && typeof value === 'object' && value !== null && !('etag' in value)) Object.assign(value, { etag });
  return value;
}

const ignored = new WeakMap<object, string[]>();

/**
 * The unknown fields and query parameters of the call that returned this result, which the service ignored:
 * `ignoredBy(await souk.products.create(product))`.
 */
export const ignoredBy = (result: object): string[] => ignored.get(result) ?? [];

function reportIgnored(result: object, names: string[], url: string): void {
  ignored.set(result, names);
  if (!isProduction()) console.warn(`${url} ignored unknown fields: ${names.join(', ')}`);
}

function isProduction(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.NODE_ENV === 'production';
  } catch {
    // Deno throws without permission to read the environment.
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function errorOf(response: Response, read?: string): Promise<SoukError> {
  const body = parse(read ?? (await response.text().catch(() => '')));
  const fields = typeof body === 'object' && body !== null ? body : {};
  return new SoukError(response.status, fields, {
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  });
}

/** Retry-After is a number of seconds or a date. */
function secondsOf(header: string | null): number | null {
  if (!header) return null;
  const seconds = Number(header);
  if (!Number.isNaN(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

/** Doubles with each attempt, with jitter so that clients don't retry all at once. Null if the call should not be retried. */
function pauseBefore(attempt: number, { status, retryAfterSeconds }: SoukError): number | null {
  if (!RETRIED.includes(status)) return null;
  const backOffMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  if (retryAfterSeconds === null) return Math.min(backOffMs, LONGEST_PAUSE_SECONDS * 1000);
  return retryAfterSeconds > LONGEST_PAUSE_SECONDS ? null : Math.max(backOffMs, retryAfterSeconds * 1000);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
