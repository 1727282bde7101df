import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { LIMITS } from '../../src/db/client.ts';
import { createSnapshots } from '../../src/db/snapshots.ts';
import type { Db } from '../../src/db/sql.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase();
after(() => dropDatabase(target));

const SETTINGS = ['statement_timeout', 'lock_timeout', 'transaction_isolation', 'transaction_read_only'];

async function* settingsIn(db: Db) {
  const rows = await db<{ setting: string }[]>`
    select setting from unnest(${SETTINGS}::text[]) with ordinality as asked (name, n) join pg_settings using (name) order by n`;
  yield* rows.map(({ setting }) => setting);
}

for (const isPooled of [false, true]) {
  test(`an export reads one snapshot within the time limits, ${isPooled ? 'behind a pooler' : 'with a direct connection'}`, async () => {
    const snapshots = createSnapshots({ ...target, isPooled }, 1);
    const settings: string[] = [];
    for await (const setting of snapshots.read('biz_1', settingsIn)) settings.push(setting);
    assert.deepEqual(settings, [String(LIMITS.statementMs), String(LIMITS.lockMs), 'repeatable read', 'on']);
    await snapshots.end();
  });
}

async function* sessionIn(db: Db) {
  for (;;) yield* await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
}

test('of three concurrent exports, one business can run two', async () => {
  const snapshots = createSnapshots(target, 3);
  const begin = async (businessId: string) => {
    const read = snapshots.read(businessId, sessionIn);
    await read.next();
    return read;
  };
  const [first, second] = [await begin('biz_1'), await begin('biz_1')];
  await assert.rejects(begin('biz_1'), { kind: 'UNAVAILABLE' });
  const other = await begin('biz_2');
  await assert.rejects(begin('biz_3'), { kind: 'UNAVAILABLE' });
  await first.return(undefined);
  const third = await begin('biz_3');
  for (const read of [second, other, third]) await read.return(undefined);
  await snapshots.end();
});

test('an export whose reader stops early returns its connection', async () => {
  const snapshots = createSnapshots(target, 1);
  const sessions = new Set<number>();
  for (let i = 0; i < 3; i++) {
    for await (const { pid } of snapshots.read('biz_1', sessionIn)) {
      sessions.add(pid);
      break;
    }
  }
  assert.equal(sessions.size, 1);
  await snapshots.end();
});
