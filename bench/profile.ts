/** Profiles a process by layer, as shares of its non-idle time. Started and stopped by messages. */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

export type Share = { layer: string; percent: number };

const LAYERS: [layer: string, at: RegExp][] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['system calls that write to sockets', /^(writeBuffer|writev|write\w+String) $/],
  ['Node: HTTP', /node:(_http|internal\/http)/],
  ['Node: sockets, streams and timers', /node:(net|events|internal\/(stream|timers|process|async|event))/],
  ['the driver, pg', /node_modules\/pg(-pool|-protocol|-types)?\//],
  ['Fastify', /node_modules\/(fastify|@fastify|find-my-way|fast-json-stringify|secure-json-parse|ajv)/],
  ['the job queue, pg-boss', /node_modules\/pg-boss/],
  ['Souk: the domain', /\/src\/(domains|providers)\//],
  ['Souk: HTTP, database and shared', /\/src\//],
  ['everything else', /(?:)/],
];

const session = new Session();
session.connect();

export async function startProfile(): Promise<void> {
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
}

export async function stopProfile(): Promise<Share[]> {
  const { profile } = await session.post('Profiler.stop');
  return sharesOf(profile);
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Share[] {
  const functions = new Map(
    nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName} ${callFrame.url.replace(/:\d+$/, '')}`]),
  );
  const times = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const name = functions.get(id)!;
    if (name.startsWith('(idle)')) continue;
    const [layer] = LAYERS.find(([, at]) => at.test(name))!;
    times.set(layer, (times.get(layer) ?? 0) + timeDeltas[i]!);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .map(([layer, time]) => ({ layer, percent: Math.round((100 * time) / total) }))
    .sort((a, b) => b.percent - a.percent);
}
