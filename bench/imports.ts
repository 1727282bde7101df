/**
 * `node bench/imports.ts [products]`: a file of so many products (100,000), three variants each, into the service as `npm start`
 * runs it, while a list of products is asked for over and over; then out again. Tells rows in a second, memory, and how long the
 * others waited.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { START_FLAGS } from '../scripts/start-flags.ts';

const products = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'souk-imports-'));
const path = join(folder, 'products.csv');
const WORDS =
  'linen wool cotton silk shirt hat scarf mug lamp table chair soft warm large small bright dark red blue green oak pine'.split(
    ' ',
  );
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Json = any;

async function writeFile(): Promise<void> {
  const file = createWriteStream(path);
  file.write(
    'Handle,Title,Body (HTML),Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Status\n',
  );
  for (let i = 0; i < products; i++) {
    const word = (n: number) => WORDS[(i * 7 + n * 13 + ((i >> 3) % 11)) % WORDS.length]!;
    const text = Array.from({ length: 25 }, (_, n) => word(n)).join(' ');
    const first = `p-${i},${word(1)} ${word(2)} ${i},<p>${text}</p>,Goods,true,Size,S,SKU-${i}-S,shopify,${i % 50},${10 + (i % 90)}.50,active\n`;
    const more = ['M', 'L'].map(
      (size) => `p-${i},,,,,,${size},SKU-${i}-${size},shopify,${i % 50},${10 + (i % 90)}.50,\n`,
    );
    if (!file.write(first + more.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

async function start(): Promise<{ child: ChildProcess; base: string; key: string }> {
  const child = spawn(process.execPath, [...START_FLAGS, 'src/main.ts', 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      MALLOC_ARENA_MAX: '2',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    const [, url] = /^export SOUK=(.*)$/m.exec(output) ?? [];
    const [, key] = /^export KEY=(.*)$/m.exec(output) ?? [];
    if (url && key) return { child, key, base: `${url}/v1/businesses/biz_demo` };
  }
  throw new Error(`It did not start: ${output}`);
}

const rssOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

await writeFile();
const { child, base, key } = await start();
const headers = { 'x-api-key': key };
const get = async (address: string): Promise<Json> => (await fetch(`${base}${address}`, { headers })).json();
const waits: number[] = [];
let isOver = false;

/** Fifty requests in a second, one after the other. */
async function ask(): Promise<void> {
  while (!isOver) {
    const at = performance.now();
    await get('/products?limit=20');
    waits.push(performance.now() - at);
    await pause(20);
  }
}

async function importFile(name: string): Promise<void> {
  const rssBefore = rssOf(child.pid!);
  let most = rssBefore;
  const at = performance.now();
  const body = createReadStream(path) as never;
  const sent = await fetch(`${base}/imports?type=products&market=us`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
    duplex: 'half',
  } as RequestInit);
  const { id } = (await sent.json()) as Json;
  let found: Json;
  do {
    await pause(500);
    found = await get(`/imports/${id}`);
    most = Math.max(most, rssOf(child.pid!));
  } while (found.status === 'QUEUED' || found.status === 'RUNNING');
  const seconds = (performance.now() - at) / 1000;
  process.stdout.write(
    `${name}: ${found.status}, ${found.rows} rows in ${seconds.toFixed(1)} s = ${Math.round(found.rows / seconds)}/s; +${found.created} ~${found.updated} =${found.unchanged} !${found.failed}; ` +
      `memory ${Math.round(rssBefore)} → at most ${Math.round(most)} MB\n`,
  );
}

async function exportAll(format: string): Promise<void> {
  const at = performance.now();
  const answer = await fetch(`${base}/exports?type=products&format=${format}`, { headers });
  let [bytes, rows] = [0, 0];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows++;
  }
  const seconds = (performance.now() - at) / 1000;
  const variants = format === 'csv' ? rows : rows * 3;
  process.stdout.write(
    `export as ${format}: ${rows} lines, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(1)} s = ${Math.round(variants / seconds)} variants/s\n`,
  );
}

try {
  const asking = ask();
  await importFile('import');
  await importFile('the same again');
  await exportAll('csv');
  await exportAll('ndjson');
  isOver = true;
  await asking;
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.floor(waits.length * share)]!.toFixed(1);
  process.stdout.write(`others meanwhile: ${waits.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
