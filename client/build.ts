/** Builds the package for `npm pack`: an ES module, a CommonJS module and type declarations. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

rmSync(`${folder}dist`, { recursive: true, force: true });
for (const [format, outfile] of [
  ['esm', 'dist/index.js'],
  ['cjs', 'dist/commonjs/index.js'],
] as const) {
  await build({
    entryPoints: [`${folder}src/index.ts`],
    outfile: folder + outfile,
    bundle: true,
    format,
    target: 'es2022',
    charset: 'utf8',
  });
}
writeFileSync(`${folder}dist/commonjs/package.json`, '{ "type": "commonjs" }\n');
execFileSync('tsc', ['-p', `${folder}tsconfig.declarations.json`], { stdio: 'inherit' });

// Declarations import the TypeScript sources. In the package, they must import the JavaScript modules.
for (const name of readdirSync(`${folder}dist`, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = `${folder}dist/${name}`;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}

// The declarations of a CommonJS package must be CommonJS too.
const isDeclaration = (source: string) => !source.includes('.') || source.endsWith('.d.ts');
for (const name of readdirSync(`${folder}dist`)) {
  if (name === 'commonjs') continue;
  cpSync(`${folder}dist/${name}`, `${folder}dist/commonjs/${name}`, {
    recursive: true,
    filter: (source) => isDeclaration(source.slice(folder.length)),
  });
}
