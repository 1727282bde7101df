import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import Type from 'typebox';
import { createContexts, type EventWriter } from '../../src/context/create.ts';
import type { Command, Platform } from '../../src/context/index.ts';
import { claimKey, deleteExpiredKeys } from '../../src/db/idempotency.ts';
import { createOneTrip } from '../../src/db/one-trip.ts';
import { createPool } from '../../src/db/pool.ts';
import { command, perform } from '../../src/http/command.ts';
import type { Jobs } from '../../src/jobs/index.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { conflict } from '../../src/shared/errors.ts';
import { checkIfMatch, etagOf } from '../../src/shared/etag.ts';
import { Input } from '../../src/shared/schemas.ts';
import { cloneDatabase, dropDatabase } from '../harness.ts';
import { startServer } from './app.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 25, applicationName: 'test' });
await pool`create table effects (id bigint generated always as identity, name text)`;
const contexts = createContexts({
  ...{ pool, quick: pool.db, oneTrip: createOneTrip(pool), jobs: {} as Jobs, messages: undefined as never },
  events: { wake() {} } as unknown as EventWriter,
  platform: { clock: systemClock, config: { secretKey: 'x'.repeat(32) } } as Platform,
});

let made = 0;

async function addEffect({ db }: Command, { name }: { name: string }) {
  const [row] = await db<{ id: number }[]>`insert into effects (name) values (${name}) returning id`;
  if (name === 'fails') throw conflict('It failed.');
  return { id: row!.id };
}

const server = await startServer(
  (app) => {
    const schema = { params: Type.Object({ businessId: Type.String() }), body: Input({ name: Type.String() }) };
    const config = { access: 'token' } as const;
    app.post('/businesses/:businessId/effects', { config, schema }, (request) =>
      command(request, addEffect, request.body),
    );
    app.post('/businesses/:businessId/work', { config, schema }, (request) =>
      perform(request, async (_ctx, { name }: { name: string }) => ({ name, made: ++made }), request.body),
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
const countEffects = async () => (await pool<{ count: number }[]>`select count(*) from effects`)[0]!.count;

test('the same key twice has one effect and one answer', async () => {
  const before = await countEffects();
  const first = await post('twice');
  const second = await post('twice');
  assert.equal(first.status, 200);
  assert.deepEqual(second.body, first.body);
  assert.equal(await countEffects(), before + 1);
});

test('without a key every call has its effect', async () => {
  const before = await countEffects();
  await Promise.all([post(undefined), post(undefined)]);
  assert.equal(await countEffects(), before + 2);
});

test('twenty calls at once with one key have one effect and one answer', async () => {
  const before = await countEffects();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('parallel')));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
  assert.equal(await countEffects(), before + 1);
});

test('the same key with another body is 422 and has no effect', async () => {
  await post('mismatch', 'a');
  const before = await countEffects();
  const answer = await post('mismatch', 'b');
  assert.deepEqual([answer.status, answer.body.error], [422, 'IDEMPOTENCY_MISMATCH']);
  assert.equal(await countEffects(), before);
});

test("another user's key, or the same one in another business, is another key", async () => {
  const mine = await post('shared');
  const theirs = await post('shared', 'a', { token: 'user-2' });
  const elsewhere = await post('shared', 'a', { business: 'biz-2' });
  assert.equal(new Set([mine.body.id, theirs.body.id, elsewhere.body.id]).size, 3);
});

test('a call that failed leaves its key free', async () => {
  const before = await countEffects();
  assert.equal((await post('retry', 'fails')).status, 409);
  assert.equal((await post('retry', 'a')).status, 200);
  assert.equal(await countEffects(), before + 1);
});

test('a key counts for a day', async () => {
  const first = await post('old');
  await pool`update idempotency_keys set expires_at = now() + interval '1 minute' where key = 'old'`;
  assert.deepEqual((await post('old')).body, first.body);
  await pool`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'old'`;
  assert.notDeepEqual((await post('old', 'b')).body, first.body);
  const [kept] = await pool<{ hours: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 3600 as hours from idempotency_keys where key = 'old'`;
  assert.ok(kept!.hours > 23.9 && kept!.hours <= 24);
});

test('expired keys are cleared away, others stay', async () => {
  await post('expired');
  await post('fresh');
  await pool`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'expired'`;
  await pool.transaction((tx) => deleteExpiredKeys(tx, Math.floor(Date.now() / 1000)));
  const keys = await pool<{ key: string }[]>`select key from idempotency_keys where key in ('expired', 'fresh')`;
  assert.deepEqual([...keys], [{ key: 'fresh' }]);
});

test('a repeat while the first still runs is told 409 after a while, and has no effect', async () => {
  const before = await countEffects();
  const nowSeconds = Math.floor(Date.now() / 1000);
  const key = { businessId: 'biz-1', userId: 'user-1', key: 'running', fingerprint: 'x', nowSeconds };
  await pool.transaction(async (tx) => {
    await claimKey(tx, key);
    const answer = await post('running');
    assert.deepEqual([answer.status, answer.body.error], [409, 'CONFLICT']);
  });
  assert.equal(await countEffects(), before);
});

test('work in steps is answered with the first answer too', async () => {
  const call = (key: string, name = 'a') =>
    server.call('POST', '/businesses/biz-1/work', { token: 'me', body: { name }, headers: { 'idempotency-key': key } });
  const { body } = await call('work');
  assert.deepEqual((await call('work')).body, body);
  assert.notDeepEqual((await call('other-work')).body, body);
  assert.equal((await call('work', 'b')).body.error, 'IDEMPOTENCY_MISMATCH');
});

test('what is stored for a repeat is sealed', async () => {
  const { body } = await post('secret', 'a-name-that-tells');
  const [row] = await pool<{ answer: string; reference: string }[]>`
    select answer, reference from idempotency_keys where key = 'secret'`;
  assert.match(row!.answer, /^v1\.[\w-]+$/);
  assert.match(row!.reference, /^v1\.[\w-]+$/);
  await pool`update idempotency_keys set key = 'moved' where key = 'secret'`;
  assert.equal((await post('moved', 'a-name-that-tells')).status, 500, 'an answer opens under its own key only');
  await pool`update idempotency_keys set answer = ${pool.json(body)} where key = 'moved'`;
  assert.deepEqual((await post('moved', 'a-name-that-tells')).body, body, 'one stored before that is taken as it is');
});

test('a key that is empty, too long or not visible is 422', async () => {
  for (const key of ['', 'a b', 'x'.repeat(256), 'ü']) assert.equal((await post(key)).status, 422, key);
  assert.equal((await post('x'.repeat(255))).status, 200);
});

test('If-Match fits the version, one of several, or anything; else it is refused', () => {
  for (const fits of [undefined, '*', '"3"', 'W/"3"', '"2", "3"', ' "3" ']) checkIfMatch(fits, 3);
  for (const stale of ['"2"', '3', '"33"', '', '"3']) {
    assert.throws(() => checkIfMatch(stale, 3), { kind: 'PRECONDITION_FAILED' }, stale);
  }
  assert.equal(etagOf(3), '"3"');
});
