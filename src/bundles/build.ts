/** Builds the bundles with esbuild. */
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { BuildOptions, BuildResult, Metafile, OutputFile } from 'esbuild';
import { type Bundle, type BundleFile, type BundleName, ENTRIES } from './bundle.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};

const compress = promisify(brotliCompress);

/** File names contain a hash of the content, so browsers can cache them forever. A `.min.js` file is copied unchanged. */
export const buildOptions = (name: BundleName, { minify, maps }: { minify: boolean; maps: boolean }) =>
  ({
    absWorkingDir: ROOT,
    entryPoints: { [name]: ENTRIES[name] },
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: `${name}-[name]-[hash]`,
    assetNames: `${name}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome110', 'firefox115', 'safari16.4'],
    minify,
    sourcemap: maps ? 'linked' : false,
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.svg': 'file', '.woff2': 'file', '.min.js': 'copy' },
    metafile: true,
    write: false,
    logLevel: 'silent',
    // One script that is evaluated in the process: see `load-module.ts`.
    ...(name === 'site' && { splitting: false, format: 'cjs', platform: 'node', target: ['node22'] }),
  }) satisfies BuildOptions;

/** Builds run one at a time: stopping esbuild while another build runs would leave that build pending forever. */
let lastBuild: Promise<unknown> = Promise.resolve();

export function buildBundle(name: BundleName, options: { maps: boolean }): Promise<Bundle> {
  const built = lastBuild.then(() => buildAlone(name, options));
  lastBuild = built.catch(() => {});
  return built;
}

async function buildAlone(name: BundleName, options: { maps: boolean }): Promise<Bundle> {
  const { build, stop } = await import('esbuild');
  try {
    const result = await build(buildOptions(name, { minify: true, ...options }));
    return await toBundle(name, result, constants.BROTLI_MAX_QUALITY);
  } finally {
    await stop();
  }
}

export async function toBundle(
  name: BundleName,
  { metafile, outputFiles }: Pick<BuildResult<ReturnType<typeof buildOptions>>, 'metafile' | 'outputFiles'>,
  quality: number,
): Promise<Bundle> {
  const files = await Promise.all(outputFiles.map((file) => toFile(file, quality)));
  // Dynamically imported modules are entry points too.
  const [path, entry] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === ENTRIES[name])!;
  return {
    script: basename(path),
    preloads: preloadsOf(metafile, path).map((each) => basename(each)),
    styles: entry.cssBundle ? [basename(entry.cssBundle)] : [],
    files: new Map(files),
  };
}

async function toFile({ path, contents }: OutputFile, quality: number): Promise<[string, BundleFile]> {
  const body = Buffer.from(contents);
  const params = { [constants.BROTLI_PARAM_QUALITY]: Math.min(quality, highestQuality(path, body.length)) };
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return [basename(path), { body, brotli: await compress(body, { params }), type }];
}

/** Source maps are rarely loaded. Scalar (4.4 MB) takes 22 s at quality 11, but 1.3 s at quality 9 for 10% more bytes. */
const highestQuality = (path: string, size: number) => (path.endsWith('.map') ? 4 : size > 1_000_000 ? 9 : 11);

/** The statically imported modules, direct and transitive. */
function preloadsOf({ outputs }: Metafile, path: string, seen = new Set<string>()): string[] {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(imported)) continue;
    seen.add(imported);
    preloadsOf({ inputs: {}, outputs }, imported, seen);
  }
  return [...seen];
}
