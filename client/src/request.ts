import { SoukError } from './errors.ts';
import type { ClientSession } from './session.ts';
import { tellingFetch } from './upload.ts';

/** What every call takes as its last argument. */
export type CallOptions = {
  signal?: AbortSignal;
  /** For each try. Default 30,000. */
  timeoutMs?: number;
  /** How often it is tried at most. Default 5. */
  tries?: number;
  /** Change or delete only what is still as it was read: an ETag, or the record that carries it. Else 412 `PRECONDITION_FAILED`. */
  ifMatch?: string | { etag?: string };
  /** On a POST. Made for each call when left out, and sent with each of its tries, so that it has its effect once. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** How much of the body has left, from 0 to 1. In browsers only: elsewhere nobody can tell. */
  onUploadProgress?: (share: number) => void;
};

export type Transport = {
  baseUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  apiKey?: string | undefined;
  session: ClientSession;
  timeoutMs: number;
  tries: number;
};

export type Call = {
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  /** Needs no token. */
  isPublic?: boolean;
  /** What to make of the answer. */
  as?: 'json' | 'text' | 'response';
};

const RETRIED = [0, 429, 502, 503, 504];
const FIRST_PAUSE_MS = 300;
/** Who is told to wait for longer is told so at once. */
const LONGEST_PAUSE_SECONDS = 20;

/** One call: its tries, and what came of them. */
export async function request<T>(transport: Transport, call: Call, options: CallOptions = {}): Promise<T> {
  const { session, apiKey } = transport;
  const { signal, tries = transport.tries } = options;
  const url = transport.baseUrl + call.path + queryString(call.query);
  const { headers, body } = encode(call, options);
  if (apiKey) headers['x-api-key'] = apiKey;
  const usesSession = !apiKey && !call.isPublic;
  let renewed = false;
  for (let attempt = 1; ; attempt++) {
    const token = usesSession ? await session.accessToken() : null;
    if (token) headers.authorization = `Bearer ${token}`;
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
      // An earlier try, whose answer was lost, has deleted it.
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
    const send = onUploadProgress && 'XMLHttpRequest' in globalThis ? tellingFetch(onUploadProgress) : transport.fetch;
    const response = await send(url, { ...init, signal: controller.signal });
    if (!response.ok) throw await errorOf(response);
    return (await decode(response, call.as)) as T;
  } catch (error) {
    if (error instanceof SoukError) throw error;
    throw late
      ? new SoukError(0, { error: 'TIMEOUT', message: `There was no answer within ${timeoutMs / 1000} seconds.` })
      : new SoukError(0, { error: 'NETWORK', message: 'The service cannot be reached.' }, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function decode(response: Response, as: Call['as'] = 'json'): Promise<unknown> {
  if (as === 'response') return response;
  const text = await response.text();
  if (as === 'text') return text;
  const value = parse(text);
  if (value === undefined) throw await errorOf(response, text);
  const etag = response.headers.get('etag');
  // A record that was read carries its ETag, as the items of a list do.
  if (etag && typeof value === 'object' && value !== null && !('etag' in value)) Object.assign(value, { etag });
  return value;
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
  const answer = typeof body === 'object' && body !== null ? body : {};
  return new SoukError(response.status, answer, {
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

/** Doubles with each try, and differs between callers, so that they do not come back all at once. Null: it is not worth another try. */
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
