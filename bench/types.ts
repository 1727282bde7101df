import type { Pool } from '../src/db/pool.ts';

/** A series of requests that the load process repeats in turn. */
export type Load = {
  server: 'souk' | 'bare';
  requests: { method: string; path: string; headers?: Record<string, string>; body?: unknown }[];
  connections?: number;
  /** Send each request once, instead of repeating them for a fixed time. */
  once?: boolean;
};

export type Measured = { perSecond: number; p50: number; p975: number; p99: number; errors: number };

/** The measurement with the median throughput, and the errors of all. */
export function medianOf<M extends Measured>(measured: M[]): M {
  const sorted = [...measured].sort((a, b) => a.perSecond - b.perSecond);
  const errors = measured.reduce((sum, each) => sum + each.errors, 0);
  return { ...sorted[Math.floor(sorted.length / 2)]!, errors };
}

/** One line of the table. */
export type Line = {
  operation: string;
  ours: string;
  bare: string;
  ratio: string;
  p50: string;
  p99: string;
  memory: string;
  goal: string;
  met: boolean;
};

/** The context of a benchmark row. */
export type Bench = {
  pool: Pool;
  /** The duration of each load. */
  seconds: number;
  /** How many times ours and bare are measured alternately. */
  rounds: number;
  large: boolean;
  /** Runs ours and bare alternately, A B A B, and returns the median of each. */
  compare(ours: Load, bare: Load): Promise<{ ours: Measured; bare: Measured; memoryMb: number }>;
  measure(load: Load): Promise<Measured>;
  /** Calls the service, or the one at `url`, and returns the parsed response; an error response stops the benchmark. */
  call<T>(method: string, path: string, options?: { token?: string; body?: unknown; url?: string }): Promise<T>;
  memoryMb(): Promise<number>;
  shop: Shop;
  /** The URL of the service. */
  url: string;
  urls: Record<Load['server'], string>;
  /** For processes that a row starts itself. */
  env: NodeJS.ProcessEnv;
};

/** The business that all rows use. */
export type Shop = { businessId: string; adminId: string; adminToken: string; guestId: string; guestToken: string };

export type Row = { name: string; onlyLarge?: boolean; run(bench: Bench): Promise<Line[]> };

/** A line whose goal is a share of the bare route's throughput. */
export function ratioLine(
  operation: string,
  goalRatio: number,
  result: { ours: Measured; bare: Measured; memoryMb: number },
): Line {
  const { ours, bare, memoryMb } = result;
  const ratio = ours.perSecond / bare.perSecond;
  return {
    operation,
    ours: `${Math.round(ours.perSecond)}/s`,
    bare: `${Math.round(bare.perSecond)}/s`,
    ratio: `${Math.round(ratio * 100)} %`,
    p50: `${ours.p50.toFixed(1)} ms`,
    p99: `${ours.p99.toFixed(1)} ms`,
    memory: `${memoryMb} MB`,
    goal: `≥ ${Math.round(goalRatio * 100)} % of bare`,
    met: ratio >= goalRatio && ours.errors === 0 && bare.errors === 0,
  };
}

/** A line for a single figure. */
export const plainLine = (line: Partial<Line> & Pick<Line, 'operation' | 'ours' | 'goal' | 'met'>): Line => ({
  bare: '',
  ratio: '',
  p50: '',
  p99: '',
  memory: '',
  ...line,
});
