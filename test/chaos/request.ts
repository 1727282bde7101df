import { setTimeout as pause } from 'node:timers/promises';
import type { History, Outcome } from './history.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const REQUEST_MS = 10_000;

/** The status is 0 if no response came. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await response.text();
    const etag = response.headers.get('etag');
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, etag };
  } catch {
    return { status: 0, body: null, etag: null };
  }
}

/** Requests to any process, counted as actions of the history. */
export function createClient(world: World, history: History, random: Random) {
  return {
    async act(action: string, method: string, path: string, headers: Record<string, string>, body?: unknown) {
      const response = await send(`${random.pick(world.shops).url}${path}`, method, headers, body);
      history.count(action, response);
      return response;
    },
    /** Repeats a request with the same key until its result is known, as a careful client does. */
    async retryUntilKnown(request: () => Promise<Outcome>): Promise<Outcome> {
      let response = await request();
      for (let tries = 1; tries < 20 && (response.status === 0 || response.status >= 500); tries++) {
        await pause(random.between(100, 1500));
        response = await request();
      }
      return response;
    },
    /** Reads a path from each process two seconds after access to it was revoked. A process that still allows it is a violation. */
    async expectRefused(action: string, path: string, headers: Record<string, string>, what: string): Promise<void> {
      await pause(2000);
      for (const { url, name } of world.shops) {
        const response = await send(`${url}${path}`, 'GET', headers);
        history.count(action, response);
        if (response.status === 200) history.violations.push(`${name} accepted ${what} after 2 s`);
      }
    },
  };
}
