import assert from 'node:assert/strict';
import test from 'node:test';
import { sanitizeHtml } from '../../../src/shared/blocks/html.ts';
import { lightAccent } from '../../../src/shared/mail/brand.ts';
import { withPlainElements } from '../../../src/shared/mail/elements.ts';
import { plainText } from '../../../src/shared/mail/plain-text.ts';
import { richText } from '../../../src/shared/mail/rich-text.ts';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';

const sink = await startSink();
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

const ELEMENTS = [
  '<figure><img src="https://x.example/a.png" alt="A" /><figcaption>Caption</figcaption></figure>',
  '<figure data-gallery><img src="https://x.example/b.png" alt="B" /><img src="https://x.example/c.png" alt="C" /></figure>',
  '<p data-button><a href="https://x.example/sale" rel="noopener noreferrer">Shop now</a></p>',
  '<div data-product="prod_1"><a href="/products/mug" rel="noopener noreferrer">Mug</a></div>',
  '<figure data-embed><a href="https://video.example/1" rel="noopener noreferrer"><img src="https://x.example/v.png" alt="Film" /></a><figcaption>Our film</figcaption></figure>',
  '<div data-columns><div><p>Left</p></div><div><p>Right</p></div></div>',
  '<hr />',
  '<blockquote><p>Words</p><cite>Ada</cite></blockquote>',
].join('');

test('the sanitizer keeps the attributes that mark elements and no similar ones', () => {
  assert.equal(sanitizeHtml(ELEMENTS), ELEMENTS);
  const hostile = [
    '<p data-button="x" onclick="a" style="b" data-columns><a href="javascript:a">x</a></p>',
    '<div data-product="&quot;><script>" data-x="1" class="card">x</div>',
    '<figure data-gallery="1" data-embed="javascript:a"><iframe src="https://evil.example"></iframe></figure>',
    '<span data-product="prod_1" data-button>x</span>',
  ].join('');
  const clean = sanitizeHtml(hostile)!;
  assert.equal(
    clean,
    '<p data-button><a rel="noopener noreferrer">x</a></p><div>x</div><figure data-gallery></figure><span>x</span>',
  );
  assert.equal(sanitizeHtml(clean), clean);
});

test('each element is a table or an image in HTML, and readable in plain text', () => {
  const product = {
    name: 'Mug <b>',
    url: 'https://x.example/mug',
    image: null,
    price: '€12',
    soldOut: 'Sold out',
    regularPrice: null,
    unitPrice: null,
    lowestPrice: null,
  };
  const products = new Map([['prod_1', product]]);
  const html = richText(ELEMENTS, lightAccent({ color: '#a4401f' }), products);
  assert.match(html, /<td bgcolor="#a4401f"[^>]*><a href="https:\/\/x\.example\/sale"[^>]*>Shop now<\/a><\/td>/);
  assert.match(html, /Mug &lt;b&gt;<\/a><br>\n<span[^>]*>€12 · Sold out/);
  assert.match(html, /<a href="https:\/\/video\.example\/1"[^>]*><img src="https:\/\/x\.example\/v\.png" alt="Film"/);
  assert.match(html, /<tr><td class="column"[^>]*width="50%"[^>]*><p style="[^"]+">Left<\/p><\/td><td class="column"/);
  assert.doesNotMatch(html, /data-|<figure|<div data/);
  assert.equal(html.split('<table').length, html.split('</table>').length);
  const text = plainText(withPlainElements(ELEMENTS, products));
  for (const part of [
    'Caption',
    'Shop now (https://x.example/sale)',
    'Mug <b> · €12 · Sold out\nhttps://x.example/mug',
    'https://video.example/1',
    'Our film',
    'Left',
    'Right',
  ])
    assert.ok(text.includes(part), part);
  const gone = richText(ELEMENTS, lightAccent({ color: null }), new Map());
  assert.doesNotMatch(gone + plainText(withPlainElements(ELEMENTS, new Map())), /Mug/, 'a deleted product is left out');
});

test('a product shows its price and stock at the time the issue is sent, with the unit price and the lowest price before a reduction', async () => {
  const newsletter = await makeNewsletter(
    h,
    {},
    { markets: [{ id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 0 }] },
  );
  await newsletter.crowd(1);
  const { token } = await h.member(newsletter.businessId, 'ADMIN');
  const variant = (price: number, quantity: number) => [
    {
      pricing: { markets: [{ marketId: 'eu', price, compareAtPrice: 1500, currency: 'eur' }] },
      inventory: { tracked: true, quantity },
      unitPricing: { amount: 250, unit: 'g' },
    },
  ];
  const path = `${newsletter.base}/products` as const;
  const product = await ok(
    h.call('POST', path, {
      token,
      body: { name: 'Mug {{subscriber.email}}', statuses: [{ status: 'ACTIVE' }], variants: variant(1200, 5) },
    }),
  );
  const body = `<p>News</p><div data-product="${product.id}"><a href="/x">Mug</a></div>`;
  const entryId = await newsletter.entry('Hello', {
    blocks: [
      { id: 'title', type: 'TEXT', value: 'Hello' },
      { id: 'body', type: 'TEXT', value: body },
    ],
  });
  await ok(newsletter.send(entryId, { scheduledAt: h.clock.seconds() + 60 }));
  await h.pool`update stock set quantity = 0 where business_id = ${newsletter.businessId}`;
  h.clock.advance(61);
  await runSends(h.service);
  const { html, text } = await sink.parse(sink.messages.at(-1)!);
  assert.match(
    html!,
    /Mug \{ \{subscriber\.email\}\}<\/a><br>\s*<span[^>]*>€12\.00 <s>€15\.00<\/s> · €48\.00 \/ kg · Sold out/,
  );
  assert.match(html!, /Lowest price in the 30 days before the sale: €12\.00/);
  assert.match(
    text!,
    /€12\.00 \(was €15\.00\) · €48\.00 \/ kg · Lowest price[^·]*€12\.00 · Sold out\s+http:\/\/127\.0\.0\.1:\d+\/s\//,
  );
});

test('a product with a price of zero is shown as free, in the language of the issue', async () => {
  const newsletter = await makeNewsletter(h, {}, { markets: [{ id: 'eu', currency: 'eur' }] });
  const { token } = await h.member(newsletter.businessId, 'ADMIN');
  const pricing = { markets: [{ marketId: 'eu', price: 0, currency: 'eur' }] };
  const body = { name: 'Sample', statuses: [{ status: 'ACTIVE' }], variants: [{ pricing }] };
  const { id } = await ok(h.call('POST', `${newsletter.base}/products`, { token, body }));
  const value = `<div data-product="${id}"><a href="/x">Sample</a></div>`;
  for (const [locale, free] of [
    ['en', 'Free'],
    ['de', 'Kostenlos'],
  ]) {
    const entryId = await newsletter.entry('Hello', { locale, blocks: [{ id: 'body', type: 'TEXT', value }] });
    const { body: html } = await h.call('GET', `${newsletter.base}/entries/${entryId}/preview`, { token });
    assert.match(String(html), new RegExp(`Sample</a><br>\\s*<span[^>]*>${free}<`));
  }
});

test('a product whose variants have different prices shows the lowest one as “From”, in HTML and plain text and each language', async () => {
  const newsletter = await makeNewsletter(h, {}, { markets: [{ id: 'eu', currency: 'eur' }] });
  const { token } = await h.member(newsletter.businessId, 'ADMIN');
  const variant = (price: number, marketId = 'eu') => ({
    pricing: { markets: [{ marketId, price, currency: 'eur' }] },
  });
  const product = async (name: string, variants: object[]) => {
    const body = { name, statuses: [{ status: 'ACTIVE' }], variants };
    const { id } = await ok(h.call('POST', `${newsletter.base}/products`, { token, body }));
    return `<div data-product="${id}"><a href="/x">${name}</a></div>`;
  };
  const value = [
    await product('Shirt', [variant(1500), variant(1200)]),
    await product('Scarf', [variant(1200), variant(1200), variant(1500, 'us')]),
  ].join('');
  for (const [locale, lowest, only] of [
    ['en', 'From €12.00', '€12.00'],
    ['de', 'Ab 12,00 €', '12,00 €'],
  ]) {
    const entryId = await newsletter.entry('Hello', { locale, blocks: [{ id: 'body', type: 'TEXT', value }] });
    const path = `${newsletter.base}/entries/${entryId}/preview` as const;
    const { html, text } = await ok(h.call('POST', path, { token, body: {} }));
    const shown = [html, text].map((each: string) => each.replaceAll('\u00a0', ' '));
    assert.match(shown[0]!, new RegExp(`Shirt</a><br>\\s*<span[^>]*>${lowest}<`));
    assert.match(shown[0]!, new RegExp(`Scarf</a><br>\\s*<span[^>]*>${only}<`));
    assert.match(shown[1]!, new RegExp(`^Shirt · ${lowest}$`, 'm'));
    assert.match(shown[1]!, new RegExp(`^Scarf · ${only}$`, 'm'));
  }
});

test('an issue shows the design of its newsletter and the postal address in its own language', async () => {
  const design = {
    color: '#a4401f',
    header: '<p>Workshop {{x}}</p><script>a</script>',
    footer: '<p data-button><a href="https://x.example">Visit</a></p>',
  };
  const profile = {
    legalName: 'Linen GmbH',
    address: { street: 'Hauptstraße 1', zip: '10827', city: 'Berlin', country: 'DE' },
  };
  const newsletter = await makeNewsletter(h, { settings: { design } }, { profile });
  const show = async (locale: string, body: object = {}) => {
    const { html, text } = await ok(
      h.call('POST', `${newsletter.base}/entries/${await newsletter.entry('Hi', { locale })}/preview`, {
        token: newsletter.token,
        body,
      }),
    );
    return { html, text };
  };
  const { html, text } = await show('en');
  assert.match(html, /Workshop \{\{x\}\}[\s\S]*<h1[\s\S]*bgcolor="#a4401f"/);
  assert.doesNotMatch(html, /<script/);
  assert.match(html, /Linen GmbH<br>\s*Hauptstraße 1, 10827 Berlin, Germany/);
  assert.match(text, /-- \nLinen GmbH\nHauptstraße 1, 10827 Berlin, Germany/);
  assert.match((await show('de')).html, /10827 Berlin, Deutschland/);
  assert.match((await show('en', { design: { header: '<p>New look</p>' } })).html, /New look/, 'an unsaved design');
});
