import cluster from 'node:cluster';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Jobs } from '../jobs/index.ts';
import type { App } from './app.ts';
import { readClusterMetrics, reportOwnMetrics } from './cluster-metrics.ts';
import { withDeadline } from './deadline.ts';

/** An unresponsive database must not block the other metrics. */
const JOBS_DEADLINE_MS = 800;

let ofProcess: Registry | undefined;

/** The metrics of Node.js. Created once per process, because their timers and observers run until it ends. */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The number of reads eligible for the read replica, by the server that served them. */
type ReplicaReads = Readonly<{ replica: number; primary: number }>;

/**
 * Prometheus metrics: Node.js, requests by route, jobs by queue, replica-eligible reads. With several HTTP processes, returns their sum, except for jobs.
 */
export function createMetrics(jobs: Jobs, reads?: ReplicaReads) {
  const registry = Registry.merge([processMetrics()]);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, from the first byte to the end of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  new Gauge({
    name: 'jobs',
    help: 'Jobs by queue and state. Jobs in the "dead" queue have failed permanently.',
    labelNames: ['queue', 'state'],
    // Every process counts the same jobs in the database.
    aggregator: 'max',
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
  if (reads) {
    new Counter({
      name: 'database_replica_reads_total',
      help: 'Reads intended for the read replica. The primary serves them if the replica is behind, busy or unavailable.',
      labelNames: ['answered_by'],
      registers: [registry],
      collect() {
        this.reset();
        this.inc({ answered_by: 'replica' }, reads.replica);
        this.inc({ answered_by: 'primary' }, reads.primary);
      },
    });
  }
  if (cluster.isWorker) reportOwnMetrics(registry);
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
    text: () => (cluster.isWorker ? readClusterMetrics(registry) : registry.metrics()),
  };
}
