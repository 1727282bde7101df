import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'node:test';
import type { Service } from '../../src/app.ts';
import { eventWriter } from '../../src/domains/events/index.ts';
import { sequence } from '../../src/domains/events/sequencer.ts';
import type { Permission } from '../../src/shared/security/caller.ts';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const souk = await shareHarness();
const { call, pool, service, clock } = souk;
const other = await souk.secondNode();

const emit = (node: Service, businessId: string, entity: `${string}:${string}`, data: object = {}) =>
  node.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => ctx.emit({ type: 'order.updated', entity, data }));

const number = souk.numberEvents;

/** Adds a member. Resolves once the change to their permissions can no longer end their streams. */
async function member(businessId: string, permission: Permission) {
  const added = await souk.member(businessId, permission);
  const marker = `test:${added.userId}`;
  const arrivals = [service, other.service].map(
    ({ broadcast }) =>
      new Promise<void>((resolve) => {
        const unsubscribe = broadcast.subscribe((subject) => {
          if (subject !== marker) return;
          unsubscribe();
          resolve();
        });
      }),
  );
  await pool.transaction((tx) => service.broadcast.publish(tx, marker));
  await Promise.all(arrivals);
  return added;
}

async function shop() {
  const businessId = await souk.business();
  const { token } = await member(businessId, 'ADMIN');
  const read = async (query: string, resource = 'events') =>
    (await call('GET', `/v1/businesses/${businessId}/${resource}?${query}`, { token })).body;
  return { businessId, token, read };
}

test('a client that polls the feed while two processes write sees every event exactly once', async () => {
  const { businessId, read } = await shop();
  const total = 300;
  const writes = Promise.all(
    Array.from({ length: total }, (_, i) =>
      emit(i % 2 ? service : other.service, businessId, `order:o${i % 7}`, { number: i }),
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
  assert.equal(new Set(seen.map(({ data }) => data.number)).size, total);
  for (const entity of new Set(seen.map((event) => event.entity))) {
    const sequences = seen.filter((event) => event.entity === entity).map((event) => event.sequence);
    assert.deepEqual(
      sequences,
      sequences.map((_, i) => i + 1),
    );
  }
});

test('pages of events have a byte limit, even if the database compresses the events', async () => {
  const { businessId, read } = await shop();
  for (let i = 0; i < 6; i++) await emit(service, businessId, `order:o${i}`, { email: 'x'.repeat(900_000) });
  await number(businessId);
  const { items, cursor } = await read('after=0&limit=100');
  assert.equal(items.length, 2);
  assert.equal((await read(`after=0&limit=100&cursor=${cursor}`)).items.length, 2);
});

test('an event that commits late comes after events that were already read', async () => {
  const { businessId, read } = await shop();
  const late = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const slow = other.service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => {
      ctx.emit({ type: 'order.updated', entity: 'order:slow', data: {} });
      // Waits until the event is written.
      await ctx.db`select`;
      started.resolve();
      await late.promise;
    });
  await started.promise;
  await emit(service, businessId, 'order:quick');
  await number(businessId);
  const first = (await read('after=0')).items;
  late.resolve();
  await slow;
  await number(businessId);
  const next = (await read(`after=${first.at(-1).id}`)).items;
  assert.deepEqual(
    [...first, ...next].map((event) => event.entity),
    ['order:quick', 'order:slow'],
  );
});

test('a command that is rolled back emits no events', async () => {
  const { businessId, read } = await shop();
  const failing = service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => {
      ctx.emit({ type: 'order.updated', entity: 'order:a', data: {} });
      await ctx.db`select`;
      throw new Error('changed my mind');
    });
  await assert.rejects(failing);
  await number(businessId);
  assert.deepEqual((await read('after=0')).items, []);
});

test('old events are deleted, and numbering continues', async () => {
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
    body.items.map((event) => [event.id.endsWith('_2'), event.sequence]),
    [[true, 2]],
  );
});

test('the feed can be filtered by time, entity, type and actor', async () => {
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
  assert.deepEqual(await entities('actor=usr_other'), []);
});

test('only admins of the business can read the feed, and `after` must be one of its events', async () => {
  const { businessId, token } = await shop();
  const stranger = await souk.member(businessId, 'ORDER_READ');
  const path = `/v1/businesses/${businessId}/events` as const;
  assert.equal((await call('GET', path, { token: stranger.token })).status, 403);
  assert.equal((await call('GET', `${path}?after=evt_other_1`, { token })).status, 422);
});

test('a stream continues after the last event ID, sends new events, and ends when the caller’s permissions change', async () => {
  const { businessId, token } = await shop();
  await emit(service, businessId, 'order:a');
  await number(businessId);
  const path = `${souk.url}/v1/businesses/${businessId}/events/stream`;
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}`, 'last-event-id': '0' } });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
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

test('a stream whose session or key has ended without a broadcast sends no further event', async () => {
  const { businessId, token } = await shop();
  const expiresAt = clock.seconds() + 60;
  const { body } = await call('PUT', '/v1/users/update', { token, body: { apiTokens: [{ expiresAt }] } });
  const { id } = (await call('GET', '/v1/users/me', { token })).body;
  const path = `${souk.url}/v1/businesses/${businessId}/events/stream`;
  const marker = `test:${id}:key`;
  const arrived = new Promise<void>((resolve) => {
    service.broadcast.subscribe((subject) => subject === marker && resolve());
  });
  await pool.transaction((tx) => service.broadcast.publish(tx, marker));
  await arrived;
  const streams = await Promise.all(
    [token, body.apiTokens[0]!.value].map((each) => fetch(path, { headers: { authorization: `Bearer ${each}` } })),
  );
  const readers = streams.map(({ body: sent }) => sent!.pipeThrough(new TextDecoderStream()).getReader());
  for (const reader of readers) assert.match((await reader.read()).value ?? '', /connected/);
  clock.advance(3601);
  await emit(service, businessId, 'order:late');
  await number(businessId);
  for (const reader of readers) {
    const rest: string[] = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest.push(part.value);
    assert.doesNotMatch(rest.join(''), /order:late/);
  }
});

test('shutdown closes open streams without waiting for clients to disconnect', async () => {
  const { businessId, token } = await shop();
  const node = await souk.startNode();
  const path = `${node.url}/v1/businesses/${businessId}/events/stream`;
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  // Would wait for the client forever.
  await node.service.app.close();
  await response.body!.cancel().catch(() => {});
});

test('an account can have 25 open streams, a business 200, and streams of disconnected clients do not count', async () => {
  const { businessId, token } = await shop();
  const path = `/v1/businesses/${businessId}/events/stream` as const;
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
  const open = (caller = token) => fetch(`${souk.url}${path}`, { headers: { authorization: `Bearer ${caller}` } });
  const streams: Response[] = [];
  for (let tries = 0; streams.length < 25 && tries < 1000; tries++) {
    const response = await open();
    if (response.status === 200) streams.push(response);
    else await response.text();
  }
  assert.equal(streams.length, 25);
  assert.equal((await open()).status, 503);
  for (let i = 0; i < 7; i++) {
    const { token: own } = await member(businessId, 'ORDER_READ');
    for (let n = 0; n < 25; n++) streams.push(await open(own));
  }
  assert.ok(streams.every(({ status }) => status === 200));
  const another = await souk.member(businessId, 'ORDER_READ');
  assert.equal((await open(another.token)).status, 503);
  const elsewhere = await shop();
  const other = await fetch(`${souk.url}/v1/businesses/${elsewhere.businessId}/events/stream`, {
    headers: { authorization: `Bearer ${elsewhere.token}` },
  });
  assert.equal(other.status, 200);
  streams.push(other);
  for (const stream of streams) await stream.body!.cancel();
});

test('a client that disconnects while its stream waits for the database no longer counts', async () => {
  const { businessId, token } = await shop();
  const node = await souk.startNode({ databasePool: 16 });
  const path = `${node.url}/v1/businesses/${businessId}/events/stream`;
  const headers = { authorization: `Bearer ${token}` };
  /** Opens a stream that does not need the database to start. */
  const status = async () => {
    const response = await fetch(`${path}?after=0`, { headers });
    await response.body!.cancel();
    return response.status;
  };
  assert.equal(await status(), 200);
  const clients = new AbortController();
  await pool.transaction(async (tx) => {
    await tx.text('lock table event_heads in access exclusive mode');
    const waiting = Array.from({ length: 25 }, () => fetch(path, { headers, signal: clients.signal }));
    const closed = Promise.allSettled(waiting);
    await whenWaitingForLock(pool, closed, 4);
    while ((await status()) !== 503);
    const read = () => pool`
      select pid, query_start from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() order by pid`;
    const reads = await read();
    clients.abort();
    await closed;
    // The first reads of these streams have not ended yet.
    while ((await status()) !== 200) assert.deepEqual(await read(), reads);
  });
});

test('a stream whose client does not read is closed and no longer counts, and other streams continue', async () => {
  const { businessId, token } = await shop();
  const node = await souk.startNode({ stallSeconds: 1 });
  const cause = { caller: null, address: '', requestId: '', now: clock.seconds() };
  const data = { email: 'x'.repeat(100_000) };
  const event = { type: 'order.updated', entity: 'order:o1', data, businessId, changes: null } as const;
  // More than fits into the socket buffers of the system.
  await pool.transaction((tx) => eventWriter.insertEvents(tx, cause, Array(150).fill(event)).execute());
  await number(businessId);
  const path = `/v1/businesses/${businessId}/events/stream`;
  const headers = { authorization: `Bearer ${token}` };
  const reader = (await fetch(`${node.url}${path}`, { headers }))
    .body!.pipeThrough(new TextDecoderStream())
    .getReader();
  const { port, hostname } = new URL(node.url);
  const closed: Promise<unknown>[] = [];
  for (let i = 0; i < 24; i++) {
    const accepted = once(node.service.app.server, 'connection');
    const stalled = connect(Number(port), hostname).pause();
    stalled.on('error', () => {});
    stalled.write(`GET ${path}?after=0 HTTP/1.1\r\nhost: souk\r\nauthorization: Bearer ${token}\r\n\r\n`);
    const [ourSide] = (await accepted) as [Socket];
    closed.push(once(ourSide, 'close').then(() => stalled.destroy()));
  }
  await Promise.all(closed);
  const next = await Promise.all(Array.from({ length: 24 }, () => fetch(`${node.url}${path}`, { headers })));
  assert.deepEqual(new Set(next.map(({ status }) => status)), new Set([200]));
  await emit(node.service, businessId, 'order:last');
  let text = '';
  while (!text.includes('order:last')) text += (await reader.read()).value;
  for (const stream of next) await stream.body!.cancel();
  await reader.cancel();
});

test('streams that wait for the database leave connections for other requests', async () => {
  const { businessId, token } = await shop();
  const node = await souk.startNode({ databasePool: 16 });
  const path = `/v1/businesses/${businessId}` as const;
  assert.equal((await node.call('GET', `${path}/orders`, { token })).status, 200);
  const headers = { authorization: `Bearer ${token}` };
  let streams: Promise<Response[]> | undefined;
  await pool.transaction(async (tx) => {
    await tx.text('lock table event_heads in access exclusive mode');
    streams = Promise.all(Array.from({ length: 20 }, () => fetch(`${node.url}${path}/events/stream`, { headers })));
    await whenWaitingForLock(pool, streams, 4);
    assert.equal((await node.call('GET', `${path}/orders`, { token })).status, 200);
  });
  for (const stream of await streams!) {
    assert.equal(stream.status, 200);
    await stream.body!.cancel();
  }
});

test('a member can only stream events that their permissions allow', async () => {
  const { businessId } = await shop();
  const support = await souk.member(businessId, 'ORDER_READ');
  const guest = await souk.guest();
  const path = `/v1/businesses/${businessId}/events/stream` as const;
  assert.equal((await call('GET', path, { token: guest.token })).status, 403);
  assert.equal((await call('GET', `${path}?types=role.*`, { token: support.token })).status, 403);
});

test('a failed statement that was not awaited rolls back its command with its error', async () => {
  const { businessId, read } = await shop();
  const command = service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) => {
      ctx.emit({ type: 'order.updated', entity: 'order:a', data: {} });
      ctx.issue(ctx.db`insert into event_heads (business_id, position) values (${businessId}, null)`);
      return 'done';
    });
  await assert.rejects(command, /null value in column "position"/);
  await number(businessId);
  assert.deepEqual((await read('after=0')).items, []);
});

test('a run numbers at most its share of batches and leaves the rest for the next run', async () => {
  const { businessId } = await shop();
  const ctx = service.contexts.system().within(businessId);
  await number(businessId);
  const cause = { caller: null, address: '', requestId: '', now: clock.seconds() };
  const event = { type: 'order.updated', entity: 'order:o1', data: {}, businessId, changes: null } as const;
  await pool.transaction((tx) => eventWriter.insertEvents(tx, cause, Array(501).fill(event)).execute());
  const left = async () => (await pool`select from event_outbox where business_id = ${businessId}`).length;
  assert.equal(await sequence(ctx, [], 1), false);
  assert.equal(await left(), 1);
  assert.equal(await sequence(ctx, [], 1), true);
  assert.equal(await left(), 0);
});
