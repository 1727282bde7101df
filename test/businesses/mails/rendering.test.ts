/** Every email in every language, as HTML and as plain text. */
import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { contrast, lightAccent, stylesOf } from '../../../src/shared/mail/brand.ts';
import { FIXED_KINDS, TEMPLATE_KINDS } from '../../../src/shared/mail/kinds.ts';
import { acceptedLocales, LANGUAGES, languageOf, taxLabel, textsIn } from '../../../src/shared/mail/languages.ts';
import { plainText } from '../../../src/shared/mail/plain-text.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { photo, svg } from '../../media/files.ts';
import { openShop, press } from '../../orders/shop.ts';
import { EVIL, listMails } from './every-mail.ts';

const h = await shareHarness();
const mails = await listMails(h, EVIL);

test('every kind of email has a heading, an HTML part and a text part in every language, and no unresolved variables', () => {
  assert.equal(mails.length, (TEMPLATE_KINDS.length + FIXED_KINDS.length) * LANGUAGES.length);
  for (const { name, subject, html, text } of mails) {
    assert.ok(subject && html && text, name);
    assert.equal(html.split('<h1').length, 2, `${name} has one heading`);
    assert.doesNotMatch(subject + html + text, /\{\{|undefined|NaN|\[object/, name);
    const language = name.split(' ')[1]!;
    assert.match(html, new RegExp(`<html lang="${language}" dir="ltr">`), name);
  }
});

test('no text from a person or a business becomes markup, and text parts are not escaped', () => {
  for (const { name, html, text } of mails) {
    assert.doesNotMatch(html, /<script|<b>HRB/, name);
    assert.doesNotMatch(text, /&(?:lt|amp|quot);|<(?:p|h1|td|a)\b/, name);
  }
  const confirmed = mails.find(({ name }) => name === 'CONFIRMED en')!;
  assert.match(confirmed.html, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;Co&quot;/);
  assert.ok(confirmed.text.includes(`2 × ${EVIL}`));
});

test('links and images are absolute, and the text part has the links in the HTML part', () => {
  for (const { name, html, text } of mails) {
    const urls = [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, url]) => url!.replaceAll('&amp;', '&'));
    for (const url of urls) {
      assert.match(url, /^https?:\/\//, name);
      assert.ok(text.includes(url), `${name}: ${url}`);
    }
  }
});

test('totals match the order and are formatted for the language', () => {
  const of = (name: string) => mails.find((mail) => mail.name === name)!;
  for (const part of ['html', 'text'] as const) {
    for (const sum of ['€23.80', 'Includes €3.80 VAT']) assert.ok(of('CONFIRMED en')[part].includes(sum), sum);
    for (const sum of ['23,80\u00a0€', 'Enthält 3,80\u00a0€ MwSt.'])
      assert.ok(of('CONFIRMED de')[part].includes(sum), sum);
  }
});

test('a default tax name is translated, a custom one is not, and rates are formatted for the language', () => {
  for (const [name, label] of [
    ['VAT', 'MwSt.'],
    ['VAT 19%', 'MwSt. 19\u00a0%'],
    ['VAT 5.5%', 'MwSt. 5,5\u00a0%'],
    ['VAT reduced', 'VAT reduced'],
    ['IVA 22%', 'IVA 22\u00a0%'],
    ['MwSt. 19 %', 'MwSt. 19 %'],
  ] as const)
    assert.equal(taxLabel(name, 'de'), label);
  assert.equal(taxLabel('VAT 5.5%', 'en'), 'VAT 5.5%');
});

test('an item shows the small version of its image with its alt text, and no image once the file is deleted', async () => {
  const at = await openShop(h, { markets: [{ id: 'us', currency: 'usd' }] });
  const admin = await h.member(at.businessId, 'ADMIN');
  const form = new FormData();
  form.append('files', new Blob([await photo(1200, 900)], { type: 'image/jpeg' }), 'mug.jpg');
  const headers = { authorization: `Bearer ${admin.token}` };
  const uploaded = await fetch(`${h.url}${at.base}/upload`, { method: 'POST', headers, body: form });
  const [{ id }] = ((await uploaded.json()) as Json).items;
  const alt = { en: 'A blue "mug"', de: 'Eine blaue Tasse' };
  await h.call('PUT', `${at.base}/media/${id}`, { token: admin.token, body: { alt } });
  const product = await at.product();
  await h.call('PUT', `${at.base}/products/${product}`, { token: admin.token, body: { gallery: [{ id }] } });
  const { body } = await at.checkout(product);
  const preview = async (locale: string) => {
    const url = `${at.base}/mail-templates/CONFIRMED/preview?locale=${locale}` as const;
    return (await h.call('POST', url, { token: admin.token, body: { orderId: body.orderId } })).body.html;
  };
  const [, src, text] = /<img src="([^"]+)" alt="([^"]*)"/.exec(await preview('en'))!;
  assert.equal(text, 'A blue &quot;mug&quot;');
  const { data } = await sharp(await (await fetch(src!)).arrayBuffer()).toBuffer({ resolveWithObject: true });
  assert.ok(data.length > 0 && (await sharp(data).metadata()).width! < 500);
  assert.match(await preview('de'), /alt="Eine blaue Tasse"/);
  await h.call('DELETE', `${at.base}/media/${id}?force=true`, { token: admin.token });
  assert.doesNotMatch(await preview('en'), /<img/);
});

test('emails show a vector image of an item as PNG, because email clients don’t support SVG', async () => {
  const at = await openShop(h, { markets: [{ id: 'us', currency: 'usd' }] });
  const admin = await h.member(at.businessId, 'ADMIN');
  const form = new FormData();
  form.append('files', new Blob([svg()], { type: 'image/svg+xml' }), 'mug.svg');
  const headers = { authorization: `Bearer ${admin.token}` };
  const uploaded = await fetch(`${h.url}${at.base}/upload`, { method: 'POST', headers, body: form });
  const [{ id }] = ((await uploaded.json()) as Json).items;
  const product = await at.product();
  await h.call('PUT', `${at.base}/products/${product}`, { token: admin.token, body: { gallery: [{ id }] } });
  const { body } = await at.checkout(product);
  const url = `${at.base}/mail-templates/CONFIRMED/preview?locale=en` as const;
  const { html } = (await h.call('POST', url, { token: admin.token, body: { orderId: body.orderId } })).body;
  const [, src] = /<img src="([^"]+)"/.exec(html)!;
  assert.equal((await fetch(src!)).headers.get('content-type'), 'image/png');
});

test('an email names the business and its legal details, and asks for replies only if someone reads them', async () => {
  const { html, text } = mails.find(({ name }) => name === 'SHIPPED de')!;
  for (const part of ['Shop GmbH', 'Hauptstraße 1, 10827 Berlin, Deutschland', 'HRB 1', 'Fragen?'])
    assert.ok(html.includes(part) && text.includes(part), part);
  assert.ok(html.includes('Shop</td>'));
});

test("an order email is in the order's language, or else the business's, or else English", async () => {
  async function subject(locale: string | undefined, emailLocale?: string) {
    const at = await openShop(h, {
      markets: [{ id: 'us', currency: 'usd' }],
      ...(emailLocale && { email: { locale: emailLocale } }),
    });
    const guest = await h.guest();
    const email = `${crypto.randomUUID()}@example.com`;
    const { body } = await at.checkout(await at.product(), { token: guest.token, email, locale });
    await press(body.checkoutUrl!, 'pay');
    await h.drain('order-tasks');
    return ((await h.mailbox()).find(({ to }) => to === email) as Json).subject;
  }
  assert.match(await subject('de-AT'), /^Bestellung/);
  assert.match(await subject('en-GB', 'de'), /^Order/);
  assert.match(await subject('fr', 'de'), /^Bestellung/);
  assert.match(await subject(undefined), /^Order/);
});

test('an account email is in the browser’s preferred language', async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const headers = { 'accept-language': 'fr-FR,de;q=0.9,en;q=0.8' };
  await h.call('POST', '/v1/users/register', { headers, body: { email, password: 'a-good-pass-4711' } });
  const mail = (await h.mailbox()).find(({ to }) => to === email) as Json;
  assert.equal(mail.subject, 'Bestätige deine E-Mail-Adresse');
  assert.match(mail.html, /E-Mail-Adresse bestätigen<\/a>/);
  assert.equal(languageOf(...acceptedLocales('*')), 'en');
  assert.equal(languageOf(...acceptedLocales('en;q=0.1, de;q=0.5')), 'de');
  assert.equal(languageOf(...acceptedLocales('de;q=0, x, ;;')), 'en');
});

test('the accent color is used only where it is readable', () => {
  for (const color of ['#ffffff', '#ffff00', '#777777', '#c2410c', '#000000', '#0000ff']) {
    const { button, onButton, link } = lightAccent({ color });
    assert.ok(contrast(button, onButton) >= 4.5, color);
    assert.ok(contrast(link, '#ffffff') >= 4.5 && contrast(button, '#ffffff') >= 3, color);
    const [, dark] = /\.button td\{background:(#\w+)/.exec(stylesOf({ name: '', logo: null, color }))!;
    assert.ok(contrast(dark!, '#1f1f23') >= 3, color);
  }
});

test('a total without other amounts has a single divider above it', () => {
  const { html } = mails.find(({ name }) => name === 'CART_REMINDER en')!;
  const sums = html.slice(html.lastIndexOf('<table', html.indexOf('>Total<')), html.indexOf('>Total<'));
  assert.equal(sums.split('border-top:').length, 2, sums);
});

test('every email has styles for dark mode', () => {
  for (const { name, html } of mails) {
    assert.match(html, /<meta name="color-scheme" content="light dark">/, name);
    assert.match(html, /@media \(prefers-color-scheme:dark\)\{\.page\{background:#\w+!important/, name);
  }
});

test('no default template contains a link, in any language', () => {
  for (const language of LANGUAGES) {
    for (const [kind, { subject, body }] of Object.entries(textsIn(language).mails)) {
      assert.doesNotMatch(`${subject} ${plainText(body)}`, /https?:/, kind);
    }
  }
});
