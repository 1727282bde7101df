import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'node:test';
import type { Service } from '../../src/app.ts';
import { type Json, startHarness } from '../harness.ts';

const souk = await startHarness();
const { call, pool, service, clock } = souk;
const other = await souk.startNode();

const emit = (node: Service, businessId: string, entity: `${string}:${string}`, data: object = {}) =>
  node.contexts
    .system()
    .within(businessId)
    .transaction((ctx) => ctx.emit({ type: 'order.updated', entity, data }));

const number = (businessId: string) => service.events.sequence(service.contexts.system().within(businessId));

async function shop() {
  const businessId = await souk.business();
  const { token } = await souk.member(businessId, 'ADMIN');
  const read = async (query: string, room = 'events') =>
    (await call('GET', `/v1/businesses/${businessId}/${room}?${query}`, { token })).body;
  return { businessId, token, read };
}

test('who polls the feed while two processes write misses no event and sees none twice', async () => {
  const { businessId, read } = await shop();
  const total = 300;
  const writes = Promise.all(
    Array.from({ length: total }, (_, i) =>
      emit(i % 2 ? service : other.service, businessId, `order:o${i % 7}`, { count: i }),
    ),
  );
  const seen: Json[] = [];
  let after = '0';
  while (seen.length < total) {
    const { items } = await read(`after=${after}&limit=17`);
    seen.push(...items);
    after = seen.at(-1)?.id ?? '0';
  }
  await writes;
  assert.equal((await read(`after=${after}`)).items.length, 0);
  assert.equal(new Set(seen.map(({ data }) => data.count)).size, total);
  for (const entity of new Set(seen.map((event) => event.entity))) {
    const sequences = seen.filter((event) => event.entity === entity).map((event) => event.sequence);
    assert.deepEqual(
      sequences,
      sequences.map((_, i) => i + 1),
    );
  }
});

test('an event that commits late comes after those that were read already', async () => {
  const { businessId, read } = await shop();
  const late = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = other.service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => {
      await ctx.emit({ type: 'order.updated', entity: 'order:slow', data: {} });
      begun.resolve();
      await late.promise;
    });
  await begun.promise;
  await emit(service, businessId, 'order:quick');
  await number(businessId);
  const first = (await read('after=0')).items;
  late.resolve();
  await slow;
  await number(businessId);
  const next = (await read(`after=${first.at(-1).id}`)).items;
  assert.deepEqual(
    [...first, ...next].map((event: Json) => event.entity),
    ['order:quick', 'order:slow'],
  );
});

test('a rolled back command tells nothing', async () => {
  const { businessId, read } = await shop();
  const failing = service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => {
      await ctx.emit({ type: 'order.updated', entity: 'order:a', data: {} });
      throw new Error('changed my mind');
    });
  await assert.rejects(failing);
  await number(businessId);
  assert.deepEqual((await read('after=0')).items, []);
});

test('old events are deleted, and the numbers go on', async () => {
  const { businessId } = await shop();
  await emit(service, businessId, 'order:a');
  await number(businessId);
  clock.advance(91 * 86_400);
  await service.contexts.system().transaction((ctx) => ctx.enqueue('events-upkeep', {}));
  await service.jobs.drain('events-upkeep');
  assert.equal((await pool`select from events where business_id = ${businessId}`).length, 0);
  await emit(service, businessId, 'order:a');
  await number(businessId);
  const { token } = await souk.member(businessId, 'ADMIN');
  const { body } = await call('GET', `/v1/businesses/${businessId}/events?after=0`, { token });
  assert.deepEqual(
    body.items.map((event: Json) => [event.id.endsWith('_2'), event.sequence]),
    [[true, 2]],
  );
});

test('the feed is narrowed by time, entity, type and actor', async () => {
  const { businessId, read } = await shop();
  await emit(service, businessId, 'order:a');
  await number(businessId);
  clock.advance(1800);
  await emit(service, businessId, 'order:b');
  await number(businessId);
  const entities = async (query: string) => (await read(query)).items.map((event: Json) => event.entity);
  const between = clock.seconds() - 900;
  assert.deepEqual(await entities(`after=0&from=${between}`), ['order:b']);
  assert.deepEqual(await entities(`after=0&to=${between}`), ['order:a']);
  assert.deepEqual(await entities(`from=${clock.seconds() + 3600}`), []);
  assert.deepEqual(await entities('entity=order:a'), ['order:a']);
  assert.deepEqual(await entities('types=order.*'), ['order:b', 'order:a']);
  assert.deepEqual(await entities('types=product.*,role.created'), []);
  assert.deepEqual(await entities('actor=usr_somebody'), []);
});

test('the feed is for ADMINs of the business only, and takes the ids of its own events only', async () => {
  const { businessId, token } = await shop();
  const stranger = await souk.member(businessId, 'ORDER_READ');
  const path = `/v1/businesses/${businessId}/events`;
  assert.equal((await call('GET', path, { token: stranger.token })).status, 403);
  assert.equal((await call('GET', `${path}?after=evt_other_1`, { token })).status, 422);
});

test('a stream tells what happens, goes on after the last id, and ends when the rights of its reader change', async () => {
  const { businessId, token } = await shop();
  await emit(service, businessId, 'order:a');
  await number(businessId);
  const path = `${souk.url}/v1/businesses/${businessId}/events/stream`;
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}`, 'last-event-id': '0' } });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readUntil = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { value, done } = await reader.read();
      if (done) return false;
      text += value;
    }
    return true;
  };
  assert.ok(await readUntil(/order:a/));
  await emit(other.service, businessId, 'order:b');
  assert.ok(await readUntil(/order:b/));
  assert.match(text, /^id: evt_\w+_2$/m);
  const me = (await call('GET', '/v1/users/me', { token })).body;
  await pool.transaction((tx) => service.broadcast.publish(tx, `user:${me.id}`));
  assert.equal(await readUntil(/never/), false);
});

test('one caller has fifty streams at once, and those whose client has gone do not count', async () => {
  const { businessId, token } = await shop();
  const path = `/v1/businesses/${businessId}/events/stream`;
  const { port, hostname } = new URL(souk.url);
  const head = `GET ${path} HTTP/1.1\r\nhost: souk\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const gone = Array.from({ length: 60 }, async () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(head, () => setImmediate(() => socket.destroy()));
    await once(socket, 'close');
  });
  await Promise.all(gone);
  const open = () => fetch(`${souk.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const streams: Response[] = [];
  for (let tries = 0; streams.length < 50 && tries < 1000; tries++) {
    const answer = await open();
    if (answer.status === 200) streams.push(answer);
    else await answer.text();
  }
  assert.equal(streams.length, 50);
  assert.equal((await open()).status, 503);
  for (const stream of streams) await stream.body!.cancel();
});

test('a member follows only what their permissions let them read', async () => {
  const { businessId } = await shop();
  const support = await souk.member(businessId, 'ORDER_READ');
  const guest = await souk.guest();
  const path = `/v1/businesses/${businessId}/events/stream`;
  assert.equal((await call('GET', path, { token: guest.token })).status, 403);
  assert.equal((await call('GET', `${path}?types=role.*`, { token: support.token })).status, 403);
});

test('a statement that nobody waits for and that fails undoes its command, which fails with its error', async () => {
  const { businessId, read } = await shop();
  const command = service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => {
      await ctx.emit({ type: 'order.updated', entity: 'order:a', data: {} });
      ctx.issue(ctx.db`insert into event_heads (business_id, position) values (${businessId}, null)`);
      return 'done';
    });
  await assert.rejects(command, /null value in column "position"/);
  await number(businessId);
  assert.deepEqual((await read('after=0')).items, []);
});
