/**
 * `npm run bench`: compares each operation with a bare equivalent on the same PostgreSQL, in one run.
 *   --only NAMES  only these rows: a,b     --json    machine-readable output
 *   --short       one second per round     --large   with 1,000,000 rows
 *   --profile     with a profile of the service, for rows with a bare equivalent
 *   --compare DIR alternates each row between this checkout and another one with its own node_modules
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { startEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { compareCheckouts } from './compare.ts';
import { baseEnv } from './env.ts';
import { ask, startProcess } from './processes.ts';
import type { Share } from './profile.ts';
import { rows } from './rows/index.ts';
import { createShop } from './shop.ts';
import { type Bench, type Line, type Load, type Measured, medianOf } from './types.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    compare: { type: 'string' },
  },
});
const only = flags.only?.split(',');
const chosen = rows.filter(({ name, onlyLarge }) => (only ? only.includes(name) : flags.large || !onlyLarge));
if (flags.compare !== undefined) {
  await compareCheckouts(
    flags.compare,
    chosen.map(({ name }) => name),
    (['short', 'large'] as const).filter((flag) => flags[flag]).map((flag) => `--${flag}`),
  );
  process.exit();
}
const seconds = flags.short ? 1 : 4;
const rounds = flags.short ? 1 : 3;

const folder = mkdtempSync(join(tmpdir(), 'souk-bench-'));
const server = await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }) });
const { stop: stopServer, ...target } = server;
const pool = createPool(target);
await migrate(target);
const env = {
  ...baseEnv(target, folder),
  LIMIT_ACCOUNT_FAILURES: '1000000',
  LIMIT_CHECKOUT: '10000000/10000000',
  LIMIT_QUOTE: '10000000/10000000',
  LIMIT_SUBSCRIBE: '10000000/10000000',
  NODE_ENV: 'production',
  PAYMENT_SANDBOX: '1',
  ALLOWED_ORIGINS: 'https://shop.example',
};
const souk = await startProcess('souk.ts', env);
const bare = await startProcess('bare.ts', env);
const load = await startProcess('load.ts', env, { silentStart: true });
const lines: Line[] = [];
const profiles: { load: string; shares: Share[] }[] = [];

try {
  const shop = await createShop(env);
  const measure = (spec: Load): Promise<Measured> =>
    ask(load.child, { url: (spec.server === 'souk' ? souk : bare).url, load: spec, seconds });
  const profile = async (spec: Load) => {
    await ask(souk.child, 'profile');
    await measure(spec);
    const [{ method, path }] = spec.requests as [Load['requests'][number]];
    return { load: `${method} ${path}`, shares: await ask<Share[]>(souk.child, 'profiled') };
  };
  const memoryMb = async () => (await ask<{ memoryMb: number }>(souk.child, 'memory')).memoryMb;
  const bench: Bench = {
    pool,
    seconds,
    rounds,
    large: flags.large,
    shop,
    url: souk.url,
    urls: { souk: souk.url, bare: bare.url },
    env,
    measure,
    memoryMb,
    async compare(ours, bareLoad) {
      const measured: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] };
      await measure(ours);
      await measure(bareLoad);
      for (let round = 0; round < rounds; round++) {
        measured.ours.push(await measure(ours));
        measured.bare.push(await measure(bareLoad));
      }
      if (flags.profile) profiles.push(await profile(ours));
      return { ours: medianOf(measured.ours), bare: medianOf(measured.bare), memoryMb: await memoryMb() };
    },
    async call(method, path, { token = shop.adminToken, body, url = souk.url } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
      return response.json() as never;
    },
  };
  for (const row of chosen) {
    if (!flags.json) process.stderr.write(`${row.name} …\n`);
    lines.push(...(await row.run(bench)));
  }
} finally {
  report();
  for (const { child } of [souk, bare, load]) child.disconnect();
  await pool.end();
  await stopServer();
  rmSync(folder, { recursive: true, force: true });
}
/** Also reports measurements taken before a row failed. */
function report(): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const text = flags.json ? JSON.stringify({ machine, lines, profiles }, null, 2) : table(machine, lines) + shares();
  process.stdout.write(`${text}\n`);
}

function shares(): string {
  const list = ({ load, shares }: (typeof profiles)[number]) =>
    `\n\n${load}\n${shares.map(({ layer, percent }) => `${String(percent).padStart(4)} % ${layer}`).join('\n')}`;
  return profiles.map(list).join('');
}

function table(title: string, body: Line[]): string {
  const columns: (keyof Line)[] = ['operation', 'ours', 'bare', 'ratio', 'p50', 'p99', 'memory', 'goal', 'met'];
  const cells = body.map((line) =>
    columns.map((name) => (name === 'met' ? (line.met ? 'met' : 'NOT MET') : line[name])),
  );
  const widths = columns.map((name, i) => Math.max(name.length, ...cells.map((row) => String(row[i]).length)));
  const draw = (row: (string | boolean)[]) =>
    `| ${row.map((cell, i) => String(cell).padEnd(widths[i]!)).join(' | ')} |`;
  return [title, '', draw(columns), draw(widths.map((width) => '-'.repeat(width))), ...cells.map(draw)].join('\n');
}
