/**
 * Simulates guests who buy something, in a separate process: receives a task by message and replies with its
 * measurements.
 */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { barePlan, type Call, type ResponseBody, STEPS, type Step, soukPlan, type Visit } from './purchase.ts';
import type { Measured } from './types.ts';

export type GuestOrder = {
  url: string;
  server: 'souk' | 'bare';
  businessId: string;
  productIds: string[];
  /**
   * `purchases`: complete purchases, one after another, for a few seconds. `steps`: all guests take the first step,
   * then all take the second, so that each step has its own rate. `firstReads`: logged-in guests send their first request.
   */
  play:
    | { purchases: { seconds: number } }
    | { steps: { guests: number; pausesMs?: number } }
    | { firstReads: { guests: number } };
};
export type GuestFigures = { purchases?: Measured; steps?: Record<Step, Measured>; firstReads?: Measured };

const GUESTS_AT_ONCE = 32;

const agent = new Agent({ keepAlive: true, maxSockets: GUESTS_AT_ONCE });

process.on('message', async (order: GuestOrder) => {
  process.send?.(await play(order));
});
process.on('disconnect', () => process.exit(0));

async function play({ url, server, businessId, productIds, play: what }: GuestOrder): Promise<GuestFigures> {
  const plan = (server === 'souk' ? soukPlan : barePlan)(businessId);
  let count = 0;
  const arrive = (): Visit => ({
    productId: productIds[count++ % productIds.length]!,
    token: '',
    orderId: '',
    payPath: '',
  });
  const take = async (step: Step | 'firstRead', visit: Visit) => {
    const { call, read } = plan[step];
    const response = await send(url, call(visit), visit.token);
    read?.(visit, JSON.parse(response) as ResponseBody);
  };

  if ('purchases' in what) {
    const until = performance.now() + what.purchases.seconds * 1000;
    const visits = function* () {
      while (performance.now() < until) yield arrive();
    };
    const buy = async (visit: Visit) => {
      for (const step of STEPS) await take(step, visit);
    };
    return { purchases: await runGuests(visits(), buy) };
  }
  const visits = Array.from({ length: ('steps' in what ? what.steps : what.firstReads).guests }, arrive);
  const all = (step: Step | 'firstRead') => runGuests(visits.values(), (visit) => take(step, visit));
  if ('firstReads' in what) {
    await all('log in');
    return { firstReads: await all('firstRead') };
  }
  const steps = {} as Record<Step, Measured>;
  for (const step of STEPS) {
    steps[step] = await all(step);
    if (!('steps' in what) || what.steps.pausesMs === undefined) continue;
    // Background work caused by a step counts toward that step.
    await delay(what.steps.pausesMs);
    process.send?.({ step });
  }
  return { steps };
}

/** Runs several visits at a time until all are done. */
async function runGuests(visits: Iterator<Visit>, work: (visit: Visit) => Promise<void>): Promise<Measured> {
  const times: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const guest = async () => {
    for (let next = visits.next(); !next.done; next = visits.next()) {
      const before = performance.now();
      await work(next.value).then(
        () => times.push(performance.now() - before),
        () => errors++,
      );
    }
  };
  await Promise.all(Array.from({ length: GUESTS_AT_ONCE }, guest));
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / elapsedSeconds, p50: at(0.5), p975: at(0.975), p99: at(0.99), errors };
}

function send(url: string, { method, path, json, form }: Call, token: string): Promise<string> {
  const body = json ? JSON.stringify(json) : form;
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded';
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent, timeout: 30_000 }, (response) => {
      const { statusCode = 0 } = response;
      text(response).then((body) => {
        if (statusCode < 400) resolve(body);
        else reject(new Error(`${method} ${path} returned ${statusCode}: ${body}`));
      }, reject);
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('The request timed out')));
    sent.end(body);
  });
}
