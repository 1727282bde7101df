import { createClient } from '../../client/src/index.ts';
import { plainLine, type Row } from '../types.ts';

const CALLS = 5000;
const ROUNDS = 7;
const BODY = JSON.stringify({ id: 'usr_1', email: 'ada@example.com', name: 'Ada' });

/** Responds immediately, so that only the cost of the client itself remains. */
const respondAtOnce = async (_url: string, _init: RequestInit) =>
  new Response(BODY, { headers: { 'content-type': 'application/json' } });

async function microsOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let i = 0; i < CALLS; i++) await call();
  return ((performance.now() - startedAt) * 1000) / CALLS;
}

export const clientCall: Row = {
  name: 'client-call',
  async run() {
    const souk = createClient({
      baseUrl: 'http://127.0.0.1',
      businessId: 'biz_1',
      apiKey: 'key',
      fetch: respondAtOnce,
    });
    const headers = { 'x-api-key': 'key' };
    const bare = async () => (await respondAtOnce('http://127.0.0.1/v1/users/me', { method: 'GET', headers })).json();
    await Promise.all([microsOf(bare), microsOf(souk.users.me)]);
    const extra: number[] = [];
    for (let round = 0; round < ROUNDS; round++) extra.push(-(await microsOf(bare)) + (await microsOf(souk.users.me)));
    const micros = extra.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    return [
      plainLine({
        operation: 'Client overhead per call, compared with fetch',
        ours: `${micros.toFixed(1)} µs`,
        goal: '< 50 µs',
        met: micros < 50,
      }),
    ];
  },
};
