/** What `npm pack` needs: the client as one module that runs everywhere, and its types. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

rmSync(`${folder}dist`, { recursive: true, force: true });
await build({
  entryPoints: [`${folder}src/index.ts`],
  outfile: `${folder}dist/index.js`,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
});
execFileSync('tsc', ['-p', `${folder}tsconfig.declarations.json`], { stdio: 'inherit' });

// Declarations name the sources' own files; in the package they stand beside modules.
for (const name of readdirSync(`${folder}dist`, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = `${folder}dist/${name}`;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
