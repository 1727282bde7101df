// Installs what the lockfile names, when it is not there yet. Runs on any Node from 20 on, before anything of ours is
// installed, so it uses nothing but Node itself. With --dev it also asks for what only tests and checks need.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
const runtime = `${modules}/.bin/node`;
const withDev = process.argv.includes('--dev');

/** npm writes down what it has installed, as its last step, in the shape of the lockfile. */
function isInstalled() {
  const record = `${modules}/.package-lock.json`;
  if (!existsSync(record)) return false;
  const installed = packagesIn(record);
  return Object.entries(packagesIn(`${root}package-lock.json`)).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !withDev)) return true;
    const found = installed[path];
    return found ? found.integrity === wanted.integrity : !isNeeded(wanted);
  });
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Optional packages are for some platforms only. Which C library this one has is for npm to find out. */
const isNeeded = ({ optional, os, cpu, libc }) =>
  !optional || (!libc && os?.includes(process.platform) === true && cpu?.includes(process.arch) === true);

function stop(message) {
  console.error(message);
  process.exit(1);
}

function npm(...args) {
  try {
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  } catch {
    stop(`npm ${args[0]} failed: see the lines above.`);
  }
}

if (!isInstalled()) {
  // npm ci would empty the folder that the link leads to, and others may be using it.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    stop(
      'node_modules is a link to a folder that does not contain what the lockfile names. Remove the link, or run npm ci there.',
    );
  }
  console.log('Installing dependencies (once) …');
  npm('ci');
} else if (!existsSync(runtime)) {
  // Everything is there, but its install scripts did not run: npm ci --ignore-scripts.
  console.log('Running the install scripts of what is there (once) …');
  npm('rebuild', '--ignore-scripts=false');
}
if (!existsSync(runtime)) {
  stop('The runtime (npm package "node") did not install: its install script must be allowed to run.');
}
