/** Makes what a browser runs out of `storefront/` or `admin/`, with esbuild. */
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { BuildOptions, BuildResult, Metafile, OutputFile } from 'esbuild';

export type BundleFile = { body: Buffer; brotli: Buffer; type: string };

export type Bundle = {
  /** The module that the page runs, and those that it will ask for at once. */
  script: string;
  preloads: string[];
  styles: string[];
  files: Map<string, BundleFile>;
};

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};

const compress = promisify(brotliCompress);

/** Names hold a hash of the content, so that browsers may keep a file for ever. */
export const buildOptions = (name: string, { minify, maps }: { minify: boolean; maps: boolean }) =>
  ({
    absWorkingDir: ROOT,
    entryPoints: { [name]: `${name}/main.tsx` },
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
    loader: { '.svg': 'file', '.woff2': 'file' },
    external: ['/pages/*', '/demo/*'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  }) satisfies BuildOptions;

/** One after the other: stopping esbuild after a build would leave another one waiting for ever. */
let lastBuild: Promise<unknown> = Promise.resolve();

export function buildBundle(name: string, options: { maps: boolean }): Promise<Bundle> {
  const built = lastBuild.then(() => buildAlone(name, options));
  lastBuild = built.catch(() => {});
  return built;
}

async function buildAlone(name: string, options: { maps: boolean }): Promise<Bundle> {
  const { build, stop } = await import('esbuild');
  try {
    const result = await build(buildOptions(name, { minify: true, ...options }));
    return await toBundle(result, constants.BROTLI_MAX_QUALITY);
  } finally {
    await stop();
  }
}

export async function toBundle(
  { metafile, outputFiles }: Pick<BuildResult<ReturnType<typeof buildOptions>>, 'metafile' | 'outputFiles'>,
  quality: number,
): Promise<Bundle> {
  const files = await Promise.all(outputFiles.map((file) => toFile(file, quality)));
  // What is loaded on demand is an entry of its own too.
  const isMain = /^[^/]+\/main\.tsx$/;
  const [path, entry] = Object.entries(metafile.outputs).find(([, output]) => isMain.test(output.entryPoint ?? ''))!;
  return {
    script: basename(path),
    preloads: preloadsOf(metafile, path).map((each) => basename(each)),
    styles: entry.cssBundle ? [basename(entry.cssBundle)] : [],
    files: new Map(files),
  };
}

async function toFile({ path, contents }: OutputFile, quality: number): Promise<[string, BundleFile]> {
  const body = Buffer.from(contents);
  const params = { [constants.BROTLI_PARAM_QUALITY]: path.endsWith('.map') ? 4 : quality };
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return [basename(path), { body, brotli: await compress(body, { params }), type }];
}

/** What the module imports, and what that imports, without what is loaded on demand. */
function preloadsOf({ outputs }: Metafile, path: string, seen = new Set<string>()): string[] {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(imported)) continue;
    seen.add(imported);
    preloadsOf({ inputs: {}, outputs }, imported, seen);
  }
  return [...seen];
}
