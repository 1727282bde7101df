import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { type Api, adaptDocument } from '../../reference/document.ts';
import { startHarness } from '../harness.ts';
import { openPage, skip } from './browser.ts';

const h = await startHarness();

async function adapted(): Promise<Api> {
  const { body } = await h.call('GET', '/openapi.json');
  adaptDocument(body);
  return body;
}

const operationsOf = (api: Api) => Object.values(api.paths).flatMap((path) => Object.values(path));

test('every suggested request body matches the schema of its operation', async () => {
  const api = await adapted();
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv, { mode: 'fast', formats: ['email', 'uri'] });
  const bodies = operationsOf(api).flatMap(({ operationId, requestBody }) => {
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    return example === undefined ? [] : [{ operationId, schema, example }];
  });
  assert.ok(bodies.length > 30);
  for (const { operationId, schema, example } of bodies) {
    const isValid = ajv.validate({ ...schema, components: api.components }, example);
    assert.ok(isValid, `${operationId} ${JSON.stringify(example)}: ${ajv.errorsText()}`);
  }
});

test('a suggested request contains required values and defaults only', async () => {
  const api = await adapted();
  const products = api.paths['/v1/businesses/{businessId}/products']!;
  assert.deepEqual(products.post!.requestBody!.content['application/json']!.example, { name: 'Linen shirt' });
  const sent = products.get!.parameters!.flatMap(({ name, schema, example, examples }) => {
    const value = examples ? examples.default!.value : (example ?? schema!.default ?? schema!.enum?.[0] ?? '');
    return value === '' ? [] : [[name, value]];
  });
  assert.deepEqual(Object.fromEntries(sent), { businessId: 'biz_demo', limit: 20 });
});

test('an operation names the permission that it requires', async () => {
  const api = await adapted();
  assert.match(
    api.paths['/v1/businesses/{businessId}/products']!.post!.description!,
    /Requires the `CATALOG_WRITE` permission\.$/,
  );
  assert.doesNotMatch(api.paths['/v1/users/me']!.get!.description!, /Requires/);
});

test('a developer finds an operation, enters a token, sends a request and reads the response', { skip }, async () => {
  const { token } = await h.guest();
  const page = await openPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  const foreign: string[] = [];
  page.on('request', (request) => request.url().startsWith(h.url) || foreign.push(request.url()));

  await page.goto(`${h.url}/reference`);
  await page.getByLabel('Bearer Token').first().fill(token);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Enter search query' }).fill('/v1/users/me');
  await page.getByRole('option', { name: '/v1/users/me' }).first().click();
  await page.getByRole('button', { name: 'Test Request (get /v1/users/me)' }).click();
  await page.getByRole('button', { name: 'Send get request to' }).click();
  const client = page.getByRole('dialog');
  await client.getByText('200 OK').waitFor();
  await client.getByText('"isConfirmed": false').waitFor();

  assert.deepEqual([foreign, problems], [[], []]);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!stored.includes(token), 'the token is not stored');
});

test('text from the API never runs as a script', { skip }, async () => {
  const page = await openPage();
  page.setDefaultTimeout(60_000);
  const evil = '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script>';
  await page.route('**/openapi.json', (route) =>
    route.fulfill({
      json: {
        openapi: '3.1.0',
        info: { title: evil, version: '1', description: evil },
        paths: {
          '/evil': {
            get: { operationId: 'evil', summary: evil, description: evil, responses: { 200: { description: evil } } },
          },
        },
      },
    }),
  );
  await page.route('**/evil', (route) => route.fulfill({ contentType: 'text/html', body: evil }));
  await page.goto(`${h.url}/reference`);
  await page.getByRole('button', { name: 'Test Request (get /evil)' }).click();
  await page.getByRole('button', { name: 'Send get request to' }).click();
  await page.getByRole('dialog').getByText('200 OK').waitFor();
  assert.equal(await page.evaluate('window.hit'), undefined);
  assert.equal(await page.locator('[onerror], body script').count(), 0, 'the markup is not in the page');
});
