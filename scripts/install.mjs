// Installs what the lockfile names, when it is not there yet. Runs on any Node from 20 on, before anything of ours is
// installed, so it uses nothing but Node itself.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = `${root}node_modules/.souk-installed`;
const runtime = `${root}node_modules/.bin/node`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

const installed = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted && existsSync(runtime);
if (!installed) {
  console.log('Installing dependencies (once) …');
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  } catch {
    console.error('npm ci failed: see the lines above.');
    process.exit(1);
  }
  if (!existsSync(runtime)) {
    console.error('The runtime (npm package "node") did not install: its install script must be allowed to run.');
    process.exit(1);
  }
  writeFileSync(stampFile, wanted);
}
