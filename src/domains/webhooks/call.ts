import type { Readable } from 'node:stream';
import { CallFailed, type Outbound, Refused } from '../../providers/outbound/index.ts';
import { signedHeaders } from '../../shared/security/webhook-signing.ts';
import type { WebhookAttempt } from './schemas.ts';

const MAX_RESPONSE_BYTES = 1024;

export type Call = {
  businessId: string;
  url: string;
  secrets: readonly string[];
  id: string;
  body: string;
  nowSeconds: number;
  timeoutMs: number;
};

/** Calls the receiver once. Never throws: errors are part of the attempt's outcome. */
export async function callReceiver(outbound: Outbound, call: Call): Promise<WebhookAttempt> {
  const { businessId, url, secrets, id, body, nowSeconds, timeoutMs } = call;
  const startedMs = performance.now();
  const attempt = (status: number | null, error: string | null, response: string | null): WebhookAttempt => ({
    at: nowSeconds,
    status,
    durationMs: Math.round(performance.now() - startedMs),
    error,
    answer: response,
  });
  try {
    const response = await outbound.call(url, {
      businessId,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Souk-Webhooks/1',
        ...signedHeaders(secrets, id, nowSeconds, body),
      },
      body,
      timeoutMs,
      keepAlive: true,
    });
    return attempt(response.status, null, await readStart(response.body, startedMs + timeoutMs - performance.now()));
  } catch (error) {
    const isExpected = error instanceof Refused || error instanceof CallFailed;
    return attempt(null, isExpected ? `${url}: ${error.message}` : (error as Error).message, null);
  }
}

export const isSuccess = ({ status }: WebhookAttempt) => status !== null && status >= 200 && status < 300;

/** Reads the first bytes as text that PostgreSQL can store. Also reads a short remainder, so that the connection can be reused. */
async function readStart(body: Readable, withinMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), withinMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > 4 * MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // Only the status matters.
  }
  clearTimeout(timer);
  body.destroy();
  return Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '');
}
