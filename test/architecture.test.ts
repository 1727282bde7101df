import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const [prose, map] = [page.replace(/^```\n.*?^```$/ms, ''), /^```\n(.*?)^```$/ms.exec(page)![1]!];

/** Paths start at the root or at src/. */
const resolve = (path: string) =>
  [path, `src/${path}`].map((each) => join(root, each)).find((file) => existsSync(file));

test('every folder and file on the map exists', () => {
  let folder = '';
  const lines = map.trimEnd().split('\n');
  assert.ok(lines.length > 20);
  for (const line of lines) {
    const [, indent, name] = /^( *)(\S+)/.exec(line)!;
    if (indent === '') folder = name!;
    const path = indent === '' ? name! : folder + name!;
    assert.ok(existsSync(join(root, path)), path);
  }
});

test('every path in the text exists', () => {
  const quoted = [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map((match) => match[1]!);
  const paths = quoted.filter((text) => text.includes('/'));
  assert.ok(paths.length > 20);
  for (const path of paths) assert.ok(resolve(path), path);
  for (const [, path] of prose.matchAll(/\]\(([^)#]+)\)/g)) assert.ok(existsSync(join(root, path!)), path);
});

test('every export named in the text exists', async () => {
  const places = [...prose.matchAll(/`(\w+)` in `([^`]+\.ts)`/g)];
  assert.ok(places.length > 10);
  for (const [, name, path] of places) assert.ok(name! in (await import(resolve(path!)!)), `${name} in ${path}`);
});

test('the page fits on two screens', () => {
  const lines = page.trimEnd().split('\n');
  assert.ok(lines.length <= 120, `${lines.length} lines`);
  assert.deepEqual(
    lines.filter((line) => line.length > 180),
    [],
  );
});
