/** Sends texts that make patterns slow to the forms of the storefront, in headers, and in paths of pages. See `pumps.test.ts`. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { GOOD_PASSWORD, registered } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { makeNewsletter } from '../newsletters/fixture.ts';
import { openShop } from '../orders/shop.ts';
import { ADDRESS, openBrowser } from '../site/browser.ts';
import { findSlow, lengthWithin, type Pump, pumpsOf } from './pumps.ts';

const MANY = '1000000/1000000';
const h = await startHarness({
  TRUST_PROXY: '1',
  STOREFRONT_HOSTS: 'trust',
  LIMIT_ADDRESS: '1000000',
  LIMIT_ACCOUNT_FAILURES: '1000000',
  LIMIT_MESSAGES: '1000000',
  ...Object.fromEntries(['SMS', 'CHECKOUT', 'SUBSCRIBE', 'QUOTE', 'MAIL'].map((name) => [`LIMIT_${name}`, MANY])),
});
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', countries: ['US'] }],
  shippingMethods: [{ id: 'post', name: 'Post', prices: [{ market: 'us', amount: 500 }] }],
  storefront: { enabled: true },
});
const mug = await shop.product({ price: 1000, quantity: 1000 });
const { body: product } = await h.call('GET', `${shop.base}/products/${mug}`, { token: shop.staff.token });
const newsletter = await makeNewsletter(h, {}, { storefront: { enabled: true } });
const { body: collection } = await h.call('GET', `${newsletter.base}/collections/${newsletter.collectionId}`, {
  token: newsletter.token,
});

const base = `/s/${shop.businessId}`;
const browser = openBrowser(h.url);
const { email } = await registered(h);
await browser.open(`${base}/login`);
await browser.send('login', { email, password: GOOD_PASSWORD });
await browser.post(`${base}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity: '1' });
await browser.open(`${base}/checkout`);
await browser.send('place', { ...ADDRESS, terms: 'yes', paymentMethod: 'CASH' });
const order = new URL(browser.current().url).searchParams.get('order')!;
await browser.post(`${base}/cart`, { action: 'add', productId: mug, variantId: 'main', quantity: '1' });
await browser.open(`${base}/checkout`);
const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(browser.current().html) ?? [];

/** Pages with parameters in their path. */
const PATHS: Record<string, string> = {
  '/products/:slug': `${base}/products/${product.slug}`,
  '/account/orders/:id': `${base}/account/orders/${order}`,
  '/:collection/subscribe': `/s/${newsletter.businessId}/${collection.slug}/subscribe`,
};
/** These end the session that the other forms need. */
const ENDS = /logout|log-?out|end|delete|others/i;
const sources = globSync('storefront/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
const forms = sources.flatMap((source) => {
  const [, path = ''] = /^ {2}path: (?:'([^']*)'|PATH),/m.exec(source) ?? [];
  const [, constant = ''] = /^const PATH = '([^']*)'/m.exec(source) ?? [];
  const actions = source.split('\n  actions: {')[1]?.split('\n  },')[0];
  const names = actions?.matchAll(/^ {4}(?:async )?'?([\w-]+)'?(?:\(|: |,$)/gm) ?? [];
  const page = path || constant;
  return [...names]
    .map(([, action]) => ({ url: PATHS[page] ?? `${base}${page}`, action: action! }))
    .filter(({ action }) => !ENDS.test(action));
});
const fields = [
  ...new Set([
    ...sources.flatMap((source) =>
      [...source.matchAll(/\bform\??\.(?:get|has)\('([\w.]+)'\)/g)].map(([, name]) => name!),
    ),
    ...['shippingAddress', 'billingAddress'].flatMap((address) =>
      ['name', 'street', 'street2', 'city', 'state', 'zip', 'phone'].map((part) => `${address}.${part}`),
    ),
  ]),
].filter((name) => !['action', 'csrf'].includes(name));

const MAX_FIELD = 10_000;
const FORM_BYTES = 60_000;
const lengthOf = (pump: Pump, length: number) =>
  Math.min(
    length,
    lengthWithin(pump, FORM_BYTES, (text) => new URLSearchParams({ text }).toString()),
  );
const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
/** A form without its hidden fields is incomplete. */
const others = Object.fromEntries(fields.map((name) => [name, 'x']));
const failed = new Set<string>();

function post(url: string, values: Record<string, string>) {
  const payload = new URLSearchParams({ 'shippingAddress.country': 'US', ...values, csrf }).toString();
  const headers = {
    cookie,
    origin: h.url,
    host: new URL(h.url).host,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return async () => {
    const { statusCode } = await h.service.app.inject({ method: 'POST', url, headers, payload });
    if (statusCode >= 500) failed.add(`${statusCode} ${url} ${values.action}`);
  };
}

test('all forms of the storefront are found', () => {
  assert.ok(forms.length > 30, JSON.stringify(forms));
  assert.ok(fields.includes('email') && fields.includes('credential'), fields.join());
});

test('no field of a form takes the main thread long', async () => {
  const slow: (string | null)[] = [];
  for (const { url, action } of forms) {
    const all = (text: string) => post(url, { ...Object.fromEntries(fields.map((name) => [name, text])), action });
    for (const pump of pumpsOf(2))
      slow.push(
        await findSlow(`${url} ${action}`, pump, Math.floor(lengthOf(pump, FORM_BYTES / 2) / fields.length), all),
      );
    for (const pump of pumpsOf())
      slow.push(
        await findSlow(`${url} ${action}`, pump, lengthOf(pump, FORM_BYTES), (text) =>
          post(url, { ...others, email: text, action }),
        ),
      );
  }
  for (const field of fields) {
    const at = forms.find(({ action }) => action === 'update')!;
    for (const pump of pumpsOf())
      slow.push(
        await findSlow(`${at.url} ${field}`, pump, lengthOf(pump, MAX_FIELD), (text) =>
          post(at.url, { [field]: text, action: 'update' }),
        ),
      );
  }
  assert.deepEqual(
    slow.filter((each) => each !== null),
    [],
  );
  assert.deepEqual([...failed], []);
});

test('an email that is long is refused before a pattern reads it', async () => {
  const attack = { unit: '.x', tail: '@' };
  const at = forms.find(({ url, action }) => url.endsWith('/checkout') && action === 'update')!;
  for (const length of [9000, 62_000]) {
    const slow = await findSlow('email', attack, length, (text) =>
      post(at.url, { email: `a@${text}`, action: 'update' }),
    );
    assert.equal(slow, null);
  }
});

const HEADERS = [
  ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-type', 'cookie', 'forwarded', 'host'],
  ...[
    'idempotency-key',
    'if-match',
    'if-modified-since',
    'if-none-match',
    'origin',
    'range',
    'referer',
    'souk-step-up',
  ],
  ...['traceparent', 'tracestate', 'user-agent', 'x-api-key', 'x-forwarded-for', 'x-forwarded-host', 'x-request-id'],
];
/** Node accepts 16 KB of headers. */
const MAX_HEADER = 15_000;
const targets = [
  { method: 'GET', url: `${base}/products/${product.slug}` },
  { method: 'GET', url: `${base}/account` },
  { method: 'GET', url: `${shop.base}/products` },
  { method: 'POST', url: '/v1/payments/quote' },
  { method: 'PUT', url: `${shop.base}/products/${mug}` },
] as const;

test('no header takes the main thread long', async () => {
  const slow: (string | null)[] = [];
  for (const { method, url } of targets) {
    for (const name of HEADERS) {
      const prepare = (text: string) => {
        const value = text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
        const headers = { authorization: `Bearer ${shop.staff.token}`, accept: 'text/html', [name]: value };
        const body = method === 'GET' ? {} : { payload: {} };
        return () => h.service.app.inject({ method, url, headers, ...body });
      };
      for (const pump of pumpsOf()) slow.push(await findSlow(`${method} ${url} ${name}`, pump, MAX_HEADER, prepare));
    }
  }
  assert.deepEqual(
    slow.filter((each) => each !== null),
    [],
  );
});

test('no path and no query of a page takes the main thread long', async () => {
  const slow: (string | null)[] = [];
  const pages = [
    `${base}/`,
    `${base}/products/`,
    `${base}/products?q=`,
    `${base}/products?cursor=`,
    `${base}/${'a/'}`,
    '/order/',
    '/f/x/',
    '/',
  ];
  for (const start of pages) {
    for (const pump of [{ unit: '/', tail: 'x' }, { unit: '%2F', tail: 'x' }, ...pumpsOf(5)]) {
      const prepare = (text: string) => {
        const url = start + text.replaceAll(/[^!-~]|[#?]/g, (each) => encodeURIComponent(each.toWellFormed()));
        return () => h.service.app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
      };
      slow.push(await findSlow(start, pump, 5000, prepare), await findSlow(start, pump, 15_000, prepare));
    }
  }
  assert.deepEqual(
    slow.filter((each) => each !== null),
    [],
  );
});
