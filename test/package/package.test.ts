/** The npm package as an operator uses it: packed, installed into an empty folder without install scripts, and run by npx. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '../../client/src/index.ts';

const run = promisify(execFile);
const options = { timeout: 300_000 };
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'souk-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The environment of a shell with this Node, without the variables that npm sets. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
const { HOME } = process.env;
const project = join(folder, 'project');

async function install(): Promise<void> {
  await run(process.execPath, ['scripts/package.ts'], { cwd: root });
  const packed = join(root, 'dist/souk');
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: packed });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags, join(folder, stdout.trim())], { cwd: project });
}

const souk = (args: string[], env: Record<string, string> = {}) =>
  run('npx', ['souk', ...args], { cwd: project, env: { PATH, HOME, ...env }, maxBuffer: 64 * 2 ** 20 });

/** `stop` signals only npx and resolves when all processes that it started have exited. */
async function start(env: Record<string, string>) {
  const settings = { PATH, HOME, PORT: '0', LOG_LEVEL: 'error', ...env };
  const child = spawn('npx', ['souk', 'start'], { cwd: project, env: settings, detached: true });
  after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {}
  });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  while (!/^Mailbox/m.test(output)) {
    await Promise.race([once(child.stdout, 'data'), closed]);
    if (child.exitCode !== null) throw new Error(`The service did not start: ${output}`);
  }
  const exported = (name: string) => new RegExp(`^export ${name}=(\\S+)$`, 'm').exec(output)?.[1];
  return {
    url: /is running at +(\S+)/.exec(output)![1]!,
    exported,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

await install();

test('the package runs the service: a purchase survives a restart, a backup and a restore', options, async () => {
  const first = await start({ DATA_DIR: 'data' });
  const [businessId, key] = [first.exported('BUSINESS')!, first.exported('KEY')!];

  for (const [path, type] of Object.entries({ '/': /html/, '/admin': /html/, '/reference': /html/ })) {
    const page = await fetch(`${first.url}${path}`);
    assert.match(page.headers.get('content-type')!, type);
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    assert.equal((await fetch(new URL(script!, first.url))).status, 200, `the script of ${path}`);
  }

  const shopper = createClient({ baseUrl: first.url, businessId, guest: true });
  const [mug] = await shopper.products.list({ slug: 'ceramic-mug' }).take(1);
  const { orderId, checkoutUrl } = await shopper.orders.checkout({
    market: 'us',
    paymentMethod: 'CREDIT_CARD',
    shippingMethodId: 'standard',
    items: [{ productId: mug!.id, variantId: 'sand', quantity: 1 }],
  });
  await fetch(checkoutUrl!, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) });

  await souk(['backup', 'backup'], { DATA_DIR: 'data' });
  await first.stop();
  await souk(['restore', 'backup'], { DATA_DIR: 'restored' });

  for (const DATA_DIR of ['data', 'restored']) {
    const again = await start({ DATA_DIR });
    const admin = createClient({ baseUrl: again.url, businessId, apiKey: key });
    assert.equal((await admin.orders.get(orderId)).paymentStatus.at(-1)?.status, 'PAID', DATA_DIR);
    await again.stop();
  }
});

test('the package processes images, invoices and long texts, and serves the OpenAPI document', options, async () => {
  const { url, exported, stop } = await start({ DATA_DIR: 'processed' });
  const admin = createClient({ baseUrl: url, businessId: exported('BUSINESS')!, apiKey: exported('KEY')! });

  const image = new FormData();
  image.append('files', new Blob([readFileSync(join(root, 'src/demo/images/notebook.png'))]), 'notebook.png');
  const { items } = await admin.media.upload(image);
  assert.ok(items[0]!.blurhash);

  const invoice = Buffer.from(await (await admin.businesses.previewInvoice()).arrayBuffer());
  assert.match(invoice.toString('latin1'), /^%PDF-/);

  const [blog] = (await admin.collections.list().take(10)).filter(({ slug }) => slug === 'blog');
  const text = { title: 'Long', body: '<p>word</p><script>1</script>'.repeat(1000) };
  const blocks = Object.entries(text).map(([id, value]) => ({ id, type: 'TEXT' as const, value: { en: value } }));
  const entry = await admin.entries.create({ collectionId: blog!.id, blocks });
  assert.doesNotMatch(JSON.stringify(entry.blocks), /script/);

  const document = await fetch(`${url}/openapi.json`);
  assert.deepEqual(await document.json(), JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')));
  await stop();
});

test('products can be moved with souk export and souk import', options, async () => {
  const { url, exported, stop } = await start({ DATA_DIR: 'catalog' });
  const env = { SOUK: url, BUSINESS: exported('BUSINESS')!, KEY: exported('KEY')! };
  await souk(['export', 'products.csv', '--type', 'products'], env);
  assert.match(readFileSync(join(project, 'products.csv'), 'utf8'), /ceramic-mug/);
  const { stdout } = await souk(['import', 'products.csv', '--type', 'products'], env);
  assert.match(stdout, /^Import \S+: 0 created, 0 updated, [1-9]\d* unchanged, 0 skipped, 0 failed\.$/m);
  const { stdout: whole } = await souk(['export'], env);
  assert.equal(JSON.parse(whole.slice(0, whole.indexOf('\n'))).kind, 'business');
  await assert.rejects(souk(['export', 'none.csv'], { ...env, KEY: 'wrong' }), /responded with 401/);
  assert.equal(existsSync(join(project, 'none.csv')), false);
  await stop();
});

test('the package requires no install scripts, build tools or bundled Node', options, async () => {
  for (const name of ['esbuild', 'preact', 'node', 'typescript']) {
    assert.equal(existsSync(join(project, 'node_modules', name)), false, name);
  }
  const { stdout } = await run('npx', ['souk', '--version'], { cwd: project, env: { PATH, HOME } });
  assert.equal(stdout.trim(), JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
});
