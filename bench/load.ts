/** The load generator, in a separate process: receives a load by message and replies with its measurements. */
import autocannon from 'autocannon';
import type { Load, Measured } from './types.ts';

type Order = { url: string; load: Load; seconds: number };

process.on('message', async ({ url, load, seconds }: Order) => {
  process.send?.(await run(url, load, seconds));
});

async function run(url: string, load: Load, seconds: number): Promise<Measured> {
  const requests = load.requests.map(({ method, path, headers, body }) => ({
    method: method as 'GET',
    path,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }));
  const connections = load.connections ?? 32;
  let next = 0;
  const startedAt = performance.now();
  let lastAt = startedAt;
  const options: autocannon.Options = {
    url,
    connections,
    ...(load.once ? { amount: requests.length } : { duration: seconds }),
    timeout: 30,
    requests: [{ setupRequest: (request) => ({ ...request, ...requests[next++ % requests.length] }) }],
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error, measured) => (error ? reject(error) : resolve(measured)));
    // With `amount`, autocannon only stops at the next whole second.
    if (load.once) running.on('response', () => (lastAt = performance.now()));
  });
  const lastedSeconds = load.once ? (lastAt - startedAt) / 1000 : result.duration;
  return {
    perSecond: result['2xx'] / lastedSeconds,
    p50: result.latency.p50,
    p975: result.latency.p97_5,
    p99: result.latency.p99,
    errors: result.errors + result.non2xx,
  };
}
