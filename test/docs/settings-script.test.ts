/** Runs the script `souk-env` of docs/operate/configure.md. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readPage } from './markdown.ts';

const isRoot = process.getuid?.() === 0;

test('souk-env passes every argument and the settings to a command that runs as another user', {
  skip: isRoot ? false : 'needs root',
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-env-'));
  t.after(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const { code } = readPage('docs/operate/configure.md').blocks.find((block) => block.code.includes('runuser'))!;
  writeFileSync(join(folder, 'souk.env'), 'MAIL_FROM="Shop <hello@shop.example>"\n');
  const script = join(folder, 'souk-env');
  const given = code.replaceAll('/etc/', `${folder}/`).replaceAll('/srv/souk', folder);
  writeFileSync(script, given.replace('-u souk', '-u nobody'), { mode: 0o755 });
  const run = (...command: string[]) => execFileSync(script, command, { encoding: 'utf8' });

  assert.equal(run('printf', '[%s]', '--tags', '-c', '--', '--force', 'a b'), '[--tags][-c][--][--force][a b]');
  assert.equal(run('sh', '-c', 'echo "$MAIL_FROM $PWD $HOME"'), `Shop <hello@shop.example> ${folder} ${folder}\n`);
  assert.equal(run('id', '-un'), 'nobody\n');
});
