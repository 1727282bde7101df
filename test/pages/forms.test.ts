import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { pageRoutes } from '../../src/pages/page.ts';
import { notFound } from '../../src/shared/errors.ts';
import { Input, Text } from '../../src/shared/schemas.ts';
import { startServer } from '../http/app.ts';

const schema = { body: Input({ name: Text(2000) }) };
const config = { access: 'public' } as const;
const server = await startServer((app) => {
  app.post('/api', { config, schema }, (request) => request.body);
  pageRoutes(app, (pages) => {
    pages.post('/form', { config, schema }, (request) => request.body);
    pages.post('/button', { config }, () => ({ pressed: true }));
    pages.get('/missing', { config }, () => {
      throw notFound('<b>Page</b>');
    });
  });
});
after(server.stop);

const post = (path: string, body: string | URLSearchParams | FormData, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { method: 'POST', body, headers });

test('a page accepts forms and JSON', async () => {
  const form = new URLSearchParams({ name: 'Zoë & Søn' });
  assert.deepEqual(await (await post('/form', form)).json(), { name: 'Zoë & Søn' });
  const json = { 'content-type': 'application/json' };
  assert.deepEqual(await (await post('/form', '{"name":"a"}', json)).json(), { name: 'a' });
});

test('a multipart form, which mail clients send to unsubscribe, is accepted without its fields', async () => {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  assert.equal((await post('/button', form)).status, 200);
  assert.equal((await post('/form', form)).status, 422);
});

test('an API route rejects a form with 415', async () => {
  const response = await post('/api', new URLSearchParams({ name: 'x' }));
  assert.equal(response.status, 415);
  assert.equal(((await response.json()) as { error: string }).error, 'UNSUPPORTED_MEDIA_TYPE');
});

test('hostile forms are rejected and never change a prototype', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await post('/form', 'name=a%00b', form)).status, 422);
  assert.equal((await post('/form', `name=${'x'.repeat(70_000)}`, form)).status, 413);
  const parts = { 'content-type': 'multipart/form-data; boundary=x' };
  assert.equal((await post('/button', 'x'.repeat(70_000), parts)).status, 413);
  const response = await post('/form', '__proto__=x&constructor.prototype.name=y&name=first&name=last', form);
  assert.deepEqual(await response.json(), { name: 'last' });
  assert.equal(({} as { name?: string }).name, undefined);
});

test('browsers get an error as an escaped page, API clients as JSON', async () => {
  const page = await fetch(`${server.url}/missing`, { headers: { accept: 'text/html,*/*' } });
  assert.equal(page.status, 404);
  assert.match(page.headers.get('content-type') ?? '', /text\/html/);
  assert.match(await page.text(), /&lt;b&gt;Page&lt;\/b&gt; not found/);
  const json = await fetch(`${server.url}/missing`);
  assert.equal(((await json.json()) as { error: string }).error, 'NOT_FOUND');
});
