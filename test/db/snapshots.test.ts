import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { LIMITS } from '../../src/db/client.ts';
import { createSnapshots } from '../../src/db/snapshots.ts';
import type { Db } from '../../src/db/sql.ts';
import { cloneDatabase, dropDatabase } from '../harness.ts';

const target = await cloneDatabase();
after(() => dropDatabase(target));

const SETTINGS = ['statement_timeout', 'lock_timeout', 'transaction_isolation', 'transaction_read_only'];

async function* settingsIn(db: Db) {
  const rows = await db<{ setting: string }[]>`
    select setting from unnest(${SETTINGS}::text[]) with ordinality as asked (name, n) join pg_settings using (name) order by n`;
  yield* rows.map(({ setting }) => setting);
}

for (const isPooled of [false, true]) {
  test(`an export sees one moment within the time limits, ${isPooled ? 'behind a pooler' : 'in a session of ours'}`, async () => {
    const snapshots = createSnapshots({ ...target, isPooled });
    const settings: string[] = [];
    for await (const setting of snapshots.read('biz_1', settingsIn)) settings.push(setting);
    assert.deepEqual(settings, [String(LIMITS.statementMs), String(LIMITS.lockMs), 'repeatable read', 'on']);
    await snapshots.end();
  });
}

test('exports whose readers are slow leave others a chance: two of one business, three in all', async () => {
  const snapshots = createSnapshots(target);
  const begin = async (businessId: string) => {
    const read = snapshots.read(businessId, settingsIn);
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
