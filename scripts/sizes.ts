/** What people download, compressed, against what it may be. Fails above the budget. */
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildBundle } from '../src/bundles/build.ts';

const KB = 1000;

/** Compressed bytes that each may have. */
const BUDGETS: { name: string; most: number; measure: () => Promise<number> }[] = [
  {
    name: 'client core',
    most: 6 * KB,
    measure: () =>
      clientSize("export * from './operations.ts'; export * from './session.ts'; export * from './storage.ts'"),
  },
  { name: 'client', most: 14 * KB, measure: () => clientSize("export * from './index.ts'") },
  { name: 'storefront script', most: 40 * KB, measure: () => firstLoad('storefront', '.js') },
  { name: 'admin script', most: 100 * KB, measure: () => firstLoad('admin', '.js') },
  { name: 'admin styles', most: 16 * KB, measure: () => firstLoad('admin', '.css') },
  { name: 'storefront styles', most: 8 * KB, measure: () => firstLoad('storefront', '.css') },
];

async function clientSize(contents: string): Promise<number> {
  const resolveDir = new URL('../client/src', import.meta.url).pathname;
  const options = { bundle: true, minify: true, format: 'esm', target: 'es2022', write: false } as const;
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir, loader: 'ts' } });
  return brotliCompressSync(outputFiles[0]!.contents).length;
}

/** What the first page loads before it can be used. */
async function firstLoad(name: string, end: string): Promise<number> {
  const { script, preloads, styles, files } = await buildBundle(name, { maps: false });
  const loaded = [script, ...preloads, ...styles].filter((file) => file.endsWith(end));
  return loaded.reduce((sum, file) => sum + files.get(file)!.brotli.length, 0);
}

for (const { name, most, measure } of BUDGETS) {
  const size = await measure();
  process.stdout.write(`${name.padEnd(20)} ${String(size).padStart(6)} of ${most} bytes\n`);
  if (size > most) process.exitCode = 1;
}
process.exit();
