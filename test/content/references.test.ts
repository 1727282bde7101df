import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { makeOrder } from './order.ts';

const h = await shareHarness();
const businessId = await h.business();
const admin = await h.member(businessId, 'ADMIN');
const call = <M extends string, P extends string>(method: M, path: P, body?: unknown) =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token: admin.token, body });

async function make<P extends string>(path: P, body: object) {
  const response = await call('POST', path, body);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

const relation = (id: string, targetType: string, many = false) => ({
  id,
  type: 'RELATIONSHIP',
  settings: { targetType, many },
});
const { id: collectionId } = await make('/collections', {
  name: 'Links',
  blocks: [
    relation('author', 'USER'),
    relation('next', 'ENTRY'),
    relation('goods', 'PRODUCT', true),
    relation('home', 'COLLECTION'),
    relation('order', 'ORDER'),
    relation('film', 'MEDIA'),
  ],
});

test('valid references are stored, and every broken one is reported with its path', async () => {
  const { productId, orderId } = await makeOrder(make, admin.userId);
  const first = await make('/entries', { collectionId });
  const blocks = [
    { id: 'author', type: 'RELATIONSHIP', value: admin.userId },
    { id: 'next', type: 'RELATIONSHIP', value: first.id },
    { id: 'goods', type: 'RELATIONSHIP', value: [productId] },
    { id: 'home', type: 'RELATIONSHIP', value: collectionId },
    { id: 'order', type: 'RELATIONSHIP', value: orderId },
  ];
  const good = await make('/entries', { collectionId, blocks });
  assert.deepEqual(good.blocks, blocks);
  const { status, body } = await call('POST', '/entries', {
    collectionId,
    blocks: [
      { id: 'author', value: 'usr_none' },
      { id: 'next', value: collectionId },
      { id: 'goods', value: ['prod_none', productId, 'prod_other'] },
      { id: 'film', value: 'media_none' },
      { id: 'order', value: orderId },
    ],
  });
  assert.equal(status, 422);
  assert.deepEqual(
    body.details.map(({ field, error }) => [field, error]),
    [
      ['blocks[0].value', 'NOT_FOUND'],
      ['blocks[1].value', 'NOT_FOUND'],
      ['blocks[2].value[0]', 'NOT_FOUND'],
      ['blocks[2].value[2]', 'NOT_FOUND'],
      ['blocks[3].value', 'NOT_FOUND'],
    ],
  );
});

test('a RELATIONSHIP without a target type accepts any record of the business, and nothing else', async () => {
  const { productId, orderId } = await makeOrder(make, admin.userId);
  const any = await make('/collections', { name: 'Any', blocks: [{ id: 'to', type: 'RELATIONSHIP' }] });
  const to = (value: unknown) => ({ collectionId: any.id, blocks: [{ id: 'to', type: 'RELATIONSHIP', value }] });
  const first = await make('/entries', to(productId));
  for (const id of [orderId, collectionId, first.id, admin.userId]) await make('/entries', to(id));
  const foreign = await h.business();
  const { token } = await h.member(foreign, 'ADMIN');
  const theirs = await h.call('POST', `/v1/businesses/${foreign}/products`, { token, body: { name: 'x' } });
  for (const id of [theirs.body.id, 'prod_none', 'media_none', 'sub_1', 'constructor_1', 'anything', '_']) {
    const { status, body } = await call('POST', '/entries', to(id));
    assert.deepEqual([status, body.details?.[0]?.error], [422, 'NOT_FOUND'], id);
  }
});
