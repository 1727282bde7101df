import assert from 'node:assert/strict';
import test from 'node:test';
import { type RenderInput, renderEntry } from '../../../src/domains/newsletters/rendering/render.ts';
import type { BlockDefinition, BlockValue } from '../../../src/shared/blocks/index.ts';
import { fill, type Template } from '../../../src/shared/mail/template.ts';

const HTML_BODY: BlockDefinition = { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } };

function render(
  blocks: Omit<BlockValue, 'type'>[],
  { locale = 'en', type = 'TEXT' as const, schema = [HTML_BODY], name = 'Letters' } = {},
) {
  const input: RenderInput = {
    businessName: 'Linen & Co',
    publicUrl: 'https://shop.example',
    collection: { name, blocks: schema },
    entry: { id: 'ent_1', locale, blocks: blocks.map((block) => ({ type, ...block })) },
  };
  const { content, errors } = renderEntry(input);
  const values: Record<string, string> = { 'subscriber.name': '<Ada>', 'subscriber.email': 'ada@example.com' };
  const show = (template: Template) => fill(template, (variable) => values[variable] ?? `[${variable}]`);
  return { subject: show(content.subject), html: show(content.html), text: show(content.text), content, errors };
}

test('the subject is the block "subject", or else "title", or else the name of the newsletter', () => {
  assert.equal(
    render([
      { id: 'title', value: 'T' },
      { id: 'subject', value: 'S' },
    ]).subject,
    'S',
  );
  assert.equal(
    render([
      { id: 'subject', value: '' },
      { id: 'title', value: 'T\nof two lines' },
    ]).subject,
    'T of two lines',
  );
  assert.equal(render([]).subject, 'Letters');
});

test('an email contains the title and all text blocks, in HTML and plain text, but not the subject', () => {
  const { html, text } = render([
    { id: 'subject', value: 'Only a subject' },
    { id: 'title', value: 'Spring & more' },
    { id: 'intro', value: 'First line\nsecond\n\nNext paragraph <b>' },
    { id: 'body', value: '<h2>New</h2><ul><li>one</li><li>two</li></ul><p>See <a href="/linen">linen</a>.</p>' },
  ]);
  assert.match(html, /<h1 style="[^"]+">Spring &amp; more<\/h1>/);
  assert.match(html, /First line<br>\nsecond<\/p>\n<p style="[^"]+">Next paragraph &lt;b&gt;<\/p>/);
  assert.match(html, /<a style="[^"]+" href="https:\/\/shop\.example\/linen"/);
  assert.match(html, /<table role="presentation"/);
  assert.doesNotMatch(html, /<script|<\/head>[\s\S]*(?:<style|Only a subject)/);
  assert.match(
    text,
    /Spring & more\n\nFirst line\nsecond\n\nNext paragraph <b>\n\nNew\n\n- one\n- two\n\nSee linen \(https:\/\/shop\.example\/linen\)\./,
  );
});

test('values of variables are escaped in HTML and unchanged in plain text', () => {
  const { html, text, errors } = render([
    { id: 'title', value: 'Hello {{ subscriber.name }} of {{business.name}}' },
    { id: 'body', value: '<p>{{business.name}} and {{entry.title}}</p>' },
  ]);
  assert.deepEqual(errors, []);
  assert.match(html, /Linen &amp; Co and Hello /);
  assert.match(text, /Linen & Co and Hello <Ada> of Linen & Co/);
});

test('every unknown or empty variable is an error on its block, even in rich text or in a cycle', () => {
  const { errors } = render([
    { id: 'title', value: 'Hi {{subscriber.surname}} {{ }}' },
    { id: 'empty', value: null },
    { id: 'body', value: '<p>{{entry.empty}} {{entry.nothing}} {{constructor}}</p>' },
    { id: 'a', value: 'a {{entry.b}}' },
    { id: 'b', value: 'b {{entry.a}}' },
  ]);
  assert.deepEqual(
    errors.map(({ field, error, message }) => [field, error, /\{\{(.*)\}\}/.exec(message)?.[1]]),
    [
      ['blocks[0].value', 'UNKNOWN_VARIABLE', 'subscriber.surname'],
      ['blocks[0].value', 'UNKNOWN_VARIABLE', ''],
      ['blocks[2].value', 'UNKNOWN_VARIABLE', 'entry.empty'],
      ['blocks[2].value', 'UNKNOWN_VARIABLE', 'entry.nothing'],
      ['blocks[2].value', 'UNKNOWN_VARIABLE', 'constructor'],
      ['blocks[3].value', 'UNKNOWN_VARIABLE', 'entry.b'],
      ['blocks[4].value', 'UNKNOWN_VARIABLE', 'entry.a'],
    ],
  );
});

test('blocks that refer to each other can’t make the email grow without limit', () => {
  const blocks = Array.from({ length: 30 }, (_, i) => ({ id: `b${i}`, value: `{{entry.b${i + 1}}}`.repeat(10) }));
  const { errors, html } = render([...blocks, { id: 'b30', value: 'x'.repeat(100) }]);
  assert.ok(errors.length > 0);
  assert.ok(html.length < 10_000_000);
});

test('a link can’t start with text entered by a subscriber', () => {
  const { errors } = render([{ id: 'body', value: '<a href="{{subscriber.name}}">x</a>' }]);
  assert.equal(errors[0]?.error, 'INVALID_VALUE');
  const fine = render([{ id: 'body', value: '<a href="{{unsubscribeUrl}}">leave</a>' }]);
  assert.deepEqual(fine.errors, []);
});

test('an email without an unsubscribe link gets one in its footer', () => {
  const plain = render([{ id: 'title', value: 'T' }]);
  assert.equal(plain.html.split('[unsubscribeUrl]').length, 2);
  assert.match(plain.text, /Unsubscribe: \[unsubscribeUrl\]/);
  const own = render([{ id: 'body', value: '<p><a href="{{unsubscribeUrl}}">leave</a></p>' }]);
  assert.equal(own.html.split('[unsubscribeUrl]').length, 2);
});

test('the footer names the newsletter and its business, but only once if they have the same name', () => {
  const footers = (locale: string, name: string) => {
    const { html, text } = render([{ id: 'title', value: 'T' }], { locale, name });
    return [html.replaceAll('&#39;', "'"), text.replaceAll('&', '&amp;')];
  };
  const reasons = {
    en: [
      'because you subscribed to Letters, a newsletter from Linen &amp; Co.',
      'because you subscribed to Linen &amp; Co.',
    ],
    de: [
      'weil du Letters, den Newsletter von Linen &amp; Co, abonniert hast.',
      'weil du den Newsletter von Linen &amp; Co abonniert hast.',
    ],
  };
  for (const [locale, [both, once]] of Object.entries(reasons)) {
    for (const shown of footers(locale, 'Letters')) assert.ok(shown.includes(both!), shown);
    for (const shown of footers(locale, 'Linen & Co')) assert.ok(shown.includes(once!), shown);
  }
});

test('language, text direction and content follow the locale', () => {
  const arabic = render([{ id: 'title', value: { en: 'Hello', ar: 'مرحبا' } }], { locale: 'ar-EG' });
  assert.match(arabic.html, /<html lang="ar-EG" dir="rtl">/);
  assert.match(arabic.html, /<td dir="rtl" align="right"/);
  assert.equal(arabic.subject, 'مرحبا');
  assert.match(
    render([{ id: 'title', value: { de: 'Hallo' } }], { locale: 'pt_BR' }).html,
    /<html lang="pt-BR" dir="ltr">/,
  );
});

test('images have absolute URLs', () => {
  const { content } = renderEntry({
    businessName: 'B',
    publicUrl: 'https://shop.example',
    collection: { name: 'C', blocks: [] },
    entry: {
      id: 'e',
      locale: 'en',
      blocks: [{ id: 'p', type: 'MEDIA', value: { url: '/media/"x".png', mimeType: 'image/png' } }],
    },
  });
  assert.match(
    fill(content.html, () => ''),
    /<img src="https:\/\/shop\.example\/media\/&quot;x&quot;\.png" alt=""/,
  );
});

test('malicious text is rendered in linear time', () => {
  render([
    { id: 'title', value: `{{${' '.repeat(100_000)}` },
    { id: 'body', value: `<table><tr>${'<td></td>'.repeat(40_000)}</tr></table>` },
  ]);
});

test('text stored before its block became rich text is sanitized', () => {
  const { html } = render([{ id: 'body', value: '<p>Hi</p><script>alert(1)</script><img src=x onerror=alert(1)>' }]);
  assert.match(html, /Hi/);
  assert.doesNotMatch(html, /script|onerror/);
});

test('variables can’t be part of the scheme of a link', () => {
  const link = (href: string) => render([{ id: 'body', value: `<a href="${href}">x</a>` }]).errors.map((e) => e.error);
  assert.deepEqual(link('java{{subscriber.name}}'), ['INVALID_VALUE']);
  assert.deepEqual(link('{{subscriber.name}}'), ['INVALID_VALUE']);
  assert.deepEqual(link('https://shop.example/?to={{subscriber.email}}'), []);
  assert.deepEqual(link('{{ unsubscribeUrl }}'), []);
});
