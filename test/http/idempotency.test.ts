import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { commandFor, NoEffect } from '../../src/context/command.ts';
import { createContexts, type EventWriter } from '../../src/context/create.ts';
import type { AppServices, Command, Platform } from '../../src/context/index.ts';
import { claimKey, deleteExpiredKeys } from '../../src/db/idempotency.ts';
import { createPipeline } from '../../src/db/pipeline.ts';
import { createPool } from '../../src/db/pool.ts';
import { command, queryOnce } from '../../src/http/command.ts';
import type { Jobs } from '../../src/jobs/index.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { conflict } from '../../src/shared/errors.ts';
import { checkIfMatch, etagOf } from '../../src/shared/records/etag.ts';
import { BusinessParams, Input, Text } from '../../src/shared/schemas.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { startServer } from './app.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 25, applicationName: 'test' });
await pool`create table effects (id bigint generated always as identity, name text)`;
const connections = { pool, quick: pool.db, pipeline: createPipeline(pool) };
const contexts = createContexts({
  connectionsFor: () => connections,
  jobs: {} as Jobs,
  messages: undefined as never,
  events: { wake() {} } as unknown as EventWriter,
  platform: { clock: systemClock, config: { secretKey: 'x'.repeat(32) } } as Platform,
  services: {} as AppServices,
});

let runs = 0;

async function addEffect({ db }: Command, { name }: { name: string }) {
  const [row] = await db<{ id: number }[]>`insert into effects (name) values (${name}) returning id`;
  if (name === 'fails') throw conflict('It failed.');
  return { id: row!.id };
}

/** The actions after each commit of `addSlowly`, in order. */
const afterCommits: (() => Promise<void>)[] = [];
const addSlowly = commandFor<AppServices>()({
  execute: addEffect,
  async afterCommit(_ctx, result: { id: number }) {
    await afterCommits.shift()?.();
    return result;
  },
});

const server = await startServer(
  (app) => {
    const schema = { params: BusinessParams, body: Input({ name: Text(20) }) };
    const config = { access: 'token' } as const;
    app.post('/businesses/:businessId/effects', { config, schema }, (request) =>
      command(request, addEffect, request.body),
    );
    app.post('/businesses/:businessId/slow-effects', { config, schema }, (request) =>
      command(request, addSlowly, request.body),
    );
    app.post('/businesses/:businessId/work', { config, schema }, (request) =>
      queryOnce(request, async (_ctx, { name }: { name: string }) => ({ name, runs: ++runs }), request.body),
    );
  },
  { contexts },
);
after(async () => {
  await server.stop();
  await pool.end();
  await dropDatabase(target);
});

const post = (key: string | undefined, name = 'a', { token = 'user-1', business = 'biz-1' } = {}) =>
  server.call('POST', `/businesses/${business}/effects`, {
    token,
    body: { name },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const postSlowly = (key: string, name = 'a') =>
  server.call('POST', '/businesses/biz-1/slow-effects', {
    token: 'user-1',
    body: { name },
    headers: { 'idempotency-key': key },
  });
const countEffects = async () => (await pool<{ count: number }[]>`select count(*) from effects`)[0]!.count;

test('using a key twice has one effect and returns one response', async () => {
  const before = await countEffects();
  const first = await post('twice');
  const second = await post('twice');
  assert.equal(first.status, 200);
  assert.deepEqual(second.body, first.body);
  assert.equal(await countEffects(), before + 1);
});

test('without a key, every request takes effect', async () => {
  const before = await countEffects();
  await Promise.all([post(undefined), post(undefined)]);
  assert.equal(await countEffects(), before + 2);
});

test('twenty concurrent requests with one key have one effect and one response', async () => {
  const before = await countEffects();
  const responses = await Promise.all(Array.from({ length: 20 }, () => post('parallel')));
  assert.deepEqual(new Set(responses.map((response) => response.status)), new Set([200]));
  assert.equal(new Set(responses.map((response) => response.body.id)).size, 1);
  assert.equal(await countEffects(), before + 1);
});

test('the same key with a different body fails with 422 and has no effect', async () => {
  await post('mismatch', 'a');
  const before = await countEffects();
  const response = await post('mismatch', 'b');
  assert.deepEqual([response.status, response.body.error], [422, 'IDEMPOTENCY_MISMATCH']);
  assert.equal(await countEffects(), before);
});

test('keys are separate per user and per business', async () => {
  const mine = await post('shared');
  const theirs = await post('shared', 'a', { token: 'user-2' });
  const elsewhere = await post('shared', 'a', { business: 'biz-2' });
  assert.equal(new Set([mine.body.id, theirs.body.id, elsewhere.body.id]).size, 3);
});

test('a failed request does not use up its key', async () => {
  const before = await countEffects();
  assert.equal((await post('retry', 'fails')).status, 409);
  assert.equal((await post('retry', 'a')).status, 200);
  assert.equal(await countEffects(), before + 1);
});

test('a request that fails late does not release the key of the request after it', async () => {
  const call = () => postSlowly('late');
  const [committed, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const fail = async () => {
    throw new NoEffect(conflict('It failed.'));
  };
  afterCommits.push(async () => {
    committed.resolve();
    await failing.promise;
    await fail();
  }, fail);
  const late = call();
  await committed.promise;
  assert.equal((await call()).status, 409, 'releases the key');
  const next = await call();
  assert.equal(next.status, 200);
  failing.resolve();
  assert.deepEqual((await late).body, next.body);
  assert.deepEqual((await call()).body, next.body);
});

test('if requests with one key have different outcomes, all get the first one', async () => {
  const fail = async () => {
    throw new NoEffect(conflict('It failed.'));
  };
  /** A request that waits after its commit, and the function that ends it. */
  async function begin(key: string, end: () => Promise<void>) {
    const [committed, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    afterCommits.push(async () => {
      committed.resolve();
      await ending.promise;
      await end();
    });
    const slow = postSlowly(key);
    await committed.promise;
    return () => {
      ending.resolve();
      return slow;
    };
  }

  const failsLater = await begin('first-succeeds', fail);
  const before = await countEffects();
  const stored = await postSlowly('first-succeeds');
  assert.equal(stored.status, 200);
  assert.deepEqual((await failsLater()).body, stored.body);
  assert.deepEqual((await postSlowly('first-succeeds')).body, stored.body);
  assert.equal(await countEffects(), before);

  const succeedsLater = await begin('first-fails', async () => {});
  afterCommits.push(fail);
  assert.equal((await postSlowly('first-fails')).status, 409, 'releases the key');
  const next = await postSlowly('first-fails');
  assert.equal(next.status, 200);
  assert.deepEqual((await succeedsLater()).body, next.body);
  assert.deepEqual((await postSlowly('first-fails')).body, next.body);
});

test('a key expires after a day', async () => {
  const first = await post('old');
  await pool`update idempotency_keys set expires_at = now() + interval '1 minute' where key = 'old'`;
  assert.deepEqual((await post('old')).body, first.body);
  await pool`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'old'`;
  assert.notDeepEqual((await post('old', 'b')).body, first.body);
  const [kept] = await pool<{ hours: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 3600 as hours from idempotency_keys where key = 'old'`;
  assert.ok(kept!.hours > 23.9 && kept!.hours <= 24);
});

test('only expired keys are deleted', async () => {
  await post('expired');
  await post('fresh');
  await pool`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'expired'`;
  await pool.transaction((tx) => deleteExpiredKeys(tx, Math.floor(Date.now() / 1000)));
  const keys = await pool<{ key: string }[]>`select key from idempotency_keys where key in ('expired', 'fresh')`;
  assert.deepEqual([...keys], [{ key: 'fresh' }]);
});

test('a retry while the first request is still running fails with 409 and has no effect', async () => {
  const before = await countEffects();
  const nowSeconds = Math.floor(Date.now() / 1000);
  const key = { businessId: 'biz-1', userId: 'user-1', key: 'running', fingerprint: 'x', nowSeconds };
  await pool.transaction(async (tx) => {
    await claimKey(tx, key);
    const response = await post('running');
    assert.deepEqual([response.status, response.body.error], [409, 'CONFLICT']);
  });
  assert.equal(await countEffects(), before);
});

test('a repeated query with a key returns the first response', async () => {
  const call = (key: string, name = 'a') =>
    server.call('POST', '/businesses/biz-1/work', { token: 'me', body: { name }, headers: { 'idempotency-key': key } });
  const { body } = await call('work');
  assert.deepEqual((await call('work')).body, body);
  assert.notDeepEqual((await call('other-work')).body, body);
  assert.equal((await call('work', 'b')).body.error, 'IDEMPOTENCY_MISMATCH');
});

test('stored responses are encrypted', async () => {
  const { body } = await post('secret', 'a-name-that-tells');
  await postSlowly('secret-step', 'a-name-that-tells');
  const stored = await pool<{ answer: string; reference: string }[]>`
    select answer, reference from idempotency_keys where key in ('secret', 'secret-step') order by key`;
  for (const { answer } of stored) assert.match(answer, /^v1\.[\w-]+$/);
  assert.match(stored[1]!.reference, /^v1\.[\w-]+$/, 'the result of a step is encrypted too');
  await pool`update idempotency_keys set key = 'moved' where key = 'secret'`;
  assert.equal(
    (await post('moved', 'a-name-that-tells')).status,
    500,
    'a stored response can be decrypted only under its own key',
  );
  await pool`update idempotency_keys set answer = ${pool.json(body)} where key = 'moved'`;
  assert.deepEqual(
    (await post('moved', 'a-name-that-tells')).body,
    body,
    'an unencrypted response from an earlier version is returned',
  );
});

test('an empty, too long or non-ASCII key fails with 422', async () => {
  for (const key of ['', 'a b', 'x'.repeat(256), 'ü']) assert.equal((await post(key)).status, 422, key);
  assert.equal((await post('x'.repeat(255))).status, 200);
});

test('If-Match accepts the current version, a list that contains it, or *, and rejects everything else', () => {
  for (const match of [undefined, '*', '"3"', 'W/"3"', '"2", "3"', ' "3" ']) checkIfMatch(match, 3);
  for (const stale of ['"2"', '3', '"33"', '', '"3']) {
    assert.throws(() => checkIfMatch(stale, 3), { kind: 'PRECONDITION_FAILED' }, stale);
  }
  assert.equal(etagOf(3), '"3"');
});
