/**
 * `npm run package`: assembles the npm package `souk` in dist/souk/, because Node does not run TypeScript under
 * node_modules. Run `npm pack` or `npm publish` in that folder afterward. The package contains the built browser
 * bundles, so it depends neither on the packages they are built with nor on the Node that a clone installs.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBundle } from '../src/bundles/build.ts';
import { BUNDLE_NAMES } from '../src/bundles/bundle.ts';
import { writeBundle } from '../src/bundles/cache.ts';

const CLONE_ONLY =
  /^(esbuild$|preact$|preact-render-to-string$|@preact\/|@simplewebauthn\/browser$|@tiptap\/|node-linux-)/;
/** Required by pg-boss. No other dependency requires a newer version. */
const ENGINES = { node: '>=22.12' };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/souk');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

compile(join(folder, 'dist'));
for (const name of BUNDLE_NAMES) writeBundle(join(folder, 'bundles', name), await buildBundle(name, { maps: false }));
cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/openapi.json'])
  cpSync(join(root, file), join(folder, file));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
process.stdout.write(`${folder}\n`);

/** Compiles the sources to JavaScript, each at its own path, and copies the other files that they read. */
function compile(to: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.package.json'), '--noCheck', '--outDir', to], {
    stdio: 'inherit',
  });
  // The compiler rewrites file names in imports, but not the file names of threads and child processes.
  for (const file of globSync('**/*.js', { cwd: to })) {
    const code = readFileSync(join(to, file), 'utf8');
    const rewritten = code.replaceAll(
      /new URL\('(\.[^']*)\.ts', import\.meta\.url\)/g,
      "new URL('$1.js', import.meta.url)",
    );
    if (rewritten !== code) writeFileSync(join(to, file), rewritten);
  }
  for (const { parentPath, name } of globSync('**/*', { cwd: join(root, 'src'), withFileTypes: true })) {
    if (['', '.ts'].includes(extname(name))) continue;
    cpSync(join(parentPath, name), join(to, parentPath.slice(join(root, 'src').length), name));
  }
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
