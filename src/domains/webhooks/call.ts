import type { Readable } from 'node:stream';
import { CallFailed, type Outbound, Refused } from '../../providers/outbound/index.ts';
import type { WebhookAttempt } from './schemas.ts';
import { signedHeaders } from './signing.ts';

const MAX_ANSWER_BYTES = 1024;

export type Call = {
  url: string;
  secrets: readonly string[];
  id: string;
  body: string;
  nowSeconds: number;
  timeoutMs: number;
};

/** Calls the receiver once. It never raises: whatever happens is the outcome of the attempt. */
export async function callReceiver(outbound: Outbound, call: Call): Promise<WebhookAttempt> {
  const { url, secrets, id, body, nowSeconds, timeoutMs } = call;
  const begun = performance.now();
  const ended = (status: number | null, error: string | null, answer: string | null): WebhookAttempt => ({
    ...{ at: nowSeconds, status, durationMs: Math.round(performance.now() - begun), error, answer },
  });
  try {
    const answer = await outbound.call(url, {
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
    return ended(answer.status, null, await readStart(answer.body, begun + timeoutMs - performance.now()));
  } catch (error) {
    const isExpected = error instanceof Refused || error instanceof CallFailed;
    return ended(null, isExpected ? `${url}: ${error.message}` : (error as Error).message, null);
  }
}

export const isSuccess = ({ status }: WebhookAttempt) => status !== null && status >= 200 && status < 300;

/** The first bytes, as text that PostgreSQL can store. The rest is read only if it is short, so that the connection can be used again. */
async function readStart(body: Readable, withinMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), withinMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > 4 * MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status is what counts.
  }
  clearTimeout(timer);
  body.destroy();
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\0', '');
}
