import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import type { OutboxMessage } from '../../src/providers/outbox.ts';
import { caller, type Json } from '../call.ts';
import { eventually, startService } from '../service.ts';
import { blocksIn, readPage } from './markdown.ts';

const run = promisify(execFile);
const options = { timeout: 120_000 };
const page = readPage('docs/start/tour.md');
const blocks = blocksIn(page, 'sh').map(({ code }) => code);

const folder = mkdtempSync(join(tmpdir(), 'souk-tour-'));
const shop = await startService('start', { PORT: '0', DATA_DIR: join(folder, 'data') });
after(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
});
const { SOUK = '', BUSINESS, KEY = '' } = shop.exports;
const call = caller(SOUK);
const staff = { headers: { 'x-api-key': KEY } };

/** Pastes the blocks into one shell and returns the output of each. */
async function takeTour(env: NodeJS.ProcessEnv, pasted = blocks): Promise<string[]> {
  const place = join(folder, 'place');
  mkdirSync(place, { recursive: true });
  const mark = '--- end of a block ---';
  const script = pasted.map((code) => `${code}\necho '${mark}'\n`).join('');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: place,
    env: { PATH: process.env.PATH, ...env },
  });
  assert.deepEqual(readdirSync(place), []);
  return stdout.split(`${mark}\n`).slice(0, -1);
}

const mails = async (to: string): Promise<Extract<OutboxMessage, { kind: 'mail' }>[]> => {
  const { body } = await call('GET', '/dev/mailbox', { headers: { accept: 'application/json' } });
  return body.items.filter((item: Json) => item.to === to);
};

test('the tour runs as written, from browsing to a paid order and a newsletter', options, async () => {
  const outputs = await takeTour(shop.exports);
  const outputMatching = (words: RegExp): Json => {
    const found = outputs.filter((text) => words.test(text));
    assert.equal(found.length, 1, `${words} in ${outputs.join('\n')}`);
    return found[0];
  };
  assert.equal(JSON.parse(outputMatching(/"items":/)).items.length, 3);

  const quote = JSON.parse(outputMatching(/"id": "quote_/));
  assert.equal(quote.total, quote.subtotal + quote.tax + quote.shipping - quote.discount);
  assert.ok(page.text.includes(`${quote.total} is $${quote.total / 100}`));

  outputMatching(/^PAID\n$/);
  const { body: orders } = await call('GET', `/v1/businesses/${BUSINESS}/orders?limit=1`, staff);
  const [order] = orders.items;
  assert.deepEqual([order!.paymentStatus.at(-1)!.status, order!.statuses.at(-1)!.status], ['PAID', 'PROCESSING']);
  assert.equal(order!.total, quote.total);

  const { id } = JSON.parse(outputMatching(/"name": "Tour mug"/));
  const { body: mug } = await call('GET', `/v1/businesses/${BUSINESS}/products/${id}`, staff);
  assert.equal(mug.variants[0].inventory.quantity, 10);

  assert.ok(outputMatching(/"status": "SENDING"/).includes(`Read it at ${SOUK}/dev/mailbox`));
  const [mail] = await eventually('the newsletter in the mailbox', async () => {
    const found = await mails('you@example.com');
    return found.length > 0 && found;
  });
  assert.equal(mail!.subject, 'Hello you');
  assert.match(mail!.text, /Our first issue\./);
});

test('the tour can be repeated', options, async () => {
  const before = (await mails('you@example.com')).length;
  await takeTour(shop.exports);
  await eventually('another newsletter', async () => (await mails('you@example.com')).length === before + 1);
});

test('a failing tour reports why', options, async () => {
  const words = (env: NodeJS.ProcessEnv, pasted = blocks) =>
    takeTour(env, pasted).then(
      () => assert.fail('The tour did not fail.'),
      (error) => error.stderr,
    );
  assert.match(await words({}), /SOUK: paste the three export lines that npm start printed/);
  assert.match(await words({ ...shop.exports, SOUK: 'http://127.0.0.1:1' }), /Is the service running\?/);
  const withoutPaying = blocks.filter((code) => !code.includes('action=pay'));
  assert.match(await words({ ...shop.exports, KEY: 'souk_wrong' }, withoutPaying), /UNAUTHENTICATED/);
});

test('the demo shop has data of every type', options, async () => {
  const list = async (path: string) => (await call('GET', `/v1/businesses/${BUSINESS}/${path}`, staff)).body.items;
  assert.ok((await list('products?limit=50')).length >= 20);
  assert.ok((await list('orders')).some((order: Json) => order.statuses.at(-1).status === 'SHIPPED'));
  assert.ok((await list('promo-codes')).length > 0);
  const collections: Json[] = await list('collections');
  for (const type of ['COLLECTION', 'NEWSLETTER']) {
    const found = collections.find((collection) => collection.type === type);
    assert.ok(found, `${type} in ${collections.map((each) => each.type)}`);
    assert.ok((await list(`entries?collectionId=${found.id}`)).length > 0);
  }
});
