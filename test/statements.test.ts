import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Queries an order by this column the way the service does, in a separate test process. */
function findOrderBy(column: string) {
  const script = `
    import { createPool } from ${url('../src/db/pool.ts')};
    import { cloneDatabase, dropDatabase } from ${url('./databases.ts')};
    const target = await cloneDatabase();
    const pool = createPool(target);
    await pool\`select id from orders where ${column} = \${'x'}\`;
    await pool.end();
    await dropDatabase(target);`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
}

test('a test process fails if the service sends a tenant table statement without a business ID', () => {
  const { status, stderr } = findOrderBy('status');
  assert.equal(status, 1, stderr);
  assert.match(stderr, /has no business ID: select id from orders where status = \$1/);
});

test('a statement with a business ID passes', () => {
  const { status, stderr } = findOrderBy('business_id');
  assert.equal(status, 0, stderr);
});
