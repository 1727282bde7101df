import type { FastifyRequest } from 'fastify';
import { rateLimited } from '../../shared/errors.ts';
import { addressKey } from '../../shared/text/address-key.ts';
import type { App } from '../app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests without a token are not counted, as for health checks. */
    isFree?: boolean;
  }
  interface FastifyInstance {
    /** Charges a request without a token for slow work, in addition to its one unit. */
    chargeAnonymous(request: FastifyRequest, units: number): void;
  }
}

/** Unused budget accumulates for this long. */
const BURST_SECONDS = 5;
/** This many bytes of a response cost as much as a request. */
const BYTES_PER_UNIT = 16_384;
const MAX_ADDRESSES = 20_000;

type Budget = { units: number; atMs: number };

/**
 * The per-second budget of an IP address for routes that need no token: one unit per request, and more for a large response or a page that
 * has to be rendered. Otherwise, one client could keep the process busy. Beyond the budget, requests get 429.
 */
export function limitAnonymous(app: App, unitsPerSecond: number, now = () => performance.now()): void {
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

  app.chargeAnonymous = (request, units) => {
    if (isCharged(request)) budgetOf(request.ip).units -= units;
  };

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isCharged(request)) return done();
    const budget = budgetOf(request.ip);
    if (budget.units < 1) return done(exhausted);
    budget.units -= 1;
    done();
  });

  app.addHook('onSend', (request, _reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes >= BYTES_PER_UNIT) app.chargeAnonymous(request, bytes / BYTES_PER_UNIT);
    done();
  });
}

function isCharged({ routeOptions: { config } }: FastifyRequest): boolean {
  return !config.isFree && (config.access === undefined || config.access === 'public');
}
