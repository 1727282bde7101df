import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import { openClient } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded/index.ts';
import { souk } from './souk.ts';

const options = { timeout: 120_000 };
const folder = mkdtempSync(join(tmpdir(), 'souk-backup-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SILENT = { info() {}, warn() {}, error() {} };
const ACCOUNTS = 2000;
const BALANCE = 100;

async function startDatabase(t: TestContext, dataDir: string) {
  const { stop, ...target } = await startEmbedded({ dataDir, log: SILENT });
  t.after(stop);
  const client = await openClient(target, 'test');
  t.after(() => client.end());
  return { target, client, stop: () => client.end().then(stop) };
}

const DATA = join(folder, 'data');
const COPY = join(folder, 'copy');

test(
  'a backup taken during writes restores to one point in time, including everything committed before it',
  options,
  async (t) => {
    const { client, target, stop } = await startDatabase(t, DATA);
    mkdirSync(join(DATA, 'media/public'), { recursive: true });
    writeFileSync(join(DATA, 'media/public/mug.jpg'), 'an image');
    writeFileSync(join(DATA, 'secret.key'), 'k'.repeat(43));
    await client.query(`create table accounts (id int primary key, balance int not null, filler text);
    insert into accounts select id, ${BALANCE}, repeat('x', 500) from generate_series(1, ${ACCOUNTS}) id;
    create table notes (text text); insert into notes values ('before the backup')`);

    // Each transaction moves money between two accounts, and checkpoints make PostgreSQL recycle its log.
    const writer = await openClient(target, 'writer');
    let isDone = false;
    let writes = 0;
    const writing = (async () => {
      for (; !isDone; writes++) {
        const [from, to] = [1 + (writes % ACCOUNTS), 1 + ((writes * 7 + 3) % ACCOUNTS)];
        await writer.query(`update accounts set balance = balance + case id when ${from} then -1 else 1 end
        where id in (${from}, ${to}) and ${from} <> ${to}`);
        if (writes % 200 === 0) await writer.query('checkpoint');
      }
    })();
    const { code, stderr } = await souk(['backup', COPY], { DATA_DIR: DATA }).finally(() => {
      isDone = true;
    });
    await writing;
    await writer.end();
    assert.equal(code, 0, stderr);
    assert.ok(writes > 0);
    // Recovery starts where the backup did, not at the last checkpoint, which may be newer than some of the files.
    assert.match(readFileSync(join(COPY, 'postgres/backup_label'), 'utf8'), /^START WAL LOCATION/);
    await client.query("insert into notes values ('after the backup')");
    await stop();

    const restored = join(folder, 'restored');
    assert.deepEqual(await souk(['restore', COPY], { DATA_DIR: restored }), {
      code: 0,
      stdout: `Restored ${COPY} to ${restored}.\n`,
      stderr: '',
    });
    assert.equal(readFileSync(join(restored, 'media/public/mug.jpg'), 'utf8'), 'an image');
    assert.equal(readFileSync(join(restored, 'secret.key'), 'utf8'), 'k'.repeat(43));
    const again = await startDatabase(t, restored);
    const { rows: sums } = await again.client.query(
      'select sum(balance)::int as sum, count(*)::int as count from accounts',
    );
    assert.deepEqual(sums, [{ sum: ACCOUNTS * BALANCE, count: ACCOUNTS }]);
    const { rows: notes } = await again.client.query('select text from notes');
    assert.deepEqual(notes, [{ text: 'before the backup' }]);
  },
);

test('a backup of a stopped service contains everything that was committed', options, async (t) => {
  const { code, stderr } = await souk(['backup', join(folder, 'cold')], { DATA_DIR: DATA });
  assert.equal(code, 0, stderr);
  await souk(['restore', join(folder, 'cold')], { DATA_DIR: join(folder, 'warm') });
  const { client } = await startDatabase(t, join(folder, 'warm'));
  const { rows } = await client.query('select text from notes order by text');
  assert.deepEqual(rows, [{ text: 'after the backup' }, { text: 'before the backup' }]);
});

const refusal = async (args: string[], env: Record<string, string>) => {
  const { code, stdout, stderr } = await souk(args, env);
  assert.equal(code, 1, stdout);
  return stderr;
};

test('a restore replaces existing data only with --force', options, async () => {
  const target = join(folder, 'used');
  mkdirSync(target);
  writeFileSync(join(target, 'demo-login.json'), '{}');
  assert.equal(
    await refusal(['restore', COPY], { DATA_DIR: target }),
    `souk: ${target} is not empty. Use --force to replace its contents.\n`,
  );
  assert.deepEqual(readdirSync(target), ['demo-login.json']);
  assert.equal((await souk(['restore', COPY, '--force'], { DATA_DIR: target })).code, 0);
  assert.deepEqual(readdirSync(target).sort(), ['media', 'postgres', 'postgres.password', 'secret.key']);
});

test('a restore under a running service is rejected, even with --force', options, async (t) => {
  await startDatabase(t, DATA);
  assert.match(
    await refusal(['restore', COPY, '--force'], { DATA_DIR: DATA }),
    /is in use by another Souk process \(pid \d+\)/,
  );
});

test('invalid backups and restores are rejected with a one-line error', options, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const url = 'postgres://127.0.0.1:1/none';
  assert.match(await refusal(['backup', join(DATA, 'backup')], { DATA_DIR: DATA }), /inside the data folder/);
  assert.match(await refusal(['backup', COPY], { DATA_DIR: DATA }), /already exists/);
  assert.match(await refusal(['backup', join(folder, 'none')], { DATA_DIR: empty }), /has no database/);
  assert.match(await refusal(['restore', empty], { DATA_DIR: join(folder, 'none') }), /is not a backup/);
  assert.match(await refusal(['restore', COPY], { DATA_DIR: empty, DATABASE_URL: url }), /Unset DATABASE_URL/);
  assert.deepEqual(readdirSync(empty), []);
});

test('with a database server, the files are backed up and the output explains pg_dump', options, async () => {
  const [data, media] = [join(folder, 'server'), join(folder, 'files')];
  mkdirSync(join(media, 'public'), { recursive: true });
  writeFileSync(join(media, 'public/cup.jpg'), 'another image');
  const env = { DATA_DIR: data, STORAGE_URL: `file://${media}`, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const backup = join(folder, 'server-backup');
  const { stdout, stderr } = await souk(['backup', backup], { ...env, SECRET_KEY: 's'.repeat(32) });
  assert.equal(stderr, '');
  assert.match(stdout, /pg_dump --format=custom --file=database\.dump "\$DATABASE_URL"/);
  assert.match(stdout, /SECRET_KEY is set in the environment and is not in the backup/);
  rmSync(media, { recursive: true });
  const restored = await souk(['restore', backup], env);
  assert.match(restored.stdout, /pg_restore --exit-on-error --single-transaction/, restored.stderr);
  assert.doesNotMatch(restored.stdout, /--clean/);
  assert.equal(readFileSync(join(media, 'public/cup.jpg'), 'utf8'), 'another image');
});
