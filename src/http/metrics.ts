import cluster from 'node:cluster';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Jobs } from '../jobs/index.ts';
import { clusterText, tellFigures } from './cluster-metrics.ts';
import { withDeadline } from './deadline.ts';
import type { App } from './server.ts';

/** A database that hangs must not take the other figures with it. */
const JOBS_DEADLINE_MS = 800;

/** Prometheus figures: Node's own, requests by route, jobs by queue. Several HTTP processes answer with their sum. */
export function createMetrics(jobs: Jobs) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  new Gauge({
    name: 'jobs',
    help: 'Jobs by queue and state; those in the queue "dead" have failed for good.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const queues = await withDeadline(
        jobs.stats().catch(() => []),
        JOBS_DEADLINE_MS,
        () => [],
      );
      for (const { name, waiting, active, failed } of queues) {
        this.set({ queue: name, state: 'waiting' }, waiting);
        this.set({ queue: name, state: 'active' }, active);
        this.set({ queue: name, state: 'failed' }, failed);
      }
    },
  });
  if (cluster.isWorker) tellFigures(registry);
  return {
    observe(app: App): void {
      app.addHook('onResponse', (request, reply, done) => {
        requests.observe(
          { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
          reply.elapsedTime / 1000,
        );
        done();
      });
    },
    text: () => (cluster.isWorker ? clusterText(registry) : registry.metrics()),
  };
}
