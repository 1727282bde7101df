import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { openPage, skip } from '../pages/browser.ts';
import { startShop } from './shop.ts';

const run = promisify(execFile);
const options = { timeout: 180_000 };
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'souk-client-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** As a new user has it: an empty project with the packed client in it. The sources are copied, so that packing leaves nothing behind. */
async function installPacked(): Promise<string> {
  const project = join(folder, 'project');
  mkdirSync(project);
  cpSync(join(root, 'client'), join(folder, 'client'), { recursive: true });
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const npm = (cwd: string, ...args: string[]) => run('npm', [...args, '--loglevel=error'], { cwd, env });
  cpSync(join(root, 'node_modules/esbuild'), join(folder, 'node_modules/esbuild'), { recursive: true });
  cpSync(join(root, 'node_modules/@esbuild'), join(folder, 'node_modules/@esbuild'), { recursive: true });
  await npm(join(folder, 'client'), 'pack', '--pack-destination', folder);
  await npm(project, 'init', '-y');
  await npm(project, 'pkg', 'set', 'type=module');
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', join(folder, 'souk-client-0.1.0.tgz'));
  return project;
}

const [shop, project] = await Promise.all([startShop(), installPacked()]);

const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--exactOptionalPropertyTypes'];
const compile = (...files: string[]) =>
  run(join(root, 'node_modules/.bin/tsc'), [...STRICT, '--noUncheckedIndexedAccess', ...files], { cwd: project }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );

/** Puts this shop's address and secrets where the text has stand-ins. */
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

test('twenty lines in an empty project list products, log in, check out and pay, on Node', options, async () => {
  const file = write('first-hour.ts', FIRST_HOUR);
  assert.equal(await compile(file), '');
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  assert.match(stdout, /^Ceramic mug \$18\.00$/m);
  assert.match(stdout, /^PAID$/m);
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
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForEvent('console', { predicate: (message) => message.text() === 'PAID' });
  assert.ok(said.includes('Ceramic mug $18.00'));
  server.close();
});

test('what is misspelt does not compile', options, async () => {
  const mistakes = {
    'souk.product.list()': /'product'/,
    "souk.products.list({ categorie: 'kitchen' })": /categorie/,
    "souk.orders.checkout({ market: 'us', paymentMethod: 'CREDIT_CARD', item: [] })": /'item'/,
    "souk.orders.checkout({ market: 'us', paymentMethod: 'CARD' })": /"CARD"/,
    "souk.payments.quote({ items: [{ productId: 'p', variantId: 'v', quantity: '1' }], market: 'us' })": /'string'/,
    "(await souk.products.get('p')).titel": /titel/,
    'souk.products.get()': /Expected 1-2 arguments/,
    "souk.products.update('p', { nam: 'x' })": /'nam'/,
  };
  const head = "import { createClient } from '@souk/client';\nconst souk = createClient({ baseUrl: '' });\n";
  const files = Object.keys(mistakes).map((code, i) => write(`mistake-${i}.ts`, `${head}await ${code};\n`));
  const said = (await compile(...files)).split('\n');
  for (const [i, words] of Object.values(mistakes).entries()) {
    assert.match(said.filter((line) => line.startsWith(`mistake-${i}.ts`)).join('\n'), words);
  }
});

const guide = readFileSync(join(root, 'docs/client.md'), 'utf8');
const recipes = [...guide.matchAll(/^## ([^\n]*)\n[^#]*?^```ts\n(.*?)^```$/gms)].map(([, title, code], i) => ({
  title: title!,
  file: write(`recipe-${i}.ts`, code!),
}));

test('every recipe of the guide compiles strictly', options, async () => {
  assert.equal(recipes.length, guide.match(/^```ts$/gm)?.length);
  assert.equal(await compile(...recipes.map(({ file }) => file)), '');
});

for (const { title, file } of recipes) {
  test(`the recipe "${title}" runs`, options, async () => {
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    assert.doesNotMatch(stdout, /undefined|NaN/);
    if (title !== 'Content and newsletters') assert.notEqual(stdout, '');
  });
}
