/** Judges how long a regular expression takes for the worst text. */
import { check, type Diagnostics } from 'recheck';

/** `slow`: more than linear time. `pumps`: the parts of a text for which it is slow. */
export type Verdict = { status: 'linear' | 'slow' | 'unknown'; summary: string; pumps: Pump[]; suffix: string };
type Pump = { prefix: string; pump: string };

const TIMEOUT_MS = 15_000;

export async function judge(source: string, flags: string): Promise<Verdict> {
  const found: Diagnostics = await check(source, flags, { timeout: TIMEOUT_MS });
  if (found.status === 'safe') return { status: 'linear', summary: found.complexity.summary, pumps: [], suffix: '' };
  if (found.status === 'unknown')
    return { status: 'unknown', summary: `not analyzed (${found.error.kind})`, pumps: [], suffix: '' };
  const { pumps, suffix } = found.attack;
  return {
    status: 'slow',
    summary: found.complexity.summary,
    pumps: pumps.map(({ prefix, pump }) => ({ prefix, pump })),
    suffix,
  };
}

/** The milliseconds for the worst known text of this length. */
export function costOf(source: string, flags: string, { pumps, suffix }: Verdict, length: number): number {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const count = Math.max(0, Math.floor((length - fixed) / pumped));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
  const expression = new RegExp(source, flags);
  const times = [1, 2, 3, 4, 5].map(() => {
    const start = process.threadCpuUsage().user;
    text.replace(expression, '');
    return process.threadCpuUsage().user - start;
  });
  return Math.min(...times) / 1000;
}
