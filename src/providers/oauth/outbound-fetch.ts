import { CallFailed, type Outbound, Refused } from '../outbound/index.ts';
import { type boundedFetch, Unreachable } from './bounded-fetch.ts';

const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 10_000;

/** A `fetch` for providers that a business has configured: it only calls addresses that the business may call. */
export const outboundFetch =
  (outbound: Outbound, businessId: string): typeof boundedFetch =>
  async (url, options) => {
    const { method = 'GET', headers, body } = options as RequestInit;
    try {
      const response = await outbound.call(url, {
        businessId,
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        timeoutMs: TIMEOUT_MS,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      const timer = setTimeout(() => response.body.destroy(new CallFailed('it timed out')), TIMEOUT_MS);
      try {
        for await (const chunk of response.body as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          if (bytes > MAX_BYTES) throw new CallFailed('its response is too large');
          chunks.push(chunk);
        }
      } finally {
        clearTimeout(timer);
        response.body.destroy();
      }
      const type = response.headers['content-type'];
      return new Response(bytes > 0 ? Buffer.concat(chunks) : null, {
        status: response.status,
        headers: type ? { 'content-type': type } : {},
      });
    } catch (error) {
      const isCall = error instanceof Refused || error instanceof CallFailed;
      throw isCall ? new Unreachable(error.message, { cause: error }) : error;
    }
  };
