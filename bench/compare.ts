/** Compares two checkouts: runs each row here and in the other one alternately, each with its own database. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Line } from './types.ts';

const run = promisify(execFile);
const ROUNDS = 3;
const HERE = fileURLToPath(new URL('..', import.meta.url));

type Figures = Map<string, Line['ours'][]>;

export async function compareCheckouts(other: string, rows: string[], flags: string[]): Promise<void> {
  const sides = [HERE, resolve(other)];
  process.stdout.write(`| operation | here | ${other} | relative speed |\n| --- | --- | --- | --- |\n`);
  for (const row of rows) {
    const [here, there] = await measure(sides, row, flags);
    for (const [operation, ours] of here!) {
      const theirs = there!.get(operation);
      if (theirs) process.stdout.write(`| ${operation} | ${compareMedians(ours, theirs)} |\n`);
    }
  }
}

/** The lines of each side in each round. A row that the other side lacks is measured once. */
async function measure(sides: string[], row: string, flags: string[]): Promise<Figures[]> {
  const figures: Figures[] = sides.map(() => new Map());
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of round % 2 ? [0, 1] : [1, 0]) {
      process.stderr.write(`${row}, round ${round + 1} of ${ROUNDS}, in ${sides[i]} …\n`);
      const lines = await linesOf(sides[i]!, row, flags);
      if (lines.length === 0) return figures.map(() => new Map());
      for (const { operation, ours } of lines) {
        figures[i]!.set(operation, [...(figures[i]!.get(operation) ?? []), ours]);
      }
    }
  }
  return figures;
}

/** Runs a row like `npm run bench` in that checkout. */
async function linesOf(cwd: string, row: string, flags: string[]): Promise<Line[]> {
  const { stdout } = await run('node_modules/.bin/node', ['bench/run.ts', '--json', '--only', row, ...flags], {
    cwd,
    maxBuffer: 10_000_000,
  });
  return JSON.parse(stdout).lines;
}

function compareMedians(ours: string[], theirs: string[]): string {
  const [here, there] = [median(ours), median(theirs)];
  const isRate = ours[0]!.includes('/s') && !ours[0]!.includes(' ms');
  const speed = isRate ? number(here) / number(there) : number(there) / number(here);
  return `${here} | ${there} | ${Math.round(speed * 100)} %`;
}

/** Figures are text such as `5093/s`, `4.0 ms (22 logins/s)` or `185 MB`: the first number is compared. */
const number = (figure: string) => Number.parseFloat(figure);

const median = (figures: string[]) => [...figures].sort((a, b) => number(a) - number(b))[figures.length >> 1]!;
