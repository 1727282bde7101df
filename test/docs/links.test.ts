import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'node:test';
import { type Page, pages, ROOT, readPage } from './markdown.ts';

const LINK = /\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"|^\s*link: (\S+)$/gm;
const PATH = /`((?:[a-z][\w.-]*\/)+[\w.-]+\.(?:tsx?|mjs|md|json|ya?ml|sql))`/g;
const SCRIPT = /\bnpm run ([a-z][\w:-]*)/g;
const SCREENSHOT = /<Screenshot name="([\w-]+)"/g;

const isExternal = (target: string) => /^[a-z]+:/.test(target);

/** The file that a link points to, or null. A link that starts with a slash is relative to docs/. */
function fileOf(page: Page, path: string): string | null {
  if (path === '') return page.file;
  const base = path.startsWith('/') ? join('docs', path) : normalize(join(dirname(page.file), path));
  return [base, `${base}.md`, join(base, 'index.md')].find((file) => existsSync(ROOT + file)) ?? null;
}

function problemOf(page: Page, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const file = fileOf(page, path);
  if (file === null) return `${page.file}: ${target} does not exist`;
  if (anchor === undefined || !file.endsWith('.md')) return null;
  return readPage(file).anchors.has(anchor) ? null : `${page.file}: ${file} has no heading #${anchor}`;
}

test('every link in the documentation points to an existing file and heading', () => {
  const problems = pages.flatMap((page) =>
    [...page.text.matchAll(LINK)]
      .map(([, link, source, action]) => (link ?? source ?? action)!)
      .filter((target) => !isExternal(target))
      .map((target) => problemOf(page, target)),
  );
  assert.ok(problems.length > 100);
  assert.deepEqual(problems.filter(Boolean), []);
});

test('every source file mentioned in the documentation exists', () => {
  const problems = pages.flatMap((page) =>
    [...page.text.matchAll(PATH)]
      .map(([, path]) => path!)
      .filter((path) => !['', 'src/', 'src/domains/', 'docs/'].some((folder) => existsSync(ROOT + folder + path)))
      .map((path) => `${page.file}: ${path}`),
  );
  assert.deepEqual(problems, []);
});

test('every npm script mentioned in the documentation exists', () => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  const problems = pages.flatMap((page) =>
    [...page.text.matchAll(SCRIPT), ...page.blocks.flatMap(({ code }) => [...code.matchAll(SCRIPT)])]
      .filter(([, name]) => !scripts[name!])
      .map(([, name]) => `${page.file}: npm run ${name}`),
  );
  assert.deepEqual(problems, []);
});

test('every screenshot exists in light and dark, and together they take less than 1.5 MB', () => {
  const names = new Set(pages.flatMap(({ text }) => [...text.matchAll(SCREENSHOT)].map(([, name]) => name!)));
  const files = [...names].flatMap((name) => ['light', 'dark'].map((theme) => `${name}-${theme}.webp`));
  const sizes = files.map((file) => statSync(`${ROOT}docs/public/screenshots/${file}`).size);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 1_500_000);
});
