import type { FastifyRequest } from 'fastify';
import { rateLimited } from '../../shared/errors.ts';
import { addressKey } from '../../shared/text/address-key.ts';
import type { App } from '../app.ts';
import { workOf } from './request-work.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests without a token are not counted, as for health checks. */
    isFree?: boolean;
  }
}

/** Unused budget accumulates for this long. */
const BURST_SECONDS = 5;
/** This many bytes of a response cost as much as a request. */
const BYTES_PER_UNIT = 16_384;
/** At the default limit, an IP address gets half of the CPU time of a process. */
const UNITS_PER_MS = 2;
const MAX_ADDRESSES = 20_000;

type Budget = { units: number; atMs: number };

/**
 * The per-second budget of an IP address for routes that need no token: one unit per request, and more for its CPU time and for a large
 * response. Otherwise, one client could keep the process busy. Beyond the budget, requests get 429.
 */
export function limitAnonymous(
  app: App,
  unitsPerSecond: number,
  { now = () => performance.now(), unitsPerMs = UNITS_PER_MS } = {},
): void {
  const budgets = new Map<string, Budget>();
  const max = unitsPerSecond * BURST_SECONDS;
  // Creating an error for each request would cost more than the rest of the response.
  const exhausted = rateLimited(1);

  function budgetOf(address: string): Budget {
    const key = addressKey(address);
    const nowMs = now();
    const known = budgets.get(key);
    const saved = known ? known.units + ((nowMs - known.atMs) / 1000) * unitsPerSecond : max;
    const budget = { units: Math.min(saved, max), atMs: nowMs };
    // Move to the end of the map, so that the first entry is the oldest.
    budgets.delete(key);
    budgets.set(key, budget);
    if (budgets.size > MAX_ADDRESSES) budgets.delete(budgets.keys().next().value!);
    return budget;
  }

  const charge = (request: FastifyRequest, units: number) => {
    budgetOf(request.ip).units -= units;
  };

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isCharged(request)) return done();
    const budget = budgetOf(request.ip);
    if (budget.units < 1) return done(exhausted);
    budget.units -= 1;
    workOf(request)?.chargeTo((ms) => charge(request, ms * unitsPerMs));
    done();
  });

  app.addHook('onSend', (request, _reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes >= BYTES_PER_UNIT && isCharged(request)) charge(request, bytes / BYTES_PER_UNIT);
    done();
  });
}

function isCharged({ routeOptions: { config } }: FastifyRequest): boolean {
  return !config.isFree && (config.access === undefined || config.access === 'public');
}
