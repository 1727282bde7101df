/** Values in files that are slow to convert, or whose conversion is much longer. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Conversion, Row, secondsOf } from '../../src/domains/imports/formats/format.ts';
import { mobiledocHtml, TooLong } from '../../src/domains/imports/formats/ghost/html.ts';
import { ghostPosts } from '../../src/domains/imports/formats/ghost/posts.ts';
import { readMoney } from '../../src/domains/imports/formats/money.ts';
import { parseOrderDate } from '../../src/domains/imports/formats/order-dates.ts';
import { shopifyOrders } from '../../src/domains/imports/formats/shopify/orders.ts';
import { cpuMs, LINEAR_MS } from '../cpu.ts';

const blocks = [{ id: 'body', type: 'TEXT', settings: { variant: 'HTML' } }];
const to = {
  businessId: 'biz_1',
  markets: [{ id: 'us', name: 'US', currency: 'usd' }],
  market: { id: 'us', name: 'US', currency: 'usd' },
  collections: new Map(),
  collection: { id: 'col_1', blocks },
  planId: null,
  consent: null,
  now: 1_700_000_000,
} as unknown as Conversion;

test('a Mobiledoc document can close only the markup that it has opened', () => {
  for (const closed of ['1e999', '1e15', '-1', '"x"', '[7]']) {
    const text = `{"markups":[["b"]],"sections":[[1,"p",[[0,[0],${closed},"x"],[0,[],1,"y"]]]]}`;
    assert.match(mobiledocHtml(text).html, /^<p><b>x.*y/, closed);
  }
});

test('a Mobiledoc document that repeats a card is rejected instead of growing without limit', () => {
  const cards = [['html', { html: 'x'.repeat(900_000) }]];
  const repeated = { cards, sections: Array.from({ length: 560 }, () => [10, 0]) };
  assert.throws(() => mobiledocHtml(JSON.stringify(repeated)), TooLong);
  const atoms = [['x', 'y'.repeat(900_000)]];
  const sections = [[1, 'p', Array.from({ length: 560 }, () => [1, [], 0, 0])]];
  assert.throws(() => mobiledocHtml(JSON.stringify({ atoms, sections })), TooLong);
  const post = { id: '1', title: 'A', status: 'published', mobiledoc: JSON.stringify(repeated) };
  const outcome = ghostPosts.convert(post, 7, to);
  assert.deepEqual('errors' in outcome && outcome.errors.map(({ row, error }) => [row, error]), [[7, 'TOO_LONG']]);
});

const PUMPS: Record<string, string> = {
  'images of the blog':
    `<p>a</p><img src="${'__GHOST_URL__/'.repeat(350)}">`.repeat(200) + '<img __GHOST_URL__ '.repeat(50_000),
  players: `<iframe src${' '.repeat(4000)}`.repeat(250),
  'players without a URL': '<video>'.repeat(140_000),
  'open tags': '<iframe '.repeat(120_000),
};
for (const [name, html] of Object.entries(PUMPS)) {
  test(`a post with many ${name} is converted in linear time`, () => {
    const ms = cpuMs(() => ghostPosts.convert({ id: '1', title: 'A', status: 'published', html }, 1, to));
    assert.ok(ms < LINEAR_MS, `${Math.round(ms)} ms`);
  });
}

test('a post can have a tag any number of times, but keeps a limited number of names', () => {
  const tag = { name: 'x'.repeat(100_000) };
  const post = { id: '1', title: 'A', status: 'published', html: '<p>a</p>', tags: Array(100_000).fill(tag) };
  const ms = cpuMs(() => ghostPosts.convert(post, 1, to));
  assert.ok(ms < LINEAR_MS, `${Math.round(ms)} ms`);
});

test('dates, prices and email addresses that are too long are rejected before they are parsed', () => {
  const spaces = `2024-01-01${' '.repeat(100_000)}x`;
  const zeros = `1.${'0'.repeat(100_000)}1`;
  const email = `a@${'.x'.repeat(50_000)}@`;
  const cells = { name: '#1', email, currency: 'USD', total: zeros, 'created at': spaces, 'lineitem name': 'Mug' };
  const columns = new Map(Object.keys(cells).map((name, i) => [name, i]));
  const ms = cpuMs(() => {
    assert.equal(parseOrderDate(spaces), null);
    assert.equal(secondsOf(spaces), undefined);
    assert.ok('error' in readMoney(zeros, 'usd'));
    shopifyOrders.convert([new Row(2, columns, Object.values(cells))], to);
    shopifyOrders.convert(
      [new Row(2, columns, Object.values({ ...cells, 'created at': '2024-01-01', total: '1' }))],
      to,
    );
  });
  assert.ok(ms < LINEAR_MS, `${Math.round(ms)} ms`);
});
