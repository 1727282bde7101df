import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ATTACKS } from '../attacks/index.ts';
import { plainLine, type Row } from '../types.ts';

const ATTACK = fileURLToPath(new URL('../attack.ts', import.meta.url));
const CLIENTS = ATTACKS.reduce((sum, { clients }) => sum + clients, 0);
const OUTPUT = /p50 (\d+) ms, p99 (\d+) ms; peak memory (\d+) MB/;

/** Runs in a separate process, with its own service and database. */
export const attack: Row = {
  name: 'attack',
  async run({ seconds }) {
    const child = spawn(process.execPath, [ATTACK, '--seconds', String(seconds * 5)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    const [code] = await closed;
    const [, p50, p99, memoryMb] = OUTPUT.exec(output) ?? [];
    if (p99 === undefined) throw new Error(`bench/attack.ts exited with ${code}: ${output}`);
    return [
      plainLine({
        operation: `A normal client while ${CLIENTS} others misbehave`,
        ours: `${p99} ms`,
        p50: `${p50} ms`,
        p99: `${p99} ms`,
        memory: `${memoryMb} MB`,
        goal: 'p99 < 200 ms, memory < 600 MB',
        met: code === 0,
      }),
    ];
  },
};
