/** A converter for tests. */
import { invalidField } from '../../../src/shared/errors.ts';
import type { Host } from '../../../src/shared/threads/index.ts';

export type Task =
  | { task: 'echo'; value: unknown }
  | { task: 'steps'; count: number }
  | { task: 'ask' }
  | { task: 'loop' | 'records' | 'array' | 'map' | 'strings' | 'refuse' | 'crash' | 'state' };

let calls = 0;

export async function convert(given: Task, host: Host): Promise<unknown> {
  calls++;
  switch (given.task) {
    case 'echo':
      return given.value;
    case 'loop':
      for (;;);
    case 'steps':
      for (let i = 0; i < given.count; i++) {
        host.progress[0] = i + 1;
        spin(60);
      }
      return given.count;
    case 'records': {
      const kept: object[] = [];
      for (;;) kept.push({ kept: [kept.length] });
    }
    case 'array': {
      const kept: number[] = [];
      for (;;) kept.push(1.5);
    }
    case 'map': {
      const kept = [];
      for (;;) kept.push(new Map(Array.from({ length: 1_000_000 }, (_, i) => [i, i])));
    }
    case 'strings': {
      const kept: string[] = [];
      for (;;) kept.push('x'.repeat(2 ** 24).replace('x', 'é€'));
    }
    case 'refuse':
      throw invalidField('body', 'WRONG', 'This is wrong.');
    case 'crash':
      throw new Error('A mistake in the code');
    case 'ask':
      return [await host.ask('first'), await host.ask('second')];
    default:
      return calls;
  }
}

function spin(ms: number): void {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system > ms * 1000) return;
  }
}
