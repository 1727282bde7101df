/**
 * `npm run package`: assembles the npm package `souk` in dist/souk/, because Node does not run TypeScript under
 * node_modules. Run `npm pack` or `npm publish` in that folder afterward. The package contains the built browser
 * bundles, so it depends neither on the packages they are built with nor on the Node that a clone installs.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type PluginBuild } from 'esbuild';
import { buildBundle } from '../src/bundles/build.ts';
import { BUNDLE_NAMES } from '../src/bundles/bundle.ts';
import { writeBundle } from '../src/bundles/cache.ts';

const CLONE_ONLY =
  /^(esbuild$|preact$|preact-render-to-string$|@preact\/|@simplewebauthn\/browser$|@tiptap\/|node-linux-)/;
/** Required by pg-boss. No other dependency requires a newer version. */
const ENGINES = { node: '>=22.12' };
/** The URL of a thread or child process, whose file is captured, or of the source itself. */
const URLS = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)|import\.meta\.url/g;

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');
const folder = join(root, 'dist/souk');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

await bundleService(join(folder, 'dist'));
for (const name of BUNDLE_NAMES) writeBundle(join(folder, 'bundles', name), await buildBundle(name, { maps: false }));
cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
cpSync(join(root, 'scripts/package-readme.md'), join(folder, 'README.md'));
for (const file of ['CHANGELOG.md', 'LICENSE', 'docs/openapi.json']) cpSync(join(root, file), join(folder, file));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
process.stdout.write(`${folder}\n`);

/** Bundles the sources into a few files, which start faster than one file each, and copies the other files that they read. */
async function bundleService(to: string): Promise<void> {
  const files = globSync('**/*.*', { cwd: src }).map((file) => join(src, file));
  const sources = files.filter((file) => file.endsWith('.ts'));
  await build({
    entryPoints: [join(src, 'main.ts'), ...sources.flatMap(startedBy)],
    outdir: to,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    packages: 'external',
    charset: 'utf8',
    legalComments: 'none',
    plugins: [{ name: 'keep-urls', setup: keepUrls }],
  });
  for (const file of files) if (!sources.includes(file)) cpSync(file, join(to, relative(src, file)));
}

/** The threads and child processes that a source starts. */
function startedBy(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(URLS);
  return [...found].flatMap(([, started]) => (started ? join(dirname(file), started) : []));
}

/** All bundled files are in one folder, but the URLs in a source are relative to its own. */
function keepUrls({ onLoad }: PluginBuild): void {
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const own = `new URL('${relative(src, path)}', import.meta.url).href`;
    const contents = readFileSync(path, 'utf8').replaceAll(URLS, (_, started?: string) =>
      started ? `new URL('${basename(started, '.ts')}.js', import.meta.url)` : own,
    );
    return { contents, loader: 'ts' };
  });
}

function manifest() {
  const { name, version, description, license, type, keywords, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const needed = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([each]) => !CLONE_ONLY.test(each)));
  return {
    name,
    version,
    description,
    license,
    keywords,
    type,
    bin: { souk: 'dist/main.js' },
    engines: ENGINES,
    dependencies: needed(dependencies),
    optionalDependencies: needed(optionalDependencies),
  };
}
