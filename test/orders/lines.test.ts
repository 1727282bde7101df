import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { openShop } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { token } = shop.staff;

const shirt = {
  name: 'Linen shirt',
  gallery: [{ id: 'front', url: 'https://example.com/front.jpg', mimeType: 'image/jpeg' }],
  variants: [
    {
      id: 'main',
      name: 'Medium',
      sku: 'LIN-M',
      attributes: [{ name: 'size', value: 'M' }],
      pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 4900 }] },
      inventory: { tracked: true, quantity: 10 },
    },
  ],
};
const sold = {
  name: 'Linen shirt',
  variantName: 'Medium',
  sku: 'LIN-M',
  options: [{ name: 'size', value: 'M' }],
  image: { id: 'front', url: 'https://example.com/front.jpg', mimeType: 'image/jpeg' },
};
type Details = Omit<typeof sold, 'image'> & { image: typeof sold.image | null };
const detailsOf = ({ name, variantName, sku, options, image }: Details) => ({
  name,
  variantName,
  sku,
  options,
  image,
});

async function sellShirt(slug: string): Promise<string> {
  const variants = [{ ...shirt.variants[0], sku: slug }];
  return (await h.call('POST', `${shop.base}/products`, { token, body: { ...shirt, slug, variants } })).body.id;
}

test('an order shows what was sold, even after the product has changed or was deleted', async () => {
  const productId = await sellShirt('lin-1');
  const expected = { ...sold, sku: 'lin-1' };
  const quote = await shop.quote(productId);
  assert.deepEqual(detailsOf(quote.body.lines[0]!), expected);
  const { orderId } = (await shop.checkout(productId)).body;
  const manual = await h.call('POST', `${shop.base}/orders`, {
    token,
    body: {
      customerId: shop.customer.userId,
      market: 'us',
      lines: [{ productId, variantId: 'main', quantity: 1 }],
    },
  });
  assert.deepEqual(detailsOf(manual.body.lines[0]!), expected);
  await h.call('PUT', `${shop.base}/products/${productId}`, {
    token,
    body: { name: 'Cotton shirt', gallery: [], variants: [{ ...shirt.variants[0], name: 'Large', sku: 'COT-L' }] },
  });
  assert.deepEqual(detailsOf((await shop.order(orderId)).lines[0]!), expected);
  const more = await h.call('PUT', `${shop.base}/orders/update`, {
    token,
    body: { id: orderId, lines: [{ productId, variantId: 'main', quantity: 2 }] },
  });
  assert.deepEqual(detailsOf(more.body.lines[0]!), expected, 'a changed line keeps what was sold');
  await h.call('DELETE', `${shop.base}/products/${productId}`, { token });
  const order = await shop.order(orderId);
  assert.deepEqual(detailsOf(order.lines[0]!), expected);
  const sent = await h.call('PUT', `${shop.base}/orders/update`, { token, body: order });
  assert.deepEqual([sent.status, sent.body], [200, order], 'an order can be sent back');
  assert.equal(sent.headers.get('souk-ignored'), null);
});

test('an order stored by an older version shows only item names', async () => {
  const { orderId } = (await shop.checkout(await sellShirt('lin-2'))).body;
  await h.pool`
    update orders set doc = jsonb_set(doc, '{lines,0}', (doc #> '{lines,0}') - array['productName', 'variantName', 'options', 'image'])
    where id = ${orderId}`;
  assert.deepEqual(detailsOf((await shop.order(orderId)).lines[0]!), {
    name: 'Linen shirt (Medium)',
    variantName: '',
    sku: 'lin-2',
    options: [],
    image: null,
  });
});

const idsOf = ({ lines }: { lines: { id: string }[] }) => lines.map(({ id }) => id);
const update = async (body: object) => {
  const response = await h.call('PUT', `${shop.base}/orders/update`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
};

test('the lines of quotes and orders have IDs by position, even if they were stored without IDs', async () => {
  const [a, b] = [await shop.product(), await shop.product()];
  const items = [a, b].map((productId) => ({ productId, variantId: 'main', quantity: 1 }));
  assert.deepEqual(idsOf((await shop.quote(a, { lines: items })).body), ['line_1', 'line_2']);
  const { orderId } = (await shop.checkout(a, { items })).body;
  const order = await shop.order(orderId);
  assert.deepEqual(idsOf(order), ['line_1', 'line_2']);
  const { body: list } = await h.call('GET', `${shop.base}/orders?limit=1`, { token });
  assert.deepEqual(list.items[0]!.lines, order.lines);
});

test('a line keeps its ID while the order changes, and no other line ever gets it', async () => {
  const [a, b, c] = [await shop.product(), await shop.product(), await shop.product()];
  const line = (productId: string, quantity = 1) => ({ productId, variantId: 'main', quantity });
  const { orderId: id } = (await shop.checkout(a, { items: [line(a), line(b)] })).body;
  assert.deepEqual(idsOf(await update({ id, lines: [line(b), line(a, 2)] })), ['line_2', 'line_1']);
  assert.deepEqual(idsOf(await update({ id, lines: [line(a)] })), ['line_1']);
  const [kept, added, ...others] = idsOf(await update({ id, lines: [line(a), line(c)] }));
  assert.equal(kept, 'line_1');
  assert.match(added!, /^line_[0-9a-z]{26}$/);
  assert.deepEqual(others, []);
  assert.deepEqual(idsOf(await shop.order(id)), [kept, added]);
});

test('several lines with the same variant are distinguished by their IDs', async () => {
  const a = await shop.product({ quantity: 100 });
  const line = (quantity: number) => ({ productId: a, variantId: 'main', quantity });
  const { orderId: id } = (await shop.checkout(a, { items: [line(1), line(2)] })).body;
  assert.deepEqual(idsOf(await update({ id, lines: [{ ...line(3), id: 'line_2' }, line(1)] })), ['line_2', 'line_1']);
  const { lines } = await update({ id, lines: [{ ...line(4), id: 'line_2' }] });
  assert.deepEqual(
    lines.map(({ id, quantity }) => [id, quantity]),
    [['line_2', 4]],
  );
  const repeated = idsOf(await update({ id, lines: [line(4), { ...line(5), id: 'line_2' }, line(6)] }));
  assert.equal(new Set(repeated).size, 3);
  assert.equal(repeated[1], 'line_2');
});
