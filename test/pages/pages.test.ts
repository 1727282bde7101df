import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { html } from '../../src/pages/page.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const page = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const json = { headers: { accept: 'application/json' } };

test('a template escapes its values, except other templates', () => {
  const evil = `<b onclick="x('y')">&`;
  const { html: text } = html`<p title="${evil}">${evil}${html`<i>${1}</i>`}${[html`a`, html`b`]}${null}</p>`;
  const escaped = '&lt;b onclick=&quot;x(&#39;y&#39;)&quot;&gt;&amp;';
  assert.equal(text, `<p title="${escaped}">${escaped}<i>1</i>ab</p>`);
});

test('browsers revalidate the stylesheet with its ETag', async () => {
  const first = await h.call('GET', '/pages/style.css');
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'text/css; charset=utf-8');
  assert.equal(first.headers.get('cache-control'), 'public, no-cache');
  const etag = first.headers.get('etag') ?? '';
  assert.equal((await h.call('GET', '/pages/style.css', { headers: { 'if-none-match': etag } })).status, 304);
  assert.equal((await h.call('GET', '/pages/style.css', { headers: { 'if-none-match': '"old"' } })).status, 200);
});

test('/pages serves only the assets', async () => {
  for (const path of [
    'page.ts',
    '..%2fpage.ts',
    '..%2f..%2fconfig.ts',
    '%2e%2e%2fpage.ts',
    '.',
    'style.css%00',
    'constructor',
  ]) {
    const { status } = await h.call('GET', `/pages/${path}`);
    assert.ok(status === 404 || status === 422, `${path}: ${status}`);
  }
});

test('for an unknown URL, browsers get a page with a link and API clients get an error', async () => {
  const shown = await h.call('GET', '/nowhere/<b>', page);
  assert.equal(shown.status, 404);
  assert.match(shown.body, /Page not found.*href="\/"/s);
  for (const [path, options] of [
    ['/nowhere', json],
    ['/v1/nowhere', page],
  ] as const) {
    const { status, body } = await h.call('GET', path, options);
    assert.deepEqual([status, body.error], [404, 'NOT_FOUND'], path);
  }
});

test("pages don't allow inline scripts, framing or third-party scripts, and only the reference allows inline styles", async () => {
  for (const path of ['/dev/mailbox', '/admin', '/reference']) {
    const { body, headers } = await h.call('GET', path, page);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /; script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, path === '/reference' ? /style-src 'self' 'unsafe-inline';/ : /style-src 'self';/);
    assert.doesNotMatch(body, /<style|style=|<script(?! type="module" src="\/(pages|assets)\/)|\son[a-z]+=/);
  }
});

test('the mailbox and the admin are served only on localhost and the host of PUBLIC_URL', async () => {
  const { hostname, port } = new URL(h.url);
  const ask = (host: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ hostname, port, path, headers: { host, accept: 'application/json' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', 'x@y']) {
    for (const path of ['/dev/mailbox', '/dev/mailbox/mail_1', '/dev/mailbox/mail_1/html', '/admin', '/admin/login']) {
      const status = await ask(host, path);
      assert.ok(status === 403 || status === 400, `${host} ${path}: ${status}`);
    }
  }
  for (const host of ['localhost:1', '127.0.0.1', '[::1]:3000', 'shop.localhost', new URL(h.url).host]) {
    for (const path of ['/dev/mailbox', '/admin']) assert.equal(await ask(host, path), 200, `${host} ${path}`);
  }
});

const send = (html?: string) =>
  h.service.contexts.system().transaction((ctx) =>
    ctx.mail({
      to: 'ada@example.com',
      subject: '<script>alert(1)</script>',
      text: 'Go to https://example.com/?a=1&b="><script>alert(2)</script>',
      html,
      headers: { 'List-Id': '<img src=x onerror=alert(3)>' },
    }),
  );

test('the mailbox lists emails and text messages, newest first, as a page and as JSON', async () => {
  await h.service.contexts.system().transaction((ctx) => ctx.sms({ to: '+4915112345678', body: 'Code 123456' }));
  await h.drain('sms');
  await send();
  const [mail, sms] = await h.mailbox();
  assert.deepEqual([mail?.kind, sms?.kind], ['mail', 'sms']);
  const { body } = await h.call('GET', '/dev/mailbox', page);
  assert.match(body, /Code 123456/);
  assert.ok(body.indexOf(mail!.id) < body.indexOf(sms!.id));
  const { body: one } = await h.call('GET', `/dev/mailbox/${sms!.id}`, json);
  assert.deepEqual(one, sms);
});

test('the mailbox escapes the text of messages', async () => {
  await send('<p>Hello</p><script>alert(4)</script>');
  const [mail] = await h.mailbox();
  for (const path of ['/dev/mailbox', `/dev/mailbox/${mail!.id}`]) {
    const { body } = await h.call('GET', path, page);
    assert.doesNotMatch(body, /<script>|<img src=x|alert\(4\)/);
    assert.match(body, /&lt;script&gt;alert\(1\)/);
  }
});

test('the HTML of an email is sandboxed: no scripts, no forms, its own origin', async () => {
  await send('<p>Hello</p><script>alert(4)</script>');
  const [mail] = await h.mailbox();
  const { body, headers } = await h.call('GET', `/dev/mailbox/${mail!.id}/html`);
  assert.match(body, /<p>Hello<\/p>/);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /; sandbox allow-popups allow-popups-to-escape-sandbox$/);
  assert.doesNotMatch(policy, /script-src|allow-scripts|allow-same-origin|allow-forms/);
  const { body: view } = await h.call('GET', `/dev/mailbox/${mail!.id}`, page);
  assert.match(view, /<iframe[^>]* sandbox="allow-popups allow-popups-to-escape-sandbox"/);
});

test('the mailbox serves only messages', async () => {
  writeFileSync(join(h.config.dataDir, 'other.json'), '{"kind":"sms"}');
  for (const id of ['..%2fother', 'mail_0', '..%2f..%2fsecret.key', '..%2fsecret', 'x']) {
    assert.equal((await h.call('GET', `/dev/mailbox/${id}`, json)).status, 404);
  }
});

test('there is no mailbox in production', async () => {
  const production = await startHarness({ NODE_ENV: 'production' });
  assert.equal((await production.call('GET', '/dev/mailbox', json)).status, 404);
  assert.equal((await production.call('GET', '/reference', page)).status, 200);
});
