import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { sendPage } from '../../src/http/json-response.ts';
import { asJson } from '../../src/shared/records/serializer.ts';
import { CountedPageOf } from '../../src/shared/schemas.ts';
import { shareHarness } from '../harness.ts';
import { startServer } from './app.ts';

const h = await shareHarness();

/** Routes whose responses are not objects. */
const WITHOUT_SCHEMA: Record<string, RegExp> = {
  'the site of a business': /^\/(shop|s\/:slug|_site)(\/\*)?$/,
  'the admin and the reference': /^\/(admin|reference)(\/\*)?$/,
  'pages, and redirects from them':
    /^\/(confirm|confirm-subscription\/:token|reset-password|login-code|setup|invitation|cart-reminders\/:token|newsletter\/:token|f\/:businessId\/:formId|r\/:token|pay\/:token|plan\/:token|order\/:token(\/(pay|withdraw|return))?|dev\/mailbox\/:id\/html)?$/,
  'a form on another website': /^\/v1\/forms\/:businessId\/:formId$/,
  'links and images in newsletters': /^\/v1\/mail\/[co]\/:token(\/:link)?$/,
  files:
    /^\/((media\/:businessId\/:key)|((pages|assets)\/:file)|(order\/:token\/(qr\.png|documents\/:documentId\/(pdf|xml))))$/,
};

test('every route has a schema for its response, except for pages, files and redirects', () => {
  const without = h.service.app.routeList.flatMap(({ method, url, schema }) => {
    const statuses = Object.keys((schema?.response ?? {}) as object);
    return statuses.some((status) => /^2\d\d$/.test(status)) ? [] : [{ name: `${method} ${url}`, url }];
  });
  const reasons = Object.values(WITHOUT_SCHEMA);
  const unexpected = without.filter(({ url }) => !reasons.some((pattern) => pattern.test(url)));
  assert.deepEqual(
    unexpected.map(({ name }) => name),
    [],
  );
  for (const [reason, pattern] of Object.entries(WITHOUT_SCHEMA)) {
    assert.ok(
      without.some(({ url }) => pattern.test(url)),
      reason,
    );
  }
});

test('an object without a schema is not sent', async (t) => {
  const schema = { response: { 201: Type.Object({}) } };
  const server = await startServer((app) => {
    app.get('/object', { config: { access: 'public' }, schema }, () => ({ secret: 'not for the public' }) as never);
    app.get('/text', { config: { access: 'public' }, schema }, () => 'text' as never);
  });
  t.after(server.stop);
  const { status, body } = await server.call('GET', '/object' as '/health');
  assert.equal(status, 500);
  assert.ok(!JSON.stringify(body).includes('not for the public'));
  assert.equal(await (await fetch(`${server.url}/text`)).text(), 'text');
});

test('a page of serialized items contains only the fields in its schema', async (t) => {
  const Item = Type.Object({ id: Type.String() });
  const Page = Type.Object({ ...CountedPageOf(Item).properties, facets: Type.Array(Type.String()) });
  const items = ['a', 'b'].map((id) => asJson(JSON.stringify({ id })));
  const page = { cursor: null, facets: ['size'], secret: 'not for the public' };
  const server = await startServer((app) => {
    const options = { config: { access: 'public' as const }, schema: { response: { 200: Page } } };
    app.get('/items', options, (_request, reply) => sendPage(reply, { ...page, items, total: 2 }));
    app.get('/empty', options, (_request, reply) => sendPage(reply, { ...page, items: [] }));
  });
  t.after(server.stop);
  const read = async (path: string) => (await fetch(server.url + path)).json();
  const shown = { cursor: null, facets: ['size'] };
  assert.deepEqual(await read('/items'), { ...shown, items: [{ id: 'a' }, { id: 'b' }], total: 2 });
  assert.deepEqual(await read('/empty'), { ...shown, items: [] });
});
