/** Files made to be slow. Every import ends, and every upload is answered, while the main thread stays free. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { casesOf } from '../cases.ts';
import { shareHarness } from '../harness.ts';
import { photo } from '../media/files.ts';
import { poisoned, random } from './poison.ts';
import { fixture, MARKETS, openShop } from './shop.ts';

const h = await shareHarness();
/** `POISON=200 npm run test:thorough` tries more. */
const FILES = casesOf(10, Number(process.env.POISON ?? 30));
/** CPU time of the main thread, for a file that takes other threads seconds. */
const MAIN_MS = 1500;

const TYPES: [RegExp, string][] = [
  [/orders/, 'orders'],
  [/products/, 'products'],
  [/customers/, 'customers'],
  [/posts|entries/, 'entries'],
  [/subscribers|members|mailchimp/, 'subscribers'],
];

const names = readdirSync(new URL('fixtures/', import.meta.url)).filter((name) => !name.includes('cells'));

/** CPU time of this thread. */
async function mainMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function report(name: string, times: number[], results: string[]): void {
  const counts = Object.entries(Object.groupBy(results, (each) => each)).map(([each, all]) => `${each} ${all!.length}`);
  if (process.env.THOROUGH)
    console.log(
      `${name}: ${counts.join(', ')}; main thread at most ${Math.round(Math.max(...times))} ms, ${Math.round(times.reduce((a, b) => a + b, 0) / times.length)} ms on average`,
    );
}

for (const name of names) {
  const type = TYPES.find(([pattern]) => pattern.test(name))![1];
  test(`${FILES} poisoned variants of ${name} are imported or rejected`, { timeout: 1_200_000 }, async () => {
    const shop = await openShop(h, { configs: { markets: MARKETS } });
    const blocks = [
      { id: 'title', type: 'TEXT' },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
    ];
    const { body: blog } = await shop.call('POST', '/collections', { name: 'Blog', type: 'NEWSLETTER', blocks });
    assert.ok(blog.id, JSON.stringify(blog));
    const isBlog = type === 'entries' || type === 'subscribers';
    const query = `type=${type}&${isBlog ? `collectionId=${blog.id}&consent=Form` : 'market=us'}`;
    const [times, results]: [number[], string[]] = [[], []];
    const next = random(name);
    for (let i = 0; i < FILES; i++) {
      const { file, what } = poisoned(fixture(name), name.endsWith('.json'), next);
      const ms = await mainMs(async () => {
        const { status, body } = await shop.post(query, file, name.endsWith('.json') ? 'application/json' : 'text/csv');
        assert.ok([200, 422].includes(status), `${what}: ${status} ${JSON.stringify(body)}`);
        if (status === 422) return results.push(`REJECTED ${body.details?.[0]?.error}`);
        await h.drain('run-import');
        const ended = await shop.get(`/imports/${body.id}`);
        assert.match(ended.status, /^(?:DONE|FAILED)$/, what);
        results.push(ended.status);
      });
      times.push(ms);
      assert.ok(ms < MAIN_MS, `${what}: ${Math.round(ms)} ms`);
    }
    assert.ok(results.includes('DONE'), 'some files are converted');
    report(name, times, results);
  });
}

const SVG =
  '<?xml version="1.0"?><!-- a --><!DOCTYPE svg PUBLIC "x"><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0"/></svg>';
const JPEG = await photo(40, 30);
const UPLOADS: Record<string, Buffer> = {
  svg: Buffer.from(SVG),
  jpeg: JPEG,
  text: Buffer.from('Hello\n'.repeat(50)),
  pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  zip: Buffer.from('504b0304140000000800000021000000000000000000000000000b0000006d696d6574797065', 'hex'),
};

for (const [name, file] of Object.entries(UPLOADS)) {
  test(`${FILES} poisoned variants of an upload of type ${name} are answered`, { timeout: 1_200_000 }, async () => {
    const shop = await openShop(h);
    const [times, results]: [number[], string[]] = [[], []];
    const next = random(name);
    for (let i = 0; i < FILES; i++) {
      const { file: sent, what } = poisoned(file, false, next);
      const form = new FormData();
      form.append('files', new Blob([new Uint8Array(sent)]), 'file');
      const ms = await mainMs(async () => {
        const response = await fetch(`${h.url}/v1/businesses/${shop.businessId}/upload`, {
          method: 'POST',
          headers: { authorization: `Bearer ${shop.token}` },
          body: form,
        });
        assert.ok([200, 422].includes(response.status), `${what}: ${response.status} ${await response.text()}`);
        results.push(String(response.status));
      });
      times.push(ms);
      assert.ok(ms < MAIN_MS, `${what}: ${Math.round(ms)} ms`);
    }
    report(name, times, results);
  });
}
