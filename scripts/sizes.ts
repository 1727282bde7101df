/** Compares the compressed download sizes with their budgets. Fails if one is exceeded. */
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildBundle } from '../src/bundles/build.ts';
import type { BundleName } from '../src/bundles/bundle.ts';

const KB = 1000;

/** Budgets in compressed bytes. */
const BUDGETS: { name: string; max: number; measure: () => Promise<number> }[] = [
  {
    name: 'client core',
    max: 6 * KB,
    measure: () =>
      clientSize("export * from './operations.ts'; export * from './session.ts'; export * from './storage.ts'"),
  },
  { name: 'client', max: 14 * KB, measure: () => clientSize("export * from './index.ts'") },
  { name: 'storefront script', max: 30 * KB, measure: () => firstLoad('storefront', '.js') },
  { name: 'admin script', max: 100 * KB, measure: () => firstLoad('admin', '.js') },
  { name: 'admin styles', max: 16 * KB, measure: () => firstLoad('admin', '.css') },
  { name: 'storefront styles', max: 8 * KB, measure: () => firstLoad('storefront', '.css') },
  { name: 'reference script', max: 1_100 * KB, measure: () => firstLoad('reference', '.js') },
];

async function clientSize(contents: string): Promise<number> {
  const resolveDir = new URL('../client/src', import.meta.url).pathname;
  const options = { bundle: true, minify: true, format: 'esm', target: 'es2022', write: false } as const;
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir, loader: 'ts' } });
  return brotliCompressSync(outputFiles[0]!.contents).length;
}

/** The size of the files that the first page loads before it is usable. */
async function firstLoad(name: BundleName, end: string): Promise<number> {
  const { script, preloads, styles, files } = await buildBundle(name, { maps: false });
  const loaded = [script, ...preloads, ...styles].filter((file) => file.endsWith(end));
  return loaded.reduce((sum, file) => sum + files.get(file)!.brotli.length, 0);
}

for (const { name, max, measure } of BUDGETS) {
  const size = await measure();
  process.stdout.write(`${name.padEnd(20)} ${String(size).padStart(6)} of ${max} bytes\n`);
  if (size > max) process.exitCode = 1;
}
process.exit();
