import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const PRIMARY = fileURLToPath(new URL('./cluster-primary.ts', import.meta.url));

test('a child that disconnects while metrics are collected does not affect the other children or the primary', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PRIMARY], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^requesting 1$/m);
});
