import assert from 'node:assert/strict';
import test from 'node:test';
import { casesOf } from '../cases.ts';
import { skipTriggers } from '../databases.ts';
import type { Json } from '../harness.ts';
import { startHarness } from '../harness.ts';
import { MARKETS, openShop } from '../imports/shop.ts';
import { listHistory, listPricesWithoutHistory } from './prices.ts';

const h = await startHarness({ LOG_LEVEL: 'silent' });
const businessId = await h.business({ markets: MARKETS });
const path = `/v1/businesses/${businessId}/products` as const;
const DAY = 86_400;

const tokenNow = async () => (await h.member(businessId, 'CATALOG_WRITE')).token;
let token = await tokenNow();

/** Access tokens expire, so each step gets a new one. */
async function wait(seconds: number): Promise<void> {
  h.clock.advance(seconds);
  token = await tokenNow();
}

type Price = { marketId: string; currency: string; price: number; compareAtPrice?: number; lowestPrice30?: number };
const eur = (price: number, compareAtPrice?: number): Price => ({
  marketId: 'eu',
  currency: 'eur',
  price,
  ...(compareAtPrice === undefined ? {} : { compareAtPrice }),
});
const variant = (...markets: Price[]) => ({ id: 'one', name: 'One', pricing: { markets } });

async function create(body: object): Promise<Json> {
  const response = await h.call('POST', path, { token, body: { name: 'Mug', ...body } });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

async function put(id: string, body: object): Promise<Json> {
  const response = await h.call('PUT', `${path}/${id}`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

const pricesOf = async (id: string, reader = token): Promise<Price[]> =>
  (await h.call('GET', `${path}/${id}`, { token: reader })).body.variants[0]!.pricing.markets;
const lowestOf = async (id: string) => (await pricesOf(id))[0]!.lowestPrice30;

test('every response shows a reduced price with the lowest price of the previous 30 days', async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(1000))] });
  await wait(40 * DAY);
  await put(id, { variants: [variant(eur(900))] });
  await wait(10 * DAY);
  await put(id, { variants: [variant(eur(1000))] });
  await wait(10 * DAY);
  const changed = await put(id, { variants: [variant(eur(700, 1000))] });
  assert.equal(changed.variants[0].pricing.markets[0].lowestPrice30, 900);
  const guest = (await h.guest()).token;
  assert.deepEqual(await pricesOf(id, guest), [{ ...eur(700, 1000), lowestPrice30: 900 }]);
  for (const query of [`ids=${id}`, 'query=mug']) {
    const { body } = await h.call('GET', `${path}?${query}`, { token: guest });
    assert.equal(body.items[0]!.variants[0]!.pricing.markets[0]!.lowestPrice30, 900);
  }
});

test('the lowest price stays the same during the reduction', async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(1000))] });
  await wait(5 * DAY);
  await put(id, { variants: [variant(eur(800, 1000))] });
  await wait(100 * DAY);
  await put(id, { description: 'Dishwasher safe', variants: [variant(eur(800, 1200))] });
  assert.equal(await lowestOf(id), 1000);
  // A period in which the product is not for sale doesn't end the reduction.
  await put(id, { status: 'ARCHIVED' });
  await wait(50 * DAY);
  await put(id, { status: 'ACTIVE' });
  assert.equal(await lowestOf(id), 1000);
});

test('a further reduction is compared with the reduced price before it', async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(1000))] });
  await wait(60 * DAY);
  await put(id, { variants: [variant(eur(800, 1000))] });
  await wait(10 * DAY);
  await put(id, { variants: [variant(eur(600, 1000))] });
  assert.equal(await lowestOf(id), 800);
  // A price that rises but is still reduced is compared with the lower price before it.
  await wait(10 * DAY);
  await put(id, { variants: [variant(eur(700, 1000))] });
  assert.equal(await lowestOf(id), 600);
});

test('a price that was never higher is its own lowest price', async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(800, 1000))] });
  assert.equal(await lowestOf(id), 800);
  const unreduced = await create({ variants: [variant(eur(800, 800))] });
  assert.equal(await lowestOf(unreduced.id), undefined);
  const same = await create({ variants: [variant(eur(800))] });
  await wait(DAY);
  await put(same.id, { variants: [variant(eur(800, 1000))] });
  assert.equal(await lowestOf(same.id), 800);
});

test('prices of drafts were never offered and do not count', async () => {
  await wait(0);
  const { id } = await create({ status: 'DRAFT', variants: [variant(eur(1))] });
  await put(id, { variants: [variant(eur(1000))] });
  assert.deepEqual(await listHistory(h, id), []);
  await put(id, { status: 'ACTIVE' });
  await wait(DAY);
  const draft = await h.call('PUT', `${path}/${id}?draft=true`, { token, body: { variants: [variant(eur(5))] } });
  assert.equal(draft.status, 200);
  await h.call('PUT', `${path}/${id}?draft=true`, { token, body: { variants: [variant(eur(800, 1000))] } });
  assert.equal((await pricesOf(id))[0]!.price, 1000);
  const published = await h.call('POST', `${path}/${id}/publish`, { token, body: {} });
  assert.equal(published.status, 200, JSON.stringify(published.body));
  assert.equal(await lowestOf(id), 1000);
  assert.deepEqual(
    (await listHistory(h, id)).map(({ amount }) => amount),
    [1000, 800],
  );
});

test('a reduction made while the product is archived begins when the product is active again', async () => {
  const { id } = await create({ variants: [variant(eur(500))] });
  await wait(40 * DAY);
  await put(id, { variants: [variant(eur(600))] });
  await wait(5 * DAY);
  await put(id, { status: 'ARCHIVED' });
  await put(id, { variants: [variant(eur(400, 600))] });
  await wait(31 * DAY);
  await put(id, { status: 'ACTIVE' });
  assert.equal(await lowestOf(id), 600);
});

test('a client can send a product back unchanged, but cannot set the lowest price', async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(1000))] });
  await wait(DAY);
  await put(id, { variants: [variant({ ...eur(800, 1000), lowestPrice30: 1 })] });
  const read = await h.call('GET', `${path}/${id}`, { token });
  const again = await h.call('PUT', `${path}/${id}`, { token, body: read.body });
  assert.equal(again.headers.get('etag'), read.headers.get('etag'));
  assert.equal(again.headers.get('souk-ignored'), null);
  assert.equal(await lowestOf(id), 1000);
});

/** A second implementation of the rule: follows one price forward in time. */
class Oracle {
  readonly past: { at: number; price: number | null }[] = [];
  reduced: { price: number; lowest: number } | null = null;

  change(at: number, offer: Price | null): void {
    const last = this.past.at(-1);
    if (offer && (offer.compareAtPrice ?? 0) > offer.price) {
      if (this.reduced?.price !== offer.price)
        this.reduced = { price: offer.price, lowest: this.lowest(at, offer.price) };
    } else if (offer) this.reduced = null;
    if (last?.price !== (offer?.price ?? null)) this.past.push({ at, price: offer?.price ?? null });
  }

  lowest(at: number, price: number): number {
    const days = this.past.map((each, i) => ({ ...each, end: this.past[i + 1]?.at ?? at }));
    const offered = days.filter((each) => each.price !== null);
    const recent = offered.filter(({ end }) => end > at - 30 * DAY).map((each) => each.price!);
    return recent.length > 0 ? Math.min(...recent) : (offered.at(-1)?.price ?? price);
  }
}

test('random price changes give the same lowest price as an independent implementation', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const randomPrice = () => {
    const price = 100 * (1 + random(6));
    return eur(price, random(2) ? price + 100 * random(3) : undefined);
  };
  for (let round = 0; round < casesOf(2, 8); round++) {
    const oracle = new Oracle();
    let price: Price | null = randomPrice();
    let isActive = true;
    const { id } = await create({ variants: [variant(price)] });
    oracle.change(h.clock.seconds(), price);
    for (let step = 0; step < 15; step++) {
      await wait([0, 3600, DAY, 7 * DAY, 29 * DAY, 31 * DAY][random(6)]!);
      const before = h.clock.seconds();
      const what = random(10);
      if (what < 6) {
        price = randomPrice();
        await put(id, { variants: [variant(price)] });
      } else if (what === 6) {
        price = null;
        await put(id, { variants: [variant()] });
      } else if (what === 7) await put(id, { description: `Step ${step}` });
      else {
        isActive = !isActive;
        await put(id, { status: isActive ? 'ACTIVE' : 'ARCHIVED' });
      }
      const [shown] = await pricesOf(id);
      const [newest] = (await listHistory(h, id)).slice(-1);
      // The second may have changed before the service read its clock.
      const at = newest && newest.since > before ? newest.since : before;
      oracle.change(at, isActive ? price : null);
      if (!isActive || !price) continue;
      assert.equal(shown!.lowestPrice30, oracle.reduced?.lowest, `round ${round}, step ${step}`);
    }
  }
  assert.deepEqual(await listPricesWithoutHistory(h), []);
});

test('every way to change a price writes its history', async () => {
  const shop = await openShop(h);
  const base = `/v1/businesses/${shop.businessId}/products` as const;
  const call = async (method: string, url: string, body?: unknown) => {
    const { token: fresh } = await h.member(shop.businessId, 'ADMIN');
    const response = await h.call(method, url, { token: fresh, body });
    assert.equal(response.status, 200, `${method} ${url}: ${JSON.stringify(response.body)}`);
    assert.deepEqual(await listPricesWithoutHistory(h), [], `${method} ${url}`);
    return response.body;
  };
  const amountsOf = async (id: string) => (await listHistory(h, id)).map(({ amount }) => amount);
  const { id } = await call('POST', base, { name: 'Cup', variants: [variant(eur(1000))] });
  await call('PUT', `${base}/${id}`, { variants: [variant(eur(1100))] });
  await call('PUT', `${shop.base}/prices`, { items: [{ productId: id, variantId: 'one', prices: [eur(1200)] }] });
  await call('PUT', `${base}/${id}?draft=true`, { variants: [variant(eur(1300))] });
  await call('POST', `${base}/${id}/publish`, {});
  await call('PUT', `${base}/${id}?draft=true`, { variants: [variant(eur(1400))] });
  await call('POST', `${base}/${id}/publish`, { at: h.clock.seconds() + 3600 });
  h.clock.advance(3601);
  await h.drain();
  assert.deepEqual(await amountsOf(id), [1000, 1100, 1200, 1300, 1400]);
  await call('POST', `${base}/${id}/versions/1/restore`, {});
  await call('POST', `${base}/${id}/publish`, {});
  await call('PUT', `${base}/${id}`, { variants: [{ ...variant(eur(1400)), id: 'other' }] });
  assert.equal((await amountsOf(id)).includes(null), true);
  await call('DELETE', `${base}/${id}`);
  assert.deepEqual(await amountsOf(id), []);
});

test('imported products, and sales that start and end later, are in the history with their times', async () => {
  const shop = await openShop(h);
  const header = 'ID,Type,SKU,Name,Published,Sale price,Regular price,Date sale price starts,Date sale price ends';
  const day = (days: number) => new Date((h.clock.seconds() + days * DAY) * 1000).toISOString().slice(0, 10);
  const file = `${header}\n1,simple,S1,Bowl,1,8,10,${day(2)},${day(9)}\n`;
  await shop.run('type=products&market=eu', file);
  const { items } = await shop.get('/products?query=bowl');
  const { id } = items[0]!;
  assert.deepEqual(await listPricesWithoutHistory(h), []);
  for (const days of [3, 8]) {
    h.clock.advance(days * DAY);
    await h.drain();
  }
  const rows = await listHistory(h, id);
  assert.deepEqual(
    rows.map(({ amount, compareAt }) => [amount, compareAt]),
    [
      [1000, null],
      [800, 1000],
      [1000, null],
    ],
  );
  assert.ok(rows[1]!.since - rows[0]!.since >= 3 * DAY);
});

test('the export of a business contains its price history', async () => {
  const shop = await openShop(h);
  const { body: product } = await shop.call('POST', '/products', { name: 'Jug', variants: [variant(eur(1000))] });
  h.clock.advance(DAY);
  const { token: fresh } = await h.member(shop.businessId, 'ADMIN');
  const base = `/v1/businesses/${shop.businessId}` as const;
  await h.call('PUT', `${base}/products/${product.id}`, {
    token: fresh,
    body: { variants: [variant(eur(700, 1000))] },
  });
  const exported = await fetch(`${h.url}${base}/export`, { headers: { authorization: `Bearer ${fresh}` } });
  const text = await exported.text();
  assert.match(text, /"priceHistory":\[\{/);
  const history = await listHistory(h, product.id, shop.businessId);
  const target = await openShop(h);
  const run = await target.run('type=business', text, 'application/x-ndjson');
  assert.equal(run.status, 'DONE', JSON.stringify(run));
  const { items } = await target.get('/products?query=jug');
  assert.equal(items[0]!.variants[0]!.pricing.markets[0]!.lowestPrice30, 1000);
  assert.deepEqual(await listHistory(h, items[0]!.id, target.businessId), history);
});

test('a price and its history change together or not at all', { skip: skipTriggers }, async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(1000))] });
  await h.pool`create or replace function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`;
  for (const table of ['price_history', 'products'] as const) {
    await h.pool.text(
      `create trigger refuse before insert or update on ${table} for each row execute function refuse()`,
    );
    const response = await h.call('PUT', `${path}/${id}`, { token, body: { variants: [variant(eur(500))] } });
    await h.pool.text(`drop trigger refuse on ${table}`);
    assert.equal(response.status, 500);
    assert.equal((await pricesOf(id))[0]!.price, 1000);
    assert.equal((await listHistory(h, id)).length, 1);
  }
});

test('price history older than 400 days is deleted when the price changes, except rows that a reduction needs', async () => {
  await wait(0);
  const { id } = await create({ variants: [variant(eur(1000))] });
  await wait(100 * DAY);
  await put(id, { variants: [variant(eur(900))] });
  await wait(10 * DAY);
  await put(id, { variants: [variant(eur(700, 900))] });
  await wait(500 * DAY);
  await put(id, { variants: [variant(eur(700, 950))] });
  assert.equal((await listHistory(h, id)).length, 4);
  assert.equal(await lowestOf(id), 900);
  await put(id, { variants: [variant(eur(600, 950))] });
  assert.deepEqual(
    (await listHistory(h, id)).map(({ amount }) => amount),
    [700, 700, 600],
  );
  assert.equal(await lowestOf(id), 700);
});
