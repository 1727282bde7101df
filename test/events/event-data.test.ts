import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const h = await shareHarness();

/** A business with its own service that delivers webhooks. */
async function shop() {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'ADMIN');
  const node = await h.startNode();
  const base = `/v1/businesses/${businessId}` as const;
  const get = async (path: string): Promise<Json> => (await node.call('GET', `${base}/${path}`, { token })).body;
  return { businessId, token, node, base, get };
}

const secret = { undeclared: 'not for clients' };

test('a field that the event type does not declare never appears in a feed, stream, webhook or audit log', async (t) => {
  const { businessId, token, node, base, get } = await shop();
  // The harness would report the undeclared fields.
  t.after(() => h.pool`delete from events where business_id = ${businessId}`);
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, events: ['order.updated'] };
  assert.equal((await node.call('POST', `${base}/webhooks`, { token, body: webhook })).status, 200);
  const line = { id: 'one', quantity: 1 };
  const data = (quantity: number, value: object) => ({
    number: 7,
    ...value,
    lines: [{ ...line, quantity, ...value }],
  });
  await node.service.work();
  await node.service.contexts
    .system()
    .within(businessId)
    .transaction(async (ctx) =>
      ctx.emit({
        type: 'order.updated',
        entity: 'order:o1',
        data: data(2, secret),
        before: data(1, { undeclared: 'previous' }),
      }),
    );
  const [call] = await receiver.received(1);
  const [listed] = (await get('events?after=0&types=order.*')).items;
  const [audited] = (await get('audit?types=order.*')).items;
  const stream = await fetch(`${node.url}${base}/events/stream?after=0&types=order.*`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/^data: .*\n\n/m.test(text)) text += (await reader.read()).value;
  await reader.cancel();
  const streamed = JSON.parse(/^data: (.*)$/m.exec(text)![1]!);

  const changes = { lines: { old: [line], new: [{ ...line, quantity: 2 }] } };
  for (const event of [call!.event, listed, streamed]) {
    assert.deepEqual(event.data, { number: 7, lines: [{ ...line, quantity: 2 }] });
    assert.deepEqual(event.changes, changes);
  }
  assert.deepEqual(audited.changes, changes);
});

test('account events contain no undeclared fields', async (t) => {
  const user = await h.user();
  t.after(() => h.pool`delete from account_events where user_id = ${user.userId}`);
  const system = h.service.contexts.system();
  const data = { keyId: 'key_1', ...secret };
  await system.transaction(async (ctx) => ctx.emitAccount({ type: 'user.key_revoked', userId: user.userId, data }));
  const { body } = await h.call('GET', '/v1/users/me/audit', { token: user.token });
  assert.deepEqual(body.items[0]?.data, { keyId: 'key_1' });
  const exported = await h.call('GET', '/v1/users/me/export', { token: user.token });
  assert.ok(!JSON.stringify(exported.body).includes(secret.undeclared));
});

test('events from other versions are sent without the fields that this version does not know', async (t) => {
  const { businessId, get } = await shop();
  t.after(() => h.pool`delete from events where business_id = ${businessId}`);
  const stored: [type: string, data: object, changes: object | null][] = [
    ['order.updated', {}, null],
    ['order.updated', { number: 7, lines: { first: secret }, email: [secret] }, { number: { omitted: true } }],
    ['order.updated', { lines: [null, 'one'], customer: 'cust_1' }, { lines: { old: null } }],
    ['order.of_the_future', { number: 7 }, { number: { old: 6, new: 7 } }],
    ['order.updated', { erased: true }, null],
  ];
  for (const [i, [type, data, changes]] of stored.entries()) {
    await h.pool`
      insert into events (business_id, position, type, entity, sequence, actor, address, data, changes, bytes, created_at)
      values (${businessId}, ${i + 1000}, ${type}, 'order:o1', ${i + 1}, '{"type": "SYSTEM"}', '', ${h.pool.json(data)},
        ${changes && h.pool.json(changes)}, 100, ${h.clock.seconds()})`;
  }
  const { items } = await get('events?after=0&entity=order:o1');
  assert.deepEqual(
    items.map((event: Json) => [event.data, event.changes]),
    [
      [{}, null],
      [{ number: 7 }, { number: { omitted: true } }],
      [{ lines: [null, 'one'], customer: 'cust_1' }, { lines: { old: null } }],
      [{}, {}],
      [{ erased: true }, null],
    ],
  );
});
