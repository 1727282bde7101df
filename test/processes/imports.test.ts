import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'souk-imports-'));
after(() => rmSync(folder, { recursive: true }));

const FORBIDDEN = [
  ['shared/a.ts', 'db/a.ts', 'shared-is-lowest-layer'],
  ['db/b.ts', 'jobs/b.ts', 'db-imports-only-shared'],
  ['db/b.ts', 'tracing/index.ts', 'tracing-on-demand'],
  ['providers/c.ts', 'db/c.ts', 'providers-import-only-shared'],
  ['jobs/d.ts', 'domains/catalog/index.ts', 'jobs-below-domains'],
  ['http/e.ts', 'domains/catalog/index.ts', 'http-imports-no-domain'],
  ['domains/orders/f.ts', 'domains/catalog/queries.ts', 'domains-through-index'],
  ['domains/catalog/g.ts', 'domains/orders/index.ts', 'catalog-imports-lower-domains-only'],
  ['domains/payments/g.ts', 'domains/orders/index.ts', 'payments-imports-lower-domains-only'],
  ['domains/catalog/h.ts', 'http/h.ts', 'http-only-in-routes'],
  ['domains/catalog/i.ts', 'app.ts', 'no-imports-of-wiring'],
  ['app.ts', 'domains/catalog/queries.ts', 'app-through-index'],
] as const;

test('an import that violates an architecture rule fails the check with the name of the rule', {
  timeout: 60_000,
}, () => {
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const lines = new Map<string, string>();
  for (const [from, to] of FORBIDDEN) {
    const up = '../'.repeat(from.split('/').length - 1) || './';
    lines.set(from, `${lines.get(from) ?? ''}import '${up}${to}';\n`);
    if (!lines.has(to)) lines.set(to, '');
  }
  for (const [name, text] of lines) {
    mkdirSync(dirname(join(folder, 'src', name)), { recursive: true });
    writeFileSync(join(folder, 'src', name), text);
  }
  const depcruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { status, stdout } = spawnSync(process.execPath, [depcruise, '--config', '.dependency-cruiser.cjs', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.notEqual(status, 0);
  for (const [from, to, rule] of FORBIDDEN)
    assert.ok(stdout.includes(`error ${rule}: src/${from} → src/${to}`), `${rule}\n${stdout}`);
});
