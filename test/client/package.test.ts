import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { blocksIn, pages } from '../docs/markdown.ts';
import { openPage, skip } from '../pages/browser.ts';
import { startShop } from './shop.ts';

const run = promisify(execFile);
const options = { timeout: 180_000 };
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'souk-client-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * An empty project with the packed client, as a new user would set it up. Sources are copied, so that packing leaves
 * no files behind.
 */
async function installPacked(): Promise<string> {
  const project = join(folder, 'project');
  mkdirSync(project);
  cpSync(join(root, 'client'), join(folder, 'client'), { recursive: true });
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const npm = (cwd: string, ...args: string[]) => run('npm', [...args, '--loglevel=error'], { cwd, env });
  cpSync(join(root, 'node_modules/esbuild'), join(folder, 'node_modules/esbuild'), { recursive: true });
  cpSync(join(root, 'node_modules/@esbuild'), join(folder, 'node_modules/@esbuild'), { recursive: true });
  const { stdout: tarball } = await npm(join(folder, 'client'), 'pack', '--silent', '--pack-destination', folder);
  await npm(project, 'init', '-y');
  await npm(project, 'pkg', 'set', 'type=module');
  await npm(
    project,
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    join(folder, tarball.trim().split('\n').at(-1)!),
  );
  return project;
}

const [shop, project] = await Promise.all([startShop(), installPacked()]);

const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--exactOptionalPropertyTypes'];
const compile = (...files: string[]) =>
  run(join(root, 'node_modules/.bin/tsc'), [...STRICT, '--noUncheckedIndexedAccess', ...files], { cwd: project }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );

/** Replaces the placeholders in the text with this shop's URL and secrets. */
const filledIn = (code: string) =>
  code
    .replaceAll('http://127.0.0.1:3000', shop.url)
    .replaceAll('souk_YOUR_KEY', shop.apiKey)
    .replaceAll('YOUR_PASSWORD', shop.password);

function write(name: string, code: string): string {
  writeFileSync(join(project, name), filledIn(code));
  return name;
}

const FIRST_HOUR = `import { createClient, formatMoney, priceIn } from '@souk/client';

const souk = createClient({ baseUrl: 'http://127.0.0.1:3000', businessId: 'biz_demo' });
await souk.users.login({ provider: 'EMAIL', email: 'admin@example.com', password: 'YOUR_PASSWORD' });
for await (const { name, variants } of souk.products.list({ category: 'kitchen' })) {
  const price = variants[0] && priceIn(variants[0], 'us');
  console.log(name, price ? formatMoney(price.price, price.currency, 'en') : '');
}
const [mug] = await souk.products.list({ slug: 'ceramic-mug' }).take(1);
if (!mug) throw new Error('There is no mug.');
const { orderId, checkoutUrl } = await souk.orders.checkout({
  market: 'us',
  paymentMethod: 'CREDIT_CARD',
  shippingMethodId: 'standard',
  items: [{ productId: mug.id, variantId: 'sand', quantity: 1 }],
});
await fetch(checkoutUrl!, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ action: 'pay' }) });
const order = await souk.orders.get(orderId);
console.log(order.paymentStatus.at(-1)?.status);
`;

test(
  'twenty lines of code in an empty project can list products, log in, check out and pay, in Node',
  options,
  async () => {
    const file = write('first-hour.ts', FIRST_HOUR);
    assert.equal(await compile(file), '');
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    assert.match(stdout, /^Ceramic mug \$18\.00$/m);
    assert.match(stdout, /^PAID$/m);
  },
);

/** Logs in, reads, follows the events until one arrives, and stops. */
const FOLLOWER = `import { createClient } from '@souk/client';

async function follow(): Promise<void> {
  const souk = createClient({ baseUrl: 'http://127.0.0.1:3000', businessId: 'biz_demo' });
  await souk.users.login({ provider: 'EMAIL', email: 'admin@example.com', password: 'YOUR_PASSWORD' });
  const [product] = await souk.products.list().take(1);
  if (!product) throw new Error('There is no product.');
  const stop = new AbortController();
  const events = await souk.events.stream({ types: ['product.*'] }, { signal: stop.signal });
  const reader = events.body!.getReader();
  await souk.products.update(product.id, { description: String(Math.random()) });
  let text = '';
  while (!text.includes('product.updated')) text += new TextDecoder().decode((await reader.read()).value);
  stop.abort();
  await reader.read().then(
    () => console.log('still open'),
    (error: unknown) => console.log(error === stop.signal.reason ? 'aborted' : error),
  );
}

void follow();
`;

test(
  'a CommonJS project with module node16 can import the client, and its program ends after an abort',
  options,
  async ({ signal }) => {
    mkdirSync(join(project, 'commonjs'));
    write('commonjs/package.json', '{ "type": "commonjs" }');
    const file = write('commonjs/follow.ts', FOLLOWER);
    const tsc = join(root, 'node_modules/.bin/tsc');
    const flags = ['--strict', '--target', 'es2022', '--module', 'node16', '--noEmitOnError'];
    await run(tsc, [...flags, file], { cwd: project }).catch(({ stdout }) => assert.fail(stdout));
    const { stdout } = await run(process.execPath, ['commonjs/follow.js'], { cwd: project, signal });
    assert.equal(stdout, 'aborted\n');
  },
);

test('a script can require the client', options, async () => {
  const code = `const { createClient } = require('@souk/client');
const souk = createClient({ baseUrl: 'http://127.0.0.1:3000', businessId: 'biz_demo', guest: true });
souk.products.list({ category: 'kitchen' }).page().then(({ items }) => console.log(items[0].name));
`;
  const { stdout } = await run(process.execPath, [write('script.cjs', code)], { cwd: project });
  assert.match(stdout, /\w/);
});

test('the same lines run in a browser, on a page of another origin', { ...options, skip }, async () => {
  const { outputFiles } = await build({
    entryPoints: [join(project, write('browser.ts', FIRST_HOUR))],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const server = createServer((request, response) => {
    const isScript = request.url === '/script.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? outputFiles[0]!.text : '<!doctype html><script type="module" src="/script.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await openPage();
  const output: string[] = [];
  page.on('console', (message) => output.push(message.text()));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForEvent('console', { predicate: (message) => message.text() === 'PAID' });
  assert.ok(output.includes('Ceramic mug $18.00'));
  server.close();
});

test('every record that was read can be sent back', options, async () => {
  const code = `import { createClient } from '@souk/client';
const souk = createClient({ baseUrl: '' });
export const sendBack = async (id: string) => [
  await souk.products.update(id, await souk.products.get(id)),
  await souk.collections.update(id, await souk.collections.get(id)),
  await souk.entries.update(id, await souk.entries.get(id)),
  await souk.orders.update(await souk.orders.get(id)),
  await souk.promoCodes.update(id, await souk.promoCodes.get(id)),
  await souk.customers.update(id, await souk.customers.get(id)),
  await souk.roles.update(id, await souk.roles.get(id)),
  await souk.webhooks.update(id, await souk.webhooks.get(id)),
  await souk.users.update(await souk.users.me()),
  await souk.businesses.update(id, await souk.businesses.get(id)),
  await souk.media.update(id, await souk.media.get(id)),
  await souk.releases.update(id, await souk.releases.get(id)),
  await souk.newsletters.updateSubscriber(id, id, await souk.newsletters.getSubscriber(id, id)),
  await souk.categories.update(id, await souk.categories.get(id)),
  await souk.carts.update(id, await souk.carts.get(id)),
  await souk.newsletters.updateSegment(id, await souk.newsletters.getSegment(id)),
  await souk.newsletters.updateForm(id, await souk.newsletters.getForm(id)),
  await souk.newsletters.updateAutomation(id, await souk.newsletters.getAutomation(id)),
  await souk.businesses.updateMailTemplate(id, await souk.businesses.getMailTemplate(id)),
  await souk.businesses.updateSender(await souk.businesses.getSender()),
];
export const sendBackListed = async (id: string) => {
  for await (const product of souk.products.list()) await souk.products.update(id, product);
  for await (const entry of souk.entries.list()) await souk.entries.update(id, entry);
  for await (const order of souk.orders.list()) await souk.orders.update(order);
  for await (const key of souk.publishableKeys.list()) await souk.publishableKeys.update(id, key);
};
export const copy = async (id: string) => [
  await souk.products.create(await souk.products.get(id)),
  await souk.collections.create(await souk.collections.get(id)),
  await souk.entries.create(await souk.entries.get(id)),
  await souk.orders.create(await souk.orders.get(id)),
];
`;
  assert.equal(await compile(write('send-back.ts', code)), '');
});

test(
  'values of each block type, a null that clears a field and a check for each error code compile',
  options,
  async () => {
    const code = `import { createClient, isSoukError, SoukError } from '@souk/client';
const souk = createClient({ baseUrl: '' });
export const clear = async () => [
  await souk.products.update('prod_1', { description: null, gallery: null, variants: [{ id: 'a', sku: null }] }),
  await souk.customers.update('cust_1', { email: null, tags: null }),
  await souk.businesses.update('biz_1', { configs: { profile: { taxId: null } } }),
  await souk.orders.setStatus('ord_1', { status: 'SHIPPED', tracking: { carrier: 'DHL', url: null } }),
];
export const write = () =>
  souk.entries.create({
    collectionId: 'blog',
    blocks: [
      { id: 'title', type: 'TEXT', value: { en: 'Hello', de: 'Hallo' } },
      { id: 'minutes', type: 'NUMBER', value: 5 },
      { id: 'featured', type: 'BOOLEAN', value: true },
      { id: 'at', type: 'DATE', value: 1_763_164_800 },
      { id: 'author', type: 'RELATIONSHIP', value: ['usr_1'] },
      { id: 'place', type: 'GEO_LOCATION', value: { latitude: 52.5, longitude: 13.4 } },
      { id: 'photos', type: 'MEDIA', value: ['media_1', { url: 'https://example.com/a.jpg' }] },
      { id: 'season', type: 'SELECT', value: 'spring' },
      { id: 'tags', type: 'MULTI_SELECT', value: ['a', 'b'] },
      { id: 'subtitle', value: 'Without a type' },
      { id: 'summary', type: 'TEXT', value: null },
    ],
  });
export async function read(): Promise<number[]> {
  const { blocks } = await souk.entries.get('ent_1');
  const numbers = blocks.flatMap((block) => (block.type === 'NUMBER' ? [block.value ?? 0] : []));
  const places = blocks.flatMap((block) => (block.type === 'GEO_LOCATION' && block.value ? [block.value.latitude] : []));
  return [...numbers, ...places];
}
export const isMissing = (error: unknown) => isSoukError(error, 'NOT_FOUND') && error.error === 'NOT_FOUND';
export const isShort = (error: unknown) => error instanceof SoukError && error.has('INSUFFICIENT_STOCK');
`;
    assert.equal(await compile(write('blocks.ts', code)), '');
  },
);

test('typos do not compile', options, async () => {
  const mistakes = {
    'souk.product.list()': /'product'/,
    "souk.orders.setStatus('ord_1', { status: 'SHIPED' })": /"SHIPED"/,
    "souk.users.login({ provider: 'EMIAL' })": /"EMIAL"/,
    "souk.webhooks.create({ url: 'https://x.example', events: ['ordr.*'] })": /"ordr\.\*"/,
    "souk.orders.checkout({ market: 'us', paymentMethod: 'CASH' })": /'CheckoutInput'/,
    "souk.products.getVersion('prod_1', '2')": /string/,
    "souk.promoCodes.create({ code: 'A', discounts: [{ type: 'ITEMS_PERCENTAGE', amount: 5 }] })": /bps|amount/,
    "souk.roles.create({ name: 'A', permissions: ['ADMIM'] })": /"ADMIM"/,
    "souk.products.list({ categorie: 'kitchen' })": /categorie/,
    "souk.orders.checkout({ market: 'us', paymentMethod: 'CREDIT_CARD', item: [] })": /'item'/,
    "souk.orders.checkout({ market: 'us', paymentMethod: 'CARD' })": /"CARD"/,
    "souk.payments.quote({ items: [{ productId: 'p', variantId: 'v', quantity: '1' }], market: 'us' })": /'string'/,
    "(await souk.products.get('p')).titel": /titel/,
    'souk.products.get()': /Expected 1-2 arguments/,
    "souk.products.update('p', { nam: 'x' })": /'nam'/,
    "souk.products.update('p', { name: null })": /null/,
    "souk.entries.create({ blocks: [{ id: 'a', type: 'NUMBER', value: 'x' }] })": /'EntryBlock'/,
    "souk.products.create({ name: 'a', blocks: [{ id: 'a', type: 'BOOLEAN', value: 1 }] })": /'BlockInput'/,
    "souk.orders.checkout({ market: 'us', paymentMethod: 'CASH', items: [], blocks: [{ id: 'a', type: 'TXT' }] })":
      /"TXT"/,
    "souk.users.refresh({ provider: 'GOGLE', refreshToken: 'x' })": /"GOGLE"/,
    "souk.businesses.create({ name: 'a', configs: { paymentProvider: { type: 'STRIP' } } })": /"STRIP"/,
    "souk.events.stream({ types: ['ordr.*'] })": /"ordr\.\*"/,
    "souk.events.list({ types: ['order.shiped'] })": /"order\.shiped"/,
    "souk.products.update('p', { scheduled: [{ status: 'PUBLISHED', timestamp: 1 }] })": /"PUBLISHED"/,
    "souk.collections.create({ name: 'a', type: 'NEWSLETER' })": /"NEWSLETER"/,
    "(await souk.newsletters.getSend('snd_1')).status === 'SEND'": /"SEND"/,
    "souk.media.updatePart('upl_1', '1', '')": /string/,
    "souk.promoCodes.create({ code: 'A', discounts: [], conditions: [{ type: 'MAX_USES', value: '3' }] })": /'string'/,
    "isSoukError(null, 'NOT_FUND')": /"NOT_FUND"/,
    "new SoukError(404, {}).error === 'NOT_FUND'": /"NOT_FUND"/,
    "new SoukError(404, {}).has('OUT_OF_STOCK')": /"OUT_OF_STOCK"/,
  };
  const head =
    "import { createClient, isSoukError, SoukError } from '@souk/client';\nconst souk = createClient({ baseUrl: '' });\n";
  const files = Object.keys(mistakes).map((code, i) => write(`mistake-${i}.ts`, `${head}await ${code};\n`));
  const output = (await compile(...files)).split('\n');
  for (const [i, words] of Object.values(mistakes).entries()) {
    assert.match(output.filter((line) => line.startsWith(`mistake-${i}.ts`)).join('\n'), words);
  }
});

/** TypeScript blocks of the documentation. */
const recipes = pages.flatMap((page) =>
  blocksIn(page, 'ts').map(({ code, line }) => ({
    title: `${page.file}:${line}`,
    code,
    file: write(`${page.file.replaceAll(/\W/g, '-')}-${line}.ts`, code),
  })),
);

const NODE_TYPES = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];

test('every TypeScript block in the documentation compiles strictly', options, async () => {
  assert.ok(recipes.length > 10);
  const [forNode, forAll] = [true, false].map((isNode) =>
    recipes.filter(({ code }) => code.includes("'node:") === isNode).map(({ file }) => file),
  );
  assert.equal(await compile(...forAll!), '');
  assert.equal(await compile(...NODE_TYPES, ...forNode!), '');
});

for (const { title, code, file } of recipes) {
  test(`the block at ${title} runs`, options, async () => {
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    assert.doesNotMatch(stdout, /undefined|NaN/);
    if (code.includes('console.log')) assert.notEqual(stdout, '');
  });
}
