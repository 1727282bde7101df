import assert from 'node:assert/strict';
import test from 'node:test';
import { TEMPLATE_KINDS } from '../../../src/shared/mail/kinds.ts';
import { LANGUAGES } from '../../../src/shared/mail/languages.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { completed, openShop as openImports } from '../../imports/shop.ts';
import { openShop, press } from '../../orders/shop.ts';

const h = await shareHarness();
const EURO = { markets: [{ id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 }] };
const shop = await openShop(h, EURO);
const { token } = await h.member(shop.businessId, 'BUSINESS_WRITE');
const templates = `${shop.base}/mail-templates` as const;
const TEXT = { subject: 'Hello {{customer.name}}', body: '<h1>Hi</h1><p>Order {{order.number}} is in.</p>' };

const put = (kind: string, body: object, headers = {}, locale = 'en') =>
  h.call('PUT', `${templates}/${kind}?locale=${locale}`, { token, body, headers });
const get = (kind: string, locale = 'en') => h.call('GET', `${templates}/${kind}?locale=${locale}`, { token });
const reset = (kind: string, headers = {}) => h.call('DELETE', `${templates}/${kind}?locale=en`, { token, headers });
const preview = (kind: string, body: object = {}, locale = 'en') =>
  h.call('POST', `${templates}/${kind}/preview?locale=${locale}`, { token, body });

/** The email about a paid order. */
async function paidMail(at = shop, more: object = {}): Promise<Json> {
  const email = `${crypto.randomUUID()}@example.com`;
  const guest = await h.guest();
  const product = await at.product({ name: 'Mug', price: 1190, currency: 'eur', market: 'eu' });
  const { body } = await at.checkout(product, { token: guest.token, email, market: 'eu', ...more });
  await press(body.checkoutUrl!, 'pay');
  await h.drain('order-tasks');
  return (await h.mailbox()).find(({ to }) => to === email) as Json;
}

test('each kind has a template in each language, with its variables', async () => {
  const { body } = await h.call('GET', templates, { token });
  assert.equal(body.items.length, TEMPLATE_KINDS.length * LANGUAGES.length);
  for (const { kind, locale, subject, customized, variables, etag } of body.items) {
    assert.ok(subject.length > 0, `${kind} ${locale}`);
    assert.deepEqual([customized, etag], [false, '"1"'], `${kind} ${locale}`);
    assert.equal(variables[0]!.name, 'business.name');
  }
});

test('a saved template is used in the next email, in its language only, and a reset restores the default', async () => {
  const saved = await put('CONFIRMED', TEXT);
  assert.deepEqual([saved.status, saved.body.customized, saved.body.subject], [200, true, TEXT.subject]);
  const mail = await paidMail();
  assert.equal(mail.subject, `Hello ${mail.to.split('@')[0]}`);
  assert.match(mail.text, /^Hi\n\nOrder \d+ is in\.\n\nView your order: http/);
  assert.match((await paidMail(shop, { locale: 'de-DE' })).subject, /^Bestellung #\d+ bestätigt$/);
  assert.equal((await reset('CONFIRMED')).status, 200);
  assert.match((await paidMail()).subject, /^Order #\d+ confirmed$/);
  const { body } = await get('CONFIRMED');
  assert.deepEqual([body.customized, body.subject, body.updatedAt], [false, body.standard.subject, null]);
});

test('the default text is valid, and saving it is the same as a reset', async () => {
  const { body } = await h.call('GET', templates, { token });
  for (const { kind, locale, standard } of body.items) {
    const saved = await put(kind, standard, {}, locale);
    assert.deepEqual([saved.status, saved.body.customized, saved.body.body], [200, false, standard.body], kind);
  }
});

test('a template is never used by another business', async () => {
  await put('CONFIRMED', TEXT);
  const other = await openShop(h, EURO);
  assert.match((await paidMail()).subject, /^Hello/);
  assert.match((await paidMail(other)).subject, /^Order #\d+ confirmed$/);
  await reset('CONFIRMED');
});

test('an email keeps its items, totals and link, whatever its text is', async () => {
  await put('CONFIRMED', { subject: 'x', body: '<p></p>' });
  const { text, html } = await paidMail();
  for (const part of ['1 × Mug', 'Total   €11.90', 'Includes €1.90 VAT', 'View your order: http', 'Shop'])
    assert.ok(text.includes(part), part);
  for (const part of ['Mug', '€11.90', 'Includes €1.90 VAT', 'View your order</a>'])
    assert.ok(html.includes(part), part);
  await reset('CONFIRMED');
});

test('an unknown variable fails with a 422 that names it, in the subject and in the body, when saved and in a preview', async () => {
  const wrong = { subject: 'For {{customer.nmae}}', body: '<p>{{refund.amount}} {{constructor}}</p>' };
  for (const { status, body } of [await put('CONFIRMED', wrong), await preview('CONFIRMED', wrong)]) {
    assert.equal(status, 422);
    assert.deepEqual(
      body.details.map(({ field, error, message }: Json) => [field, error, /\{\{(.*)\}\}/.exec(message)?.[1]]),
      [
        ['subject', 'UNKNOWN_VARIABLE', 'customer.nmae'],
        ['body', 'UNKNOWN_VARIABLE', 'refund.amount'],
        ['body', 'UNKNOWN_VARIABLE', 'constructor'],
      ],
    );
  }
  assert.equal((await put('REFUNDED', { subject: 'x', body: '<p>{{refund.amount}}</p>' })).status, 200);
  await reset('REFUNDED');
});

test('rich text is sanitized, and a link can’t start with a variable', async () => {
  const { body } = await put('PAID', { subject: 'x', body: '<p onclick="x()">Hi<script>alert(1)</script></p>' });
  assert.equal(body.body, '<p>Hi</p>');
  const { body: refused } = await put('PAID', { subject: 'x', body: '<a href="{{customer.name}}">x</a>' });
  assert.equal(refused.details[0]!.error, 'INVALID_VALUE');
  assert.equal((await put('PAID', { subject: 'x', body: `<p>${'x'.repeat(10_000)}</p>` })).status, 422);
  assert.equal((await put('PAID', { subject: 'a\nb', body: '<p>x</p>' })).status, 422);
  assert.equal((await put('PAID', { subject: ' ', body: '<p>x</p>' })).status, 422);
  await reset('PAID');
});

test('the text of a confirmation email has no links or images, because people who did not sign up may get it', async () => {
  for (const body of [
    '<p><a href="https://ads.example">x</a></p>',
    '<p>Buy at ads.example</p>',
    '<img src="/x.png">',
  ]) {
    const refused = await put('CONFIRM_SUBSCRIPTION', { subject: 'Hello', body });
    assert.deepEqual([refused.status, (refused.body.details as Json[])[0]?.error], [422, 'NOT_ALLOWED'], body);
  }
  const fine = { subject: 'Join {{newsletter.name}}', body: '<p>Confirm that you want {{newsletter.name}}.</p>' };
  assert.equal((await put('CONFIRM_SUBSCRIPTION', fine)).status, 200);
  await reset('CONFIRM_SUBSCRIPTION');
});

test('of two concurrent edits with the same version, one fails with 412, even after a reset', async () => {
  const etag = (await get('SHIPPED')).headers.get('etag')!;
  const both = await Promise.all([1, 2].map(() => put('SHIPPED', TEXT, { 'if-match': etag })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
  const first = (await get('SHIPPED')).headers.get('etag')!;
  assert.equal((await reset('SHIPPED', { 'if-match': etag })).status, 412);
  assert.equal((await reset('SHIPPED', { 'if-match': first })).status, 200);
  assert.equal((await put('SHIPPED', TEXT)).status, 200);
  assert.equal((await put('SHIPPED', TEXT, { 'if-match': first })).status, 412);
  await reset('SHIPPED');
});

test('only members with the permission for settings can read and change templates', async () => {
  const outsider = await h.user();
  for (const other of [outsider.token, shop.staff.token]) {
    assert.equal((await h.call('GET', templates, { token: other })).status, 403);
    assert.equal((await h.call('PUT', `${templates}/PAID`, { token: other, body: TEXT })).status, 403);
    assert.equal((await h.call('POST', `${templates}/PAID/preview`, { token: other, body: {} })).status, 403);
  }
  assert.equal((await put('INVITATION', TEXT)).status, 404);
  assert.equal((await put('PAID', TEXT, {}, 'xx')).status, 422);
});

test('a preview shows unsaved text for an order of the business, and stores nothing', async () => {
  const product = await shop.product({ name: '<script>Vase', price: 2380, currency: 'eur', market: 'eu' });
  const { body: order } = await shop.checkout(product, { market: 'eu' });
  const { body } = await preview('CONFIRMED', { ...TEXT, orderId: order.orderId });
  assert.match(body.html, /&lt;script&gt;Vase/);
  assert.doesNotMatch(body.html, /<script/);
  assert.match(body.text, /Total {3}€23\.80/);
  assert.equal((await get('CONFIRMED')).body.customized, false);
  const other = await openShop(h, EURO);
  const foreign = await other.checkout(await other.product({ currency: 'eur', market: 'eu' }), { market: 'eu' });
  const id = foreign.body.orderId;
  assert.equal((await preview('CONFIRMED', { orderId: id })).status, 404);
  assert.equal((await preview('PLAN_LINK', { orderId: id })).status, 400);
});

test('exporting and importing a business keeps its email templates, and an invalid template in the file is an error', async () => {
  const from = await openImports(h);
  const path = '/mail-templates/CONFIRMED?locale=de';
  await from.call('PUT', path, { subject: 'Neu', body: '<p>{{order.number}}</p>' });
  await from.call('PUT', '/mail-templates/PAID', TEXT);
  await from.call('DELETE', '/mail-templates/PAID');
  const file = await from.download('/export');
  assert.deepEqual(
    file.split('\n').filter((line) => line.includes('"mailTemplate"')),
    [
      '{"kind":"mailTemplate","data":{"kind":"CONFIRMED","locale":"de","subject":"Neu","body":"<p>{{order.number}}</p>"}}',
    ],
  );
  const to = await openImports(h);
  const type = 'application/x-ndjson';
  const done = await to.run('type=business', file, type);
  assert.deepEqual([done.status, done.failed], ['DONE', 0]);
  assert.equal((await to.get(path)).subject, 'Neu');
  const again = await to.run('type=business', completed(file.replace('order.number', 'x').split('\n')), type);
  const [error] = await to.errorsOf(again.id);
  assert.deepEqual([again.failed, error!.error], [1, 'UNKNOWN_VARIABLE']);
});
