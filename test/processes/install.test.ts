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
const runtime = join(folder, 'node_modules/.bin/node');
writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho "$@" > ${called}\ntouch ${runtime}\n`, { mode: 0o755 });
cpSync(fileURLToPath(new URL('../../scripts', import.meta.url)), join(folder, 'scripts'), { recursive: true });

const other = process.platform === 'linux' ? 'darwin' : 'linux';
const LOCKED = {
  '': { version: '1.0.0' },
  'node_modules/a': { integrity: 'sha512-a' },
  'node_modules/test-tool': { integrity: 'sha512-t', dev: true },
  'node_modules/native-here': { integrity: 'sha512-n', optional: true, os: [process.platform], cpu: [process.arch] },
  'node_modules/native-there': { integrity: 'sha512-o', optional: true, os: [other], cpu: [process.arch] },
};
const { '': _, 'node_modules/native-there': __, ...HERE } = LOCKED;

/** Runs the script on a folder where npm has left this record; tells whether it called npm ci. */
function installs(record: object, ...flags: string[]): boolean {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(runtime, '');
  return run(record, ...flags)?.startsWith('ci ') ?? false;
}

/** What it called npm with; null: it did not. */
function run(record: object, ...flags: string[]): string | null {
  rmSync(called, { force: true });
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: LOCKED }));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: record }));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/install.mjs'), ...flags], {
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return existsSync(called) ? readFileSync(called, 'utf8') : null;
}

test('what npm ci has installed is not installed again', () => {
  assert.equal(installs(HERE), false);
  assert.equal(installs(HERE, '--dev'), false);
});

test('a package that is missing, of another version or for another platform is installed', () => {
  const { 'node_modules/a': a, 'node_modules/native-here': native, ...rest } = HERE;
  assert.equal(installs({ ...rest, 'node_modules/native-here': native }), true);
  assert.equal(installs({ ...HERE, 'node_modules/a': { integrity: 'sha512-old' } }), true);
  assert.equal(installs({ ...rest, 'node_modules/a': a }), true);
});

test('of what was installed without its install scripts only these are run', () => {
  installs(HERE);
  rmSync(runtime);
  assert.match(run(HERE)!, /^rebuild /);
  assert.equal(run(HERE), null);
});

test('what only tests need is asked for by them alone', () => {
  const { 'node_modules/test-tool': tool, ...rest } = HERE;
  assert.equal(installs(rest), false);
  assert.equal(installs(rest, '--dev'), true);
});

test('nothing is installed through a link, because that would empty the folder of somebody else', () => {
  installs(HERE);
  renameSync(join(folder, 'node_modules'), join(folder, 'theirs'));
  symlinkSync('theirs', join(folder, 'node_modules'));
  assert.equal(installs(HERE), false);
  assert.throws(() => installs({}), /node_modules is a link/);
  assert.equal(existsSync(called), false);
});
