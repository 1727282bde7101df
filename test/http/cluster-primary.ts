/** A primary with two HTTP children. One disconnects but keeps running. The other then requests and prints all metrics. */
import cluster from 'node:cluster';
import { Gauge, Registry } from 'prom-client';
import { readClusterMetrics, reportOwnMetrics, serveClusterMetrics } from '../../src/http/cluster-metrics.ts';

if (cluster.isPrimary) {
  serveClusterMetrics();
  const requesting = cluster.fork({ ROLE: 'requesting' });
  const leaving = cluster.fork({ ROLE: 'leaving' });
  leaving.once('disconnect', () => requesting.send({ type: 'go' }));
  requesting.once('exit', (code) => {
    leaving.process.kill('SIGKILL');
    process.exit(code);
  });
} else if (process.env.ROLE === 'leaving') {
  cluster.worker!.exitedAfterDisconnect = true;
  process.disconnect();
  // Exits on its own if the primary has crashed.
  setTimeout(() => {}, 5000);
} else {
  const registry = new Registry();
  new Gauge({ name: 'requesting', help: 'One.', registers: [registry] }).set(1);
  reportOwnMetrics(registry);
  process.on('message', async ({ type }) => {
    if (type !== 'go') return;
    process.stdout.write(await readClusterMetrics(registry), () => process.exit(0));
  });
}
