/** Short calls to external servers that a request waits for, with limits on time, size and concurrency. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createBound } from '../../shared/bound.ts';
import { signedHeaders } from '../../shared/security/webhook-signing.ts';
import { CallFailed, type CallOptions, type Outbound, Refused, TimedOut } from './index.ts';

const TIMEOUT_MS = 2000;
const MAX_RESPONSE_BYTES = 65_536;
const MAX_CALLS = 1000;
/** A slow server delays only its own business. */
const MAX_CALLS_PER_BUSINESS = 10;

/** A merchant's server, and the secret that signs calls to it. */
export type Receiver = { businessId: string; url: string; secret: string };

/** `id` identifies the call: a receiver that gets the same ID again has already handled it. */
type SignedCall = { id?: string; nowSeconds: number; payload: object };

export function createJsonCalls(outbound: Outbound, timeoutMs = TIMEOUT_MS) {
  const bound = createBound({ max: MAX_CALLS, maxPer: { business: MAX_CALLS_PER_BUSINESS } });

  /** Returns the body of a response with status 200. Throws `CallFailed`. */
  async function exchange(businessId: string, url: string, options: Pick<CallOptions, 'method' | 'headers' | 'body'>) {
    const leave = bound.enter({ business: businessId });
    if (!leave) throw new CallFailed('too many calls are running');
    const deadlineMs = performance.now() + timeoutMs;
    try {
      const response = await outbound.call(url, {
        businessId,
        ...options,
        headers: { 'user-agent': 'Souk/1', ...options.headers },
        timeoutMs,
        keepAlive: true,
      });
      const text = await readText(response.body, deadlineMs - performance.now());
      if (response.status !== 200) throw new CallFailed(`it responded with status ${response.status}`);
      return text;
    } catch (error) {
      throw error instanceof Refused ? new CallFailed(error.message, { cause: error }) : error;
    } finally {
      leave();
    }
  }

  async function post(businessId: string, url: string, body: string, headers: Record<string, string>) {
    const json = { 'content-type': 'application/json', accept: 'application/json' };
    return parse(await exchange(businessId, url, { method: 'POST', headers: { ...json, ...headers }, body }));
  }

  return {
    get: (businessId: string, url: string) => exchange(businessId, url, { method: 'GET' }),

    post: (businessId: string, url: string, payload: object) => post(businessId, url, JSON.stringify(payload), {}),

    /** Signed like a webhook, so that the receiver can verify the sender. */
    postSigned({ businessId, url, secret }: Receiver, call: SignedCall): Promise<unknown> {
      const { id = `call_${randomUUID()}`, nowSeconds, payload } = call;
      const body = JSON.stringify(payload);
      return post(businessId, url, body, signedHeaders([secret], id, nowSeconds, body));
    },
  };
}

export type JsonCalls = ReturnType<typeof createJsonCalls>;

async function readText(body: Readable, withinMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(new TimedOut()), Math.max(0, withinMs));
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) throw new CallFailed('its response is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof CallFailed ? error : new CallFailed('it is unreachable', { cause: error });
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CallFailed('its response is not JSON', { cause: error });
  }
}
