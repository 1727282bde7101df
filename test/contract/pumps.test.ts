/**
 * Sends texts that make patterns slow to every string of every route. The main thread must need about as long as for ordinary text of the
 * same length, in CPU time. `npm run test:thorough` tries every place, with more pumps.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../cases.ts';
import { type Json, startHarness } from '../harness.ts';
import { valid } from './hostile.ts';
import { findSlow, lengthWithin, type Prepare, pumpsOf } from './pumps.ts';
import { createWorld } from './world.ts';

const MANY = '1000000/1000000';
const h = await startHarness({
  PUBLIC_URL: 'https://souk.example',
  ALLOWED_ORIGINS: 'https://shop.example',
  TRUST_PROXY: '1',
  LIMIT_ADDRESS: '1000000',
  LIMIT_MESSAGES: '1000000',
  LIMIT_ACCOUNT_FAILURES: '1000000',
  ...Object.fromEntries(
    ['SMS', 'CHECKOUT', 'SUBSCRIBE', 'QUOTE', 'MAIL', 'WEBHOOK_TEST'].map((name) => [`LIMIT_${name}`, MANY]),
  ),
});
let world = await createWorld(h);
const { app } = h.service;

/** Leaves room for the other fields. */
const BODY_BYTES = 1_048_576 - 5000;
const HEAD_LIMIT = 12_000;
const PARAM_LIMIT = 500;

type Place = { path: (string | number)[]; maxLength: number; isMatched: boolean };

/** The strings in a schema. A value of any type can be a string too. */
function placesIn(schema: Json, path: Place['path'] = []): Place[] {
  if (schema.enum || schema.const !== undefined) return [];
  if (schema.type === 'string')
    return [{ path, maxLength: schema.maxLength, isMatched: 'pattern' in schema || 'format' in schema }];
  const branches: Json[] = schema.anyOf ?? schema.oneOf ?? [];
  if (branches.length > 0) return branches.flatMap((branch) => placesIn(branch, path));
  if (schema.type === undefined && !schema.properties) return [{ path, maxLength: BODY_BYTES, isMatched: false }];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => placesIn(inner as Json, [...path, name])),
    ...(schema.items ? placesIn(schema.items, [...path, 0]) : []),
    ...Object.values(schema.patternProperties ?? {}).flatMap((inner) => placesIn(inner as Json, [...path, 'en'])),
  ];
}

function withText(body: Json, [name, ...rest]: Place['path'], text: string): Json {
  if (name === undefined) return text as Json;
  const copy: Json = typeof name === 'number' ? [...(Array.isArray(body) ? body : [{}])] : { ...body };
  copy[name] = withText(copy[name] ?? {}, rest, text);
  return copy;
}

const operations = app.routeList
  .map(({ method, url, schema }) => ({ method, url, schema: (schema ?? {}) as Json }))
  .filter(({ method, url }) => !/DELETE|HEAD/.test(method) && !/logout|events\/stream|\/dev\//.test(url))
  .sort((a, b) => Number(/password/.test(a.url)) - Number(/password/.test(b.url)));

const bodyOf = ({ method, url, schema }: (typeof operations)[number]): Json =>
  world.samples[`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`]?.[0] ??
  (schema.body ? fc.sample(valid(schema.body, world.known), { seed: 1, numRuns: 1 })[0] : undefined);

const tried = new Set<string>();

/** Whether `npm test` has already tried a field with this name and limit. */
function isRepeated({ path, maxLength = PARAM_LIMIT }: Partial<Place>): boolean {
  const key = `${path?.slice(-2).join('.')} ${maxLength}`;
  const isKnown = tried.has(key);
  tried.add(key);
  return isKnown && casesOf(1, 0) === 1;
}

/** A text for a pattern or format can also be longer than the maximum: it must be measured first. */
const lengthsOf = (place: Omit<Place, 'path'>, limit: number) =>
  new Set([Math.min(place.maxLength, limit), ...(place.isMatched ? [Math.min(65_536, limit)] : [])]);

async function checkRoute(operation: (typeof operations)[number]): Promise<string[]> {
  const { method, url, schema } = operation;
  const name = `${method} ${url}`;
  const known = url
    .split('/')
    .map((part, i, all) => (part.startsWith(':') ? (world.inPaths[all[i - 1]!] ?? 'none') : part));
  const pathWith = (param: string | null, text: string) =>
    url
      .split('/')
      .map((part, i) => (part === param ? encodeURIComponent(text.toWellFormed()) : known[i]))
      .join('/');
  const body = bodyOf(operation);
  const send = (path: string, body: unknown) => {
    const payload = JSON.stringify(body);
    const headers = { ...world.callers.admin, ...(payload ? { 'content-type': 'application/json' } : {}) };
    return async () => {
      const { statusCode } = await app.inject({
        method: method as 'POST',
        url: path,
        headers,
        ...(payload ? { payload } : {}),
      });
      if (statusCode >= 500) failed.add(`${name}: ${statusCode}`);
    };
  };
  const slow: (string | null)[] = [];
  const check = async (place: string, length: number, prepare: Prepare) => {
    for (const pump of pumpsOf()) {
      const most = lengthWithin(pump, BODY_BYTES, JSON.stringify);
      slow.push(await findSlow(`${name} ${place}`, pump, Math.min(length, most), prepare));
    }
  };
  for (const place of placesIn(schema.body ?? {})) {
    const { path } = place;
    if (path.length === 0 || isRepeated(place)) continue;
    for (const length of lengthsOf(place, BODY_BYTES))
      await check(`body.${path.join('.')}`, length, (text) =>
        send(pathWith(null, ''), withText(body ?? {}, path, text)),
      );
  }
  for (const place of placesIn(schema.querystring ?? {})) {
    if (place.path.length === 0 || isRepeated(place)) continue;
    const param = encodeURIComponent(String(place.path[0]));
    for (const length of lengthsOf(place, HEAD_LIMIT))
      await check(`query.${param}`, length, (text) =>
        send(`${pathWith(null, '')}?${param}=${encodeURIComponent(text.toWellFormed())}`, body),
      );
  }
  for (const param of url.split('/').filter((part) => part.startsWith(':') && !isRepeated({ path: [part] })))
    await check(`params${param}`, PARAM_LIMIT, (text) => send(pathWith(param, text), body));
  return slow.filter((each) => each !== null);
}

const failed = new Set<string>();

// Only the time limit of the test file applies.
test('no string in a request takes the main thread long', { timeout: 2 ** 31 - 1 }, async () => {
  const slow: string[] = [];
  for (const operation of operations) {
    if (!(await world.isIntact())) world = await createWorld(h);
    slow.push(...(await checkRoute(operation)));
  }
  assert.deepEqual(slow, []);
  assert.deepEqual([...failed], []);
});
