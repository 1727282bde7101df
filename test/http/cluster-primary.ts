/** A primary with two HTTP children. One closes its channel and lives on; then the other asks for the figures of all, and prints them. */
import cluster from 'node:cluster';
import { Gauge, Registry } from 'prom-client';
import { answerMetricsRequests, clusterText, tellFigures } from '../../src/http/cluster-metrics.ts';

if (cluster.isPrimary) {
  answerMetricsRequests();
  const asking = cluster.fork({ ROLE: 'asking' });
  const leaving = cluster.fork({ ROLE: 'leaving' });
  leaving.once('disconnect', () => asking.send({ type: 'go' }));
  asking.once('exit', (code) => {
    leaving.process.kill('SIGKILL');
    process.exit(code);
  });
} else if (process.env.ROLE === 'leaving') {
  cluster.worker!.exitedAfterDisconnect = true;
  process.disconnect();
  // Nobody ends it when the primary has crashed.
  setTimeout(() => {}, 5000);
} else {
  const registry = new Registry();
  new Gauge({ name: 'asking', help: 'One.', registers: [registry] }).set(1);
  tellFigures(registry);
  process.on('message', async ({ type }: { type: string }) => {
    if (type !== 'go') return;
    process.stdout.write(await clusterText(registry), () => process.exit(0));
  });
}
