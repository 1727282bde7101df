/** Runs the code blocks of the documentation against the demo shop. TypeScript blocks run in test/client/package.test.ts. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { loadConfig } from '../../src/config.ts';
import { createPool } from '../../src/db/pool.ts';
import { caller, type Json } from '../call.ts';
import { createPostgres, freePort } from '../servers/postgres.ts';
import { eventually, startService } from '../service.ts';
import { blocksIn, pages, ROOT, readPage } from './markdown.ts';

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

test(
  'the webhook receiver accepts a signed delivery and rejects modified, wrongly signed and old ones',
  options,
  async () => {
    const [verify, receiver] = blocksIn(readPage('docs/extend/webhooks.md'), 'js').map(({ code }) => code);
    const place = join(folder, 'webhooks');
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    mkdirSync(place);
    writeFileSync(join(place, 'verify.mjs'), verify!);
    writeFileSync(join(place, 'receiver.mjs'), receiver!.replaceAll('4000', port));
    const types = ['--types', 'node', '--typeRoots', `${ROOT}node_modules/@types`];
    const flags = [
      '--noEmit',
      '--strict',
      '--checkJs',
      '--allowJs',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      ...types,
    ];
    await run(`${ROOT}node_modules/.bin/tsc`, [...flags, join(place, 'receiver.mjs')]).catch(({ stdout }) =>
      assert.fail(stdout),
    );
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const child = spawn(process.execPath, [join(place, 'receiver.mjs')], {
      env: { WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const body = JSON.stringify({ type: 'order.created', data: 'é' });
    const send = async (at: Date, key = secret, sent = body) => {
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign('evt_1', at, body),
      };
      return (await fetch(url, { method: 'POST', headers, body: sent })).status;
    };
    try {
      const unsigned = await eventually('the receiver', () => fetch(url, { method: 'POST', body }));
      assert.equal(unsigned.status, 401);
      const now = new Date();
      assert.equal(await send(now), 204);
      await eventually('the event', async () => printed === 'order.created\n');
      assert.equal(await send(now, secret, body.replace('created', 'deleted')), 401);
      assert.equal(await send(now, `whsec_${'A'.repeat(32)}`), 401);
      assert.equal(await send(new Date(now.getTime() - 600_000)), 401);
      assert.equal(printed, 'order.created\n');
    } finally {
      child.kill();
    }
  },
);

test('a shell reads the production settings, and they are valid', options, async () => {
  const [settings] = blocksIn(readPage('docs/operate/configure.md'), 'ini');
  const file = join(folder, 'souk.env');
  writeFileSync(file, settings!.code.replace("SECRET_KEY=''", `SECRET_KEY='${'k'.repeat(32)}'`));
  const print = `set -eua; . ${file}; exec ${process.execPath} -p 'JSON.stringify(process.env)'`;
  const { stdout } = await run('sh', ['-c', print], { env: {} });
  const { database, mailFrom, storage, trustProxy, host } = loadConfig(JSON.parse(stdout));
  assert.match(database!.url, /sslmode=verify-full&sslrootcert=system$/);
  assert.equal(mailFrom, 'Shop <hello@shop.example>');
  assert.equal(storage.type, 's3');
  assert.deepEqual([trustProxy, host], [1, '127.0.0.1']);
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
