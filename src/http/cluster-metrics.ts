import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

const ASK = 'souk:metrics?';
const REPLY = 'souk:metrics';
let asked = 0;

type Message = { type: string; id: number; figures?: object[]; text?: string };

/** In an HTTP child: the figures of all HTTP children together, gathered by the primary. */
export function clusterText(own: Registry): Promise<string> {
  const id = ++asked;
  return new Promise((resolve) => {
    const finish = (text: string) => {
      clearTimeout(timer);
      process.off('message', receive);
      resolve(text);
    };
    const receive = (message: Message) => {
      if (message.type === REPLY && message.id === id && message.text !== undefined) finish(message.text);
    };
    const timer = setTimeout(() => own.metrics().then(finish), 2000);
    process.on('message', receive);
    process.send?.({ type: ASK, id });
  });
}

/** In an HTTP child: answers the primary's question for this process's own figures. */
export function tellFigures(registry: Registry): void {
  process.on('message', async (message: Message) => {
    if (message.type !== ASK) return;
    process.send?.({ type: REPLY, id: message.id, figures: await registry.getMetricsAsJSON() });
  });
}

/** In the primary: a child asks, all children tell, the sum goes back. */
export function answerMetricsRequests(): void {
  let round = 0;
  cluster.on('message', async (asker, message: Message) => {
    if (message.type !== ASK) return;
    const id = ++round;
    const children = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
    const figures = await Promise.all(children.map((child) => figuresOf(child, id)));
    const sum = AggregatorRegistry.aggregate(figures.filter((part) => part !== null));
    send(asker, { type: REPLY, id: message.id, text: await sum.metrics() });
  });
}

function figuresOf(child: Worker, id: number): Promise<object[] | null> {
  return new Promise((resolve) => {
    const finish = (figures: object[] | null) => {
      clearTimeout(timer);
      child.off('message', receive);
      resolve(figures);
    };
    const receive = (message: Message) => {
      if (message.type === REPLY && message.id === id && message.figures) finish(message.figures);
    };
    const timer = setTimeout(() => finish(null), 1000);
    child.on('message', receive);
    send(child, { type: ASK, id }, () => finish(null));
  });
}

/** A child may end at any moment. Without a callback, what cannot be sent to it any more would end the primary. */
const send = (child: Worker, message: Message, onFailure = () => {}) =>
  child.send(message, (error) => error && onFailure());
