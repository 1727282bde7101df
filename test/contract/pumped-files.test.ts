/** Sends files with texts that make patterns slow: to every column of every import format, and as uploads of every type. See `pumps.test.ts`. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import test from 'node:test';
import { casesOf } from '../cases.ts';
import { type Json, startHarness } from '../harness.ts';
import { openShop } from '../imports/shop.ts';
import { findSlow, type Pump, pumpsOf } from './pumps.ts';

const h = await startHarness({ TRUST_PROXY: '1' });
const shop = await openShop(h);
const headers = { authorization: `Bearer ${shop.token}` };
const { id: collectionId } = (
  await shop.call('POST', '/collections', {
    name: 'Letters',
    type: 'NEWSLETTER',
    blocks: [
      { id: 'title', type: 'TEXT' },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
    ],
    plans: [{ id: 'free', name: 'Free' }],
    statuses: [{ status: 'PUBLISHED' }],
  })
).body;

const CELL = 60_000;
const files = globSync('test/imports/fixtures/*.{csv,json}').map((path) => ({
  name: basename(path),
  text: readFileSync(path, 'utf8'),
}));
const typeOf = (name: string) =>
  ['products', 'orders', 'customers', 'entries', 'subscribers'].find((type) => name.includes(type)) ??
  (name.includes('posts') ? 'entries' : 'subscribers');
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Reads and writes nothing but the main thread's part of an import: the upload, and a dry run. */
async function runImport(name: string, payload: string): Promise<void> {
  const type = typeOf(name);
  const target: Record<string, string> = {
    products: 'market=us',
    orders: 'market=us',
    entries: `collectionId=${collectionId}`,
    subscribers: `collectionId=${collectionId}&planId=free`,
  };
  const contentType = name.endsWith('.json') ? 'application/json' : 'text/csv';
  const url = `${shop.base}/imports?type=${type}&dryRun=true&${target[type] ?? ''}`;
  const { statusCode, body } = await h.service.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': contentType },
    payload,
  });
  assert.ok(statusCode < 500, `${name}: ${statusCode} ${body.slice(0, 300)}`);
  await h.drain('run-import');
}

/** A file with one row, in which the column has the text. */
function csvWith(file: string, column: number): (text: string) => string {
  const [header = '', row = ''] = file.split('\n');
  const separator = header.split(';').length > header.split(',').length ? ';' : ',';
  const cells = row.split(separator);
  return (text) => `${header}\n${cells.with(Math.min(column, cells.length - 1), quoted(text)).join(separator)}\n`;
}

/** For every string in the value, a function that returns the value with another one in its place. */
function stringsIn(value: Json): ((text: string) => Json)[] {
  if (typeof value === 'string') return [(text) => text as Json];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.length === 0 ? [] : stringsIn(value[0]).map((place) => (text) => value.with(0, place(text)) as Json);
  return Object.keys(value).flatMap((key) =>
    stringsIn(value[key]).map((place) => (text) => ({ ...value, [key]: place(text) })),
  );
}

for (const { name, text } of files) {
  test(`no value in ${name} takes the main thread long`, async () => {
    const places = name.endsWith('.json')
      ? stringsIn(JSON.parse(text)).map((place) => (value: string) => JSON.stringify(place(value)))
      : text
          .split('\n', 1)[0]!
          .split(/[,;]/)
          .map((_, column) => csvWith(text, column));
    const every = casesOf(Math.ceil(places.length / 4), 1);
    const slow: (string | null)[] = [];
    for (const [i, place] of places.entries()) {
      if (i % every !== 0) continue;
      for (const pump of pumpsOf())
        slow.push(
          await findSlow(`${name} ${i}`, pump, CELL, (value) => {
            const file = place(value);
            return () => runImport(name, file);
          }),
        );
    }
    assert.deepEqual(
      slow.filter((each) => each !== null),
      [],
    );
  });
}

const STARTS = {
  svg: '<svg ',
  'svg with a prolog': '<?xml version="1.0"?><!--',
  xml: '<?xml ',
  text: '',
  pdf: '%PDF-1.4\n',
  html: '<!doctype html><',
};

test('no uploaded file takes the main thread long', async () => {
  const slow: (string | null)[] = [];
  const attacks: Pump[] = ['<!---->', '<!-- ', ' ', '<'].map((unit) => ({ unit, tail: 'x' }));
  for (const [type, start] of Object.entries(STARTS)) {
    for (const pump of [...attacks, ...pumpsOf()]) {
      slow.push(
        await findSlow(`upload of ${type}`, pump, 200_000, (text) => {
          const boundary = 'souk-boundary';
          const payload = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a.svg"\r\n\r\n${start}${text}\r\n--${boundary}--\r\n`;
          const form = { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
          return () => h.service.app.inject({ method: 'POST', url: `${shop.base}/upload`, headers: form, payload });
        }),
      );
    }
  }
  assert.deepEqual(
    slow.filter((each) => each !== null),
    [],
  );
});
