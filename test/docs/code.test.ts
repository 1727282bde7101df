/** Runs the code blocks of the documentation against the demo shop. TypeScript blocks run in test/client/package.test.ts. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { createPool } from '../../src/db/pool.ts';
import { caller, type Json } from '../call.ts';
import { createPostgres, freePort } from '../servers/postgres.ts';
import { eventually, startService } from '../service.ts';
import { blocksIn, pages, readPage } from './markdown.ts';

const run = promisify(execFile);
const options = { timeout: 120_000 };
const folder = mkdtempSync(join(tmpdir(), 'souk-docs-'));
const server = await createPostgres();
await server.start();

/** Runs SQL as shown on a page, in the database named in the block. */
async function runSql(url: string, code: string): Promise<void> {
  const pool = createPool({ url }, { max: 1, applicationName: 'test' });
  try {
    for (const statement of code.split(/;\n/).filter((text) => text.trim() !== '')) await pool.text(statement);
  } finally {
    await pool.end();
  }
}

/** Pages whose SQL is for an administrator. */
const ADMIN_PAGES = ['docs/operate/database.md', 'docs/operate/backup.md'];
for (const { code, flags } of ADMIN_PAGES.flatMap((file) => blocksIn(readPage(file), 'sql'))) {
  const database = flags.find((flag) => flag.startsWith('database='))?.slice('database='.length);
  await runSql(server.url('postgres', database), code);
}
const databaseUrl = server.url('souk:change-me', 'shop');
const shop = await startService('start', {
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: databaseUrl,
  DEMO: '1',
  LOG_LEVEL: 'error',
});
after(async () => {
  await shop.stop();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});
const { SOUK = '', BUSINESS = '', KEY = '' } = shop.exports;
const call = caller(SOUK);
const staff = { headers: { 'x-api-key': KEY } };
const own = `/v1/businesses/${BUSINESS}`;

async function ok(method: 'GET' | 'POST', path: string, body?: object): Promise<Json> {
  const response = await call(method, path, { ...staff, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
const first = async (list: string) => (await ok('GET', `${own}/${list}`)).items[0];

const print = await ok('POST', `${own}/products`, {
  name: 'Art print',
  variants: [{ id: 'a3', pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 2000 }] } }],
});

/** A paid order. */
async function buy(): Promise<string> {
  const { orderId, checkoutUrl } = await ok('POST', `${own}/orders/checkout`, {
    market: 'us',
    paymentMethod: 'CREDIT_CARD',
    shippingMethodId: 'standard',
    items: [{ productId: print.id, variantId: 'a3', quantity: 1 }],
  });
  await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  return orderId;
}

/** The values of the placeholders in capitals. */
async function ids(): Promise<Record<string, string>> {
  const lamp = await ok('GET', `${own}/products/desk-lamp`);
  const newsletter = await first('collections?slug=letter');
  const publish = { statuses: [{ status: 'PUBLISHED' }] };
  const [entry, issue] = await Promise.all([
    ok('POST', `${own}/entries`, { collectionId: 'blog', ...publish, blocks: [{ id: 'title', value: 'A title' }] }),
    ok('POST', `${own}/entries`, {
      collectionId: newsletter.id,
      ...publish,
      blocks: ['subject', 'body'].map((id) => ({ id, value: 'Hello {{subscriber.name}}' })),
    }),
  ]);
  return {
    PRODUCT: lamp.id,
    VARIANT: lamp.variants[0].id,
    ORDER: await buy(),
    CUSTOMER: (await first('customers')).id,
    ROLE: (await ok('GET', `/v1/roles?businessId=${BUSINESS}`)).items[0].id,
    ENTRY: entry.id,
    ISSUE: issue.id,
    NEWSLETTER: newsletter.id,
  };
}

/** Makes a failed call end the script, unlike plain curl. */
const STRICT_CURL = 'curl() { command curl -sS --fail-with-body "$@"; }\n';

for (const page of pages.filter(({ file }) => file !== 'docs/start/tour.md')) {
  const code = blocksIn(page, 'sh').map((block) => block.code);
  if (code.length === 0) continue;
  test(`the shell blocks of ${page.file} run`, options, async () => {
    const cwd = join(folder, page.file.replaceAll('/', '-'));
    mkdirSync(cwd);
    const env = { PATH: process.env.PATH, ...shop.exports, ...(await ids()) };
    await run('bash', ['-euo', 'pipefail', '-c', STRICT_CURL + code.join('\n')], { cwd, env });
  });
}

test('the webhook receiver on the start page prints the events of an order', options, async () => {
  const page = readPage('docs/start/index.md');
  const port = String(await freePort());
  const onPort = (code: string) => code.replaceAll('4000', port);
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, onPort(blocksIn(page, 'js')[0]!.code));
  const receiver = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  receiver.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    await eventually('the receiver', () => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }));
    const register = blocksIn(page, 'sh').find(({ code }) => code.includes('/webhooks'))!.code;
    await run('bash', ['-euo', 'pipefail', '-c', STRICT_CURL + onPort(register)], {
      env: { PATH: process.env.PATH, ...shop.exports },
    });
    await buy();
    for (const type of ['order.created', 'order.payment_changed', 'order.status_changed']) {
      await eventually(type, async () => printed.includes(type));
    }
  } finally {
    receiver.kill();
  }
});

test('the webhook verification accepts a signed delivery and rejects modified, wrongly signed and old ones', async () => {
  const file = join(folder, 'verify.ts');
  writeFileSync(file, blocksIn(readPage('docs/extend/webhooks.md'), 'ts')[0]!.code);
  const { verify } = await import(file);
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const body = JSON.stringify({ type: 'order.created' });
  const signed = (at: Date, key = secret) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('evt_1', at, body),
  });
  const now = new Date();
  assert.deepEqual(verify(secret, signed(now), body), { type: 'order.created' });
  assert.throws(() => verify(secret, signed(now), body.replace('created', 'deleted')), /Invalid signature/);
  assert.throws(() => verify(secret, signed(now, `whsec_${'A'.repeat(32)}`), body), /Invalid signature/);
  assert.throws(() => verify(secret, signed(new Date(now.getTime() - 600_000)), body), /Invalid signature/);
});

test("every SQL block runs on the service's database", options, async () => {
  const blocks = pages.filter(({ file }) => !ADMIN_PAGES.includes(file)).flatMap((page) => blocksIn(page, 'sql'));
  assert.ok(blocks.length > 0);
  for (const { code } of blocks) await runSql(databaseUrl, code);
});

test('every JSON block parses', () => {
  for (const page of pages) for (const { code } of blocksIn(page, 'json')) JSON.parse(code);
});

test('every code block of the site has a language', () => {
  // Parts of components, which only compile as part of their page.
  const known = ['sh', 'ts', 'tsx', 'js', 'json', 'sql', 'ini', 'text', 'mermaid'];
  const site = pages.filter(({ file }) => file !== 'ARCHITECTURE.md');
  const unknown = site.flatMap(({ file, blocks }) =>
    blocks.filter(({ language }) => !known.includes(language)).map(({ line }) => `${file}:${line}`),
  );
  assert.deepEqual(unknown, []);
});
