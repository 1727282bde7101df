import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'souk-install-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const called = join(folder, 'npm-was-called');
mkdirSync(join(folder, 'bin'));
const seen = join(folder, 'seen.json');
const fakeNpm = `#!/bin/sh
if [ "$1" = config ]; then echo https://packages.example/; exit; fi
if [ -f npm-shrinkwrap.json ]; then cp npm-shrinkwrap.json ${seen}; [ -z "$OTHER_ADDRESSES" ] || exit 1; fi
echo "$@" > ${called}
`;
writeFileSync(join(folder, 'bin/npm'), fakeNpm, { mode: 0o755 });
cpSync(fileURLToPath(new URL('../../scripts', import.meta.url)), join(folder, 'scripts'), { recursive: true });

const other = process.platform === 'linux' ? 'darwin' : 'linux';
const LOCKED = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.2.3', integrity: 'sha512-a' },
  'node_modules/test-tool': { integrity: 'sha512-t', dev: true },
  'node_modules/native-here': { integrity: 'sha512-n', optional: true, os: [process.platform], cpu: [process.arch] },
  'node_modules/native-there': { integrity: 'sha512-o', optional: true, os: [other], cpu: [process.arch] },
};
const { '': _, 'node_modules/native-there': __, ...HERE } = LOCKED;
let locked: object = LOCKED;

/** Runs the script on a folder with this npm record. Returns the arguments it called npm with, or null. */
function install(record: object, ...flags: string[]): string | null {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  rmSync(called, { force: true });
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: record }));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/install.mjs'), ...flags], {
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, OTHER_ADDRESSES: process.env.OTHER_ADDRESSES },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return existsSync(called) ? readFileSync(called, 'utf8').replace(/ --no-audit.*\n$/, '') : null;
}

const { 'node_modules/test-tool': _tool, ...RUN_TIME } = HERE;

test('installed packages are not installed again', () => {
  assert.equal(install(HERE), null);
  assert.equal(install(HERE, '--dev'), null);
  assert.equal(install(RUN_TIME), null);
});

test('`npm start` installs runtime packages only', () => {
  assert.equal(install({}), 'ci --omit=dev');
  assert.equal(install({}, '--dev'), 'ci');
});

test('npm gets the default URLs of the packages, and none if the registry uses other URLs', (t) => {
  install({});
  const { packages } = JSON.parse(readFileSync(seen, 'utf8'));
  assert.equal(packages['node_modules/a'].resolved, 'https://packages.example/a/-/a-1.2.3.tgz');
  process.env.OTHER_ADDRESSES = '1';
  t.after(() => delete process.env.OTHER_ADDRESSES);
  assert.equal(install({}), 'ci --omit=dev');
  assert.equal(existsSync(join(folder, 'npm-shrinkwrap.json')), false);
});

test('a package that is missing, outdated or needed on this platform is installed', () => {
  const { 'node_modules/a': a, 'node_modules/native-here': native } = RUN_TIME;
  assert.equal(install({ 'node_modules/native-here': native }), 'ci --omit=dev');
  assert.equal(install({ ...RUN_TIME, 'node_modules/a': { integrity: 'sha512-old' } }), 'ci --omit=dev');
  assert.equal(install({ 'node_modules/a': a }), 'ci --omit=dev');
});

test('`npm start` installs Node only if the machine has an old one, and tests always install it', (t) => {
  const node = `node_modules/node-linux-${process.arch}`;
  locked = { ...LOCKED, [node]: { ...LOCKED['node_modules/native-here'], version: '24.0.0' } };
  t.after(() => {
    locked = LOCKED;
  });
  const platforms = () => JSON.parse(readFileSync(seen, 'utf8')).packages[node].os;
  assert.equal(install(RUN_TIME), null);
  assert.equal(install({}), 'ci --omit=dev');
  assert.deepEqual(platforms(), ['none']);
  assert.equal(install(HERE, '--dev'), 'install --no-save');
  assert.equal(install({}, '--dev'), 'ci');
  assert.deepEqual(platforms(), [process.platform]);
});

test('`npm start` keeps the development packages of a clone', () => {
  assert.equal(install({ ...HERE, 'node_modules/a': { integrity: 'sha512-old' } }), 'ci');
});

test('installing the test packages keeps the packages of a running service', () => {
  assert.equal(install(RUN_TIME, '--dev'), 'install --no-save');
});

test('nothing is installed through a link, because that would empty another folder', () => {
  install(HERE);
  renameSync(join(folder, 'node_modules'), join(folder, 'theirs'));
  symlinkSync('theirs', join(folder, 'node_modules'));
  assert.equal(install(HERE), null);
  assert.throws(() => install({}), /node_modules is a link/);
  assert.equal(existsSync(called), false);
});
