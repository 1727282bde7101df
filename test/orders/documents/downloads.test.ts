import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { inflateSync } from 'node:zlib';
import { getBusiness } from '../../../src/domains/businesses/index.ts';
import { writeEInvoice } from '../../../src/domains/orders/documents/render/e-invoice.ts';
import { createRenderer } from '../../../src/domains/orders/documents/render/renderer.ts';
import { orderLink } from '../../../src/domains/orders/order-link.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { openShop, press } from '../shop.ts';
import { businessWith, invoiceOf, SELLER, sampleOrder } from './sample-orders.ts';

const h = await shareHarness();
const ADDRESS = { name: 'Ada Lovelace', street: '1 Main Street', zip: '80331', city: 'Munich', country: 'DE' };

async function openInvoiced() {
  const shop = await openShop(h, { ...SELLER, invoicing: { format: 'FACTUR_X', legalText: 'Thank you.' } });
  const product = await shop.product({ currency: 'eur' });
  const { body } = await shop.checkout(product, { shippingAddress: ADDRESS, locale: 'de' });
  await press(body.checkoutUrl!, 'pay');
  const list = (token: string) => h.call('GET', `${shop.base}/orders/${body.orderId}/documents`, { token });
  const { body: page } = await list(shop.staff.token);
  return { shop, orderId: body.orderId as string, list, document: (page as Json).items[0] as Json };
}

const get = async (url: string, token?: string) => {
  const response = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('staff and the customer can download a document; other customers and guests cannot', async () => {
  const { shop, document, list, orderId } = await openInvoiced();
  const stranger = await h.user();
  const otherShop = await openShop(h);
  for (const token of [shop.staff.token, shop.customer.token]) {
    assert.equal((await list(token)).status, 200);
    const pdf = await get(document.urls.pdf, token);
    assert.equal(pdf.status, 200);
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    assert.equal(pdf.headers.get('content-disposition'), 'inline; filename="INV-1.pdf"');
    assert.equal(pdf.bytes.subarray(0, 8).toString(), '%PDF-1.7');
    const xml = await get(document.urls.xml, token);
    assert.equal(xml.status, 200);
    assert.match(xml.bytes.toString(), /<rsm:CrossIndustryInvoice/);
  }
  for (const { token } of [stranger, otherShop.staff, otherShop.customer]) {
    assert.equal((await list(token)).status, 404);
    for (const url of Object.values(document.urls) as string[]) assert.equal((await get(url, token)).status, 404);
  }
  for (const url of Object.values(document.urls) as string[]) assert.equal((await get(url)).status, 401);
  const { body: other } = await shop.checkout(await shop.product(), { token: stranger.token });
  const swapped = document.urls.pdf.replace(orderId, other.orderId);
  assert.equal((await get(swapped, stranger.token)).status, 404, 'not even through an order of their own');
});

test('the order link downloads the documents of its order without a login, and no others', async () => {
  const { shop, orderId, document } = await openInvoiced();
  const ctx = h.service.contexts.system();
  const link = orderLink(ctx, await getBusiness(ctx, shop.businessId), { id: orderId });
  const page = await get(link);
  assert.match(page.bytes.toString(), /Rechnung INV-1/);
  assert.ok(page.bytes.toString().includes(`${link}/documents/${document.id}/pdf`));
  assert.equal((await get(`${link}/documents/${document.id}/pdf`)).status, 200);
  assert.equal((await get(`${link}/documents/${document.id}/xml`)).status, 200);
  const other = await openInvoiced();
  assert.equal((await get(`${link}/documents/${other.document.id}/pdf`)).status, 404);
  assert.equal((await get(`${link.slice(0, -1)}x/documents/${document.id}/pdf`)).status, 404);
});

test('a document never changes, whatever happens to the order, the settings and the customer', async () => {
  const { shop, orderId, document } = await openInvoiced();
  const owner = await h.member(shop.businessId, 'ADMIN');
  const rows = () => h.pool`select * from documents where business_id = ${shop.businessId} and type = 'INVOICE'`;
  const before = { rows: await rows(), pdf: hashOf((await get(document.urls.pdf, shop.staff.token)).bytes) };
  await h.call('PUT', `${shop.base}/orders/update`, {
    token: shop.staff.token,
    body: { id: orderId, billingAddress: { ...ADDRESS, name: 'Somebody else' }, locale: 'en' },
  });
  await h.call('PUT', shop.base, {
    token: owner.token,
    body: { name: 'New name', configs: { seller: {}, profile: {}, invoicing: { series: 'NEW-', legalText: 'New' } } },
  });
  await shop.refund(orderId, { amount: 300 });
  const erasure = await h.call('DELETE', `${shop.base}/customers/${shop.customer.userId}/personal-data`, {
    token: owner.token,
  });
  assert.equal(erasure.status, 200, JSON.stringify(erasure.body));
  await h.drain();
  const { body: report } = await h.call('GET', `${shop.base}/erasures/${erasure.body.id}`, { token: owner.token });
  assert.ok(
    (report as Json).report.kept.some(
      ({ what, count, reason }: Json) => what === 'documents' && count === 2 && reason === 'TAX_LAW',
    ),
    JSON.stringify(report),
  );
  assert.deepEqual(await rows(), before.rows);
  assert.equal(hashOf((await get(document.urls.pdf, shop.staff.token)).bytes), before.pdf);
});

test('personal data exports contain the documents', async () => {
  const { shop } = await openInvoiced();
  const own = await h.call('GET', '/v1/users/me/export', { token: shop.customer.token });
  assert.match(JSON.stringify(own.body), /"number":"INV-1"/);
});

/** The objects of a PDF as text, with their compressed streams. */
function textOf(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/FlateDecode[^>]*>>\s*stream\r?\n/g)].map(({ index, 0: match }) => {
    const start = index + match.length;
    try {
      return inflateSync(pdf.subarray(start, pdf.indexOf('endstream', start))).toString('utf8');
    } catch {
      return '';
    }
  });
  return [text, pdf.toString('utf8'), ...streams].join('\n');
}

test('a Factur-X invoice is a PDF/A-3 with embedded fonts, a color profile and the XML', async () => {
  const order = sampleOrder({
    taxMode: 'INCLUSIVE',
    lines: [{ unitPrice: 4900, quantity: 2, taxClassId: 'standard' }],
    shipping: 490,
    discounts: [],
    name: 'Ωmega Ж Łódź 日本',
  });
  const document = invoiceOf(order, businessWith({ format: 'FACTUR_X' }));
  const xml = writeEInvoice(document);
  const { render } = createRenderer();
  const pdf = await render({ document, logo: null });
  const text = textOf(pdf);
  for (const part of [
    '<pdfaid:part>3</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
    '/Type /OutputIntent',
    '/S /GTS_PDFA1',
    '/AFRelationship /Alternative',
    '/AF [',
    '/Lang (en)',
    xml,
  ])
    assert.ok(text.includes(part), `${part} is missing`);
  const objects = pdf.toString('latin1');
  const fonts = objects.match(/\/Type \/Font\b[^>]*\/Subtype \/Type0/g) ?? [];
  const files = objects.match(/\/FontFile2/g) ?? [];
  assert.ok(fonts.length === 2 && files.length === 2, 'every font is embedded');
  assert.ok(!text.includes('/Helvetica'));
  assert.deepEqual(hashOf(await render({ document, logo: null })), hashOf(pdf), 'the same document is the same file');
});

test('the preview shows an invoice with the settings, and stores nothing', async () => {
  const { shop } = await openInvoiced();
  const owner = await h.member(shop.businessId, 'BUSINESS_WRITE');
  const preview = await get(`${h.url}${shop.base}/invoice-preview`, owner.token);
  assert.equal(preview.status, 200);
  assert.equal(preview.bytes.subarray(0, 8).toString(), '%PDF-1.7');
  assert.equal((await h.pool`select from documents where business_id = ${shop.businessId}`).length, 1);
});

test('document downloads are rate limited per caller', async () => {
  const { shop, document } = await openInvoiced();
  const statuses = new Set<number>();
  for (let n = 0; n < 16; n++) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => get(document.urls.xml, shop.customer.token)));
    for (const { status } of responses) statuses.add(status);
  }
  assert.deepEqual([...statuses], [200, 429]);
  assert.equal((await get(document.urls.xml, shop.staff.token)).status, 200);
});
