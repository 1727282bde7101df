import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import test, { after } from 'node:test';
import pg from 'pg';
import { openClient } from '../../src/db/client.ts';
import { abort, isLostMessage, isPoolTimeoutMessage, isPrepared, socketOf, withValues } from '../../src/db/driver.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase('template1');
after(() => dropDatabase(target));

const connect = () => openClient(target, 'test');

test('the socket counts the bytes of a statement and of its response', async () => {
  const client = await connect();
  const socket = socketOf(client);
  assert.ok(socket instanceof Socket);
  const { bytesWritten, bytesRead } = socket;
  await client.query('select 1');
  assert.ok(socket.bytesWritten > bytesWritten && socket.bytesRead > bytesRead);
  await client.end();
});

test('a statement counts as prepared once the server has parsed it, even if running it failed', async () => {
  const client = await connect();
  const run = (name: string, text: string) => client.query({ name, text, values: [0] }).catch((error) => error.code);
  await run('fine', 'select $1::int');
  assert.equal(await run('fails', 'select 1 / $1::int'), '22012');
  assert.equal(await run('unknown', 'select $1::int from no_such_table'), '42P01');
  assert.deepEqual(
    ['fine', 'fails', 'unknown', 'never'].map((name) => isPrepared(client, name)),
    [true, true, false, false],
  );
  await client.end();
});

test('a query inherits its text, name and row mode from a statement, and only its values are copied', async () => {
  const client = await connect();
  const statement = { text: 'select $1::int as n', name: 'inherited', rowMode: 'array' as const };
  const queries = [1, 2].map((n) => withValues(statement, [n]));
  assert.deepEqual(Object.keys(queries[0]!), ['values']);
  const results = await Promise.all(queries.map((query) => client.query(query)));
  assert.deepEqual(
    results.map(({ rows }) => rows),
    [[[1]], [[2]]],
  );
  assert.ok(isPrepared(client, 'inherited'));
  await client.end();
});

test('aborting a connection rejects a statement whose result arrived together with the notice', async () => {
  const client = await connect();
  const reason = new Error('aborted');
  client.once('notice', () => abort(client, reason));
  const statements = [client.query(`do $$ begin raise warning 'now'; end $$`), client.query('select 1')];
  const outcomes = await Promise.allSettled(statements);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
    [reason, reason],
  );
  assert.ok(socketOf(client).destroyed);
});

test('a connection drains when its last statement completes, even with an error', async () => {
  const client = await connect();
  let drained = 0;
  const count = () => void drained++;
  for (const text of ['select 1', 'select no_such_column', 'select 2']) client.query(text).then(count, count);
  await once(client, 'drain');
  await new Promise(setImmediate);
  assert.equal(drained, 3);
  client.query('select no_such_column').catch(() => {});
  await once(client, 'drain');
  await client.end();
});

test('statements on a lost or closed connection are rejected as lost', async () => {
  const isLost = (error: Error) => isLostMessage(error);
  const lost = await connect();
  const sleeping = lost.query('select pg_sleep(60)');
  socketOf(lost).destroy();
  await assert.rejects(sleeping, isLost);
  await assert.rejects(lost.query('select 1'), isLost);
  const closed = await connect();
  const ending = closed.end();
  await assert.rejects(closed.query('select 1'), isLost);
  await ending;
});

test('a connection to a server that never responds counts as lost', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'souk', connectionTimeoutMillis: 50 });
  await assert.rejects(client.connect(), (error: Error) => isLostMessage(error));
  silent.close();
});

test('a pool timeout is distinguished from a lost connection', async () => {
  const pool = new pg.Pool({ ...target, max: 1, connectionTimeoutMillis: 1000 });
  const taken = await pool.connect();
  await assert.rejects(pool.connect(), (error: Error) => isPoolTimeoutMessage(error) && !isLostMessage(error));
  const ended = once(taken, 'end');
  taken.release(true);
  await Promise.all([ended, pool.end()]);
});
