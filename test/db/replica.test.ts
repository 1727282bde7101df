/** A real streaming replica. Replay is paused and resumed, and time stands still unless the test advances it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { connect as connectAll } from '../../src/db/connections.ts';
import { createPipeline } from '../../src/db/pipeline.ts';
import { createPool } from '../../src/db/pool.ts';
import { createReplica } from '../../src/db/replica.ts';
import { createSnapshots } from '../../src/db/snapshots.ts';
import type { Db } from '../../src/db/sql.ts';
import { createReplicated } from '../servers/replicated.ts';
import { eventually } from '../service.ts';

const servers = await createReplicated();
const { primary, standby, replay } = servers;
const targetOf = (server: typeof primary) => ({ url: server.url('souk', 'souk') });

type Log = { level: string; message: string | undefined; error: string | undefined };

/** The primary with a table of notes, its replica, and a clock that the test advances. */
function connect(to = { primary: targetOf(primary), replica: targetOf(standby) }) {
  let nowMs = 0;
  const log: Log[] = [];
  const logged = (level: string) => (fields: object, message?: string) =>
    log.push({ level, message, error: (fields as { err?: Error }).err?.message });
  const pool = createPool(to.primary, {
    max: 4,
    applicationName: 'test',
    onCommit: (lsn) => replica.onCommit(lsn),
  });
  const replica = createReplica(to.replica, {
    primary: { db: pool.db, transaction: pool.transaction, quick: pool.db },
    max: 2,
    maxExports: 1,
    log: { info: logged('info'), warn: logged('warn') },
    nowMs: () => nowMs,
  });
  let ending: Promise<unknown> | undefined;
  const end = () => (ending ??= Promise.all([replica.end(), pool.end()]));
  after(end);
  return {
    pool,
    replica,
    log,
    end,
    advance: (ms: number) => {
      nowMs += ms;
    },
    notes: (seen: string | null = null) => listNotes(replica.db(seen)),
    /** Reads until the replica serves the read. */
    ready: () =>
      eventually('the replica answers', async () => {
        const before = replica.reads.replica;
        await replica.db(null)`select 1`;
        if (replica.reads.replica > before) return true;
        nowMs += 250;
        return false;
      }),
    /** The server that serves `read`. */
    async answeredBy(read: () => Promise<unknown>): Promise<'replica' | 'primary'> {
      const before = replica.reads.replica;
      await read();
      return replica.reads.replica > before ? 'replica' : 'primary';
    },
  };
}

async function listNotes(db: Db): Promise<string[]> {
  const rows = await db<{ text: string }[]>`select text from notes order by text`;
  return rows.map(({ text }) => text);
}

const { pool, replica, notes, advance, ready, answeredBy, log, end } = connect();
await pool.text('create table notes (text text primary key)');
const add = (text: string) => pool.transaction((tx) => tx`insert into notes ${tx({ text })}`);

test('a replica that is up to date serves reads', async () => {
  await add('first');
  await replay.wait();
  advance(1000);
  await ready();
  assert.equal(await answeredBy(() => notes()), 'replica');
  assert.deepEqual(await notes(), ['first']);
});

test('a client that sends back its position sees its write, whichever way it was committed', async (t) => {
  const writes: Record<string, (text: string) => Promise<unknown>> = {
    transaction: add,
    early: (text) =>
      pool.transaction(async (tx) => {
        await tx.text('set local synchronous_commit = off');
        await tx`insert into notes ${tx({ text })}`;
      }),
    statement: (text) => pool.write((tx) => tx`insert into notes ${tx({ text })}`),
    pipeline: (text) =>
      createPipeline(pool, replica.onCommit)('queue', (tx) => [tx`insert into notes ${tx({ text })}`]),
  };
  for (const [text, write] of Object.entries(writes)) {
    await replay.wait();
    advance(1000);
    await ready();
    await replay.pause(t);
    await write(text);
    assert.equal(await answeredBy(async () => assert.ok(!(await notes()).includes(text))), 'replica');
    assert.equal(
      await answeredBy(async () => assert.ok((await notes(replica.latest())).includes(text))),
      'primary',
      text,
    );
    await replay.resume();
  }
});

test('without a position, a response is at most a second old', async (t) => {
  await replay.wait();
  advance(1000);
  await ready();
  await replay.pause(t);
  const old = replica.latest();
  await add('a second ago');
  advance(999);
  assert.ok(!(await notes()).includes('a second ago'));
  advance(1);
  for (const seen of [null, old]) assert.ok((await notes(seen)).includes('a second ago'));
  // Nor does the replica serve reads later, while it has not reached the positions that the service knows.
  await eventually('a new position is known', async () => {
    await notes();
    return (await answeredBy(() => notes())) === 'primary';
  });
  for (let i = 0; i < 5; i++) {
    assert.ok((await notes()).includes('a second ago'));
    advance(300);
  }
  await replay.resume();
});

test('a count of several statements falls back to the primary as a whole', async (t) => {
  await replay.wait();
  advance(1000);
  await ready();
  const count = (seen: string | null) => replica.poolFor(seen).transaction(listNotes);
  assert.equal(await answeredBy(() => count(null)), 'replica');
  await replay.pause(t);
  await add('counted');
  assert.equal(await answeredBy(async () => assert.ok((await count(replica.latest())).includes('counted'))), 'primary');
  await replay.resume();
});

test("a replica without hot_standby_feedback doesn't serve exports, because vacuum would cancel them", async () => {
  await servers.setFeedback('off');
  await ready();
  assert.equal(await replica.reserve(null), null);
  await servers.setFeedback('on');
  await ready();
  const reserved = await replica.reserve(null);
  assert.ok(reserved);
  reserved.release();
});

test('an export reads one snapshot that contains the last write of the client', async (t) => {
  const snapshots = createSnapshots(targetOf(primary), 1, replica);
  const exported = async (between: () => Promise<unknown>, seen: string | null) => {
    const pages: string[][] = [];
    for await (const page of snapshots.read(
      'biz_1',
      async function* (db) {
        yield await listNotes(db);
        yield await listNotes(db);
      },
      seen,
    )) {
      pages.push(page);
      await between();
    }
    assert.deepEqual(pages[0], pages[1]);
    return pages[0]!;
  };
  await replay.wait();
  advance(1000);
  await ready();
  const onReplica = await answeredBy(() =>
    exported(async () => {
      await add(`during ${performance.now()}`);
      await replay.wait();
    }, null),
  );
  assert.equal(onReplica, 'replica');
  await replay.pause(t);
  await add('exported');
  const seen = replica.latest();
  assert.equal(
    await answeredBy(async () => assert.ok((await exported(async () => {}, seen)).includes('exported'))),
    'primary',
  );
  await replay.resume();
  await snapshots.end();
});

test("a failing statement returns the primary's response, and the replica stays in use", async () => {
  await ready();
  await replica.db(null)`select pg_current_wal_lsn()`;
  await assert.rejects(replica.db(null)`select 1 / ${0}::int`, { code: '22012' });
  assert.equal(await answeredBy(() => notes()), 'replica');
});

test('while all connections to the replica are busy, the primary serves reads', async () => {
  await ready();
  const before = { ...replica.reads };
  await Promise.all(Array.from({ length: 6 }, () => notes()));
  assert.deepEqual(replica.reads, { replica: before.replica + 2, primary: before.primary + 4 });
});

test('while the replica is down, the primary serves reads, and the log says so once', async () => {
  await ready();
  log.length = 0;
  await standby.stop('SIGKILL');
  for (let i = 0; i < 19; i++) {
    assert.equal(await answeredBy(() => notes()), 'primary');
    advance(500);
  }
  assert.deepEqual(
    log.map(({ level, message }) => [level, message]),
    [['warn', 'The read replica is unavailable, falling back to the primary']],
  );
  await servers.startStandby();
  await replay.wait();
  for (let i = 0; i < 5; i++) assert.equal(await answeredBy(() => notes()), 'primary', 'it is tried every 5 seconds');
  advance(5000);
  await ready();
  assert.equal(log.at(-1)!.message, 'The read replica is available again');
});

test('a replica that does not respond delays reads only briefly', async () => {
  await ready();
  log.length = 0;
  const pids = await replica.db(null)<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'souk-replica'`;
  for (const { pid } of pids) process.kill(pid, 'SIGSTOP');
  assert.equal(await answeredBy(() => notes()), 'primary');
  assert.match(log[0]!.error!, /the replica is not responding/);
  for (const { pid } of pids) process.kill(pid, 'SIGCONT');
  advance(5000);
  await ready();
});

test("a server that is not a replica of this database doesn't serve reads", async () => {
  const other = connect({ primary: targetOf(primary), replica: { url: standby.url('souk', 'postgres') } });
  await eventually('the server is asked', async () => {
    await other.replica.db(null)`select 1`;
    return other.log.length > 0 || other.replica.reads.replica > 0;
  });
  assert.equal(other.replica.reads.replica, 0);
  assert.equal(other.log[0]!.error, 'The server is not a standby of the primary.');
  await other.end();
});

test('a Citus cluster is rejected as a replica, because each node has its own positions', async () => {
  await pool.text('create table pg_dist_node (nodename text, nodeport int, isactive bool, groupid int, noderole text)');
  await pool.text('create table pg_dist_partition (logicalrelid oid)');
  await pool.text("create function citus_version() returns text language sql return 'Citus 13.2.0'");
  await pool.text("insert into pg_dist_node values ('worker', 5432, true, 1, 'primary')");
  await pool.text("insert into pg_dist_partition values ('notes'::regclass)");
  const silent = { info: () => {}, warn: () => {} };
  const target = targetOf(primary);
  for (const isPooled of [false, true]) {
    await assert.rejects(
      connectAll({ ...target, isPooled }, target, 4, { target: targetOf(standby), log: silent }),
      /DATABASE_REPLICA_URL can't be used with Citus/,
    );
  }
  await pool.text('drop table pg_dist_node, pg_dist_partition; drop function citus_version');
});

test("a promoted replica doesn't serve reads", async () => {
  await ready();
  log.length = 0;
  await servers.admin.standby.text('select pg_promote(true)');
  const promoted = createPool(targetOf(standby), { max: 1, applicationName: 'test' });
  await promoted`insert into notes values ('fork')`;
  assert.ok(!(await notes()).includes('fork'));
  assert.equal(log[0]!.error, 'The server is not a standby of the primary.');
  await promoted.end();
});

test('a replica of the old primary serves no reads, even if it has a later position than the new primary', async () => {
  await add('lost in the failover');
  await pool.text("select pg_logical_emit_message(false, 'test', repeat('x', 1000000))");
  await end();
  await primary.stop();
  writeFileSync(join(primary.folder, 'standby.signal'), '');
  await primary.start();
  const swapped = connect({ primary: targetOf(standby), replica: targetOf(primary) });
  await eventually('the old primary is asked', async () => {
    await swapped.notes();
    return swapped.log.length > 0 || swapped.replica.reads.replica > 0;
  });
  assert.equal(swapped.replica.reads.replica, 0);
  assert.equal(swapped.log[0]!.error, 'The server is not a standby of the primary.');
  await swapped.end();
});
