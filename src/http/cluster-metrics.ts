import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

const REQUEST = 'souk:metrics?';
const RESPONSE = 'souk:metrics';
let requests = 0;

type Message = { type: string; id: number; metrics?: object[]; text?: string };

/** In an HTTP child: the aggregated metrics of all HTTP children, collected by the primary. */
export function readClusterMetrics(own: Registry): Promise<string> {
  const id = ++requests;
  return new Promise((resolve) => {
    const finish = (text: string) => {
      clearTimeout(timer);
      process.off('message', receive);
      resolve(text);
    };
    const receive = (message: Message) => {
      if (message.type === RESPONSE && message.id === id && message.text !== undefined) finish(message.text);
    };
    const timer = setTimeout(() => own.metrics().then(finish), 2000);
    process.on('message', receive);
    process.send?.({ type: REQUEST, id });
  });
}

/** In an HTTP child: sends this process's metrics to the primary on request. */
export function reportOwnMetrics(registry: Registry): void {
  process.on('message', async (message: Message) => {
    if (message.type !== REQUEST) return;
    process.send?.({ type: RESPONSE, id: message.id, metrics: await registry.getMetricsAsJSON() });
  });
}

/** In the primary: on a child's request, collects the metrics of all children and sends back the sum. */
export function serveClusterMetrics(): void {
  let round = 0;
  cluster.on('message', async (requester, message: Message) => {
    if (message.type !== REQUEST) return;
    const id = ++round;
    const children = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
    const metrics = await Promise.all(children.map((child) => metricsOf(child, id)));
    const sum = AggregatorRegistry.aggregate(metrics.filter((part) => part !== null));
    send(requester, { type: RESPONSE, id: message.id, text: await sum.metrics() });
  });
}

function metricsOf(child: Worker, id: number): Promise<object[] | null> {
  return new Promise((resolve) => {
    const finish = (metrics: object[] | null) => {
      clearTimeout(timer);
      child.off('message', receive);
      resolve(metrics);
    };
    const receive = (message: Message) => {
      if (message.type === RESPONSE && message.id === id && message.metrics) finish(message.metrics);
    };
    const timer = setTimeout(() => finish(null), 1000);
    child.on('message', receive);
    send(child, { type: REQUEST, id }, () => finish(null));
  });
}

/** A child may exit at any moment. Without a callback, a failed send would crash the primary. */
const send = (child: Worker, message: Message, onFailure = () => {}) =>
  child.send(message, (error) => error && onFailure());
