import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../../src/shared/ids.ts';
import { createCursors, PAGE_BYTES } from '../../src/shared/paging.ts';
import { createOrigins, type OriginRules } from '../../src/shared/security/origins.ts';
import { deriveKey, seal, unseal } from '../../src/shared/security/secrets.ts';

test('IDs have their prefix, increase strictly and never repeat', () => {
  const ids = Array.from({ length: 50_000 }, () => newId('prod'));
  assert.match(ids[0]!, /^prod_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), ids);
});

test('a page has a cursor if and only if there is another page, and the cursor points to it', () => {
  const cursors = createCursors(Buffer.alloc(32));
  const numbers = Array.from({ length: 7 }, (_, i) => i);
  const seen: number[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const [after = -1] = (cursors.decode('numbers', cursor) ?? []) as number[];
    const rows = numbers.filter((n) => n > after).slice(0, 3 + 1);
    const page = cursors.page(
      'numbers',
      rows,
      3,
      (n) => [n],
      (n) => n * 10,
    );
    seen.push(...page.items);
    cursor = page.cursor;
    pages++;
  } while (cursor !== null);
  assert.deepEqual(seen, [0, 10, 20, 30, 40, 50, 60]);
  assert.equal(pages, 3);
  assert.equal(
    cursors.page(
      'numbers',
      [1, 2, 3],
      3,
      (n) => [n],
      (n) => n,
    ).cursor,
    null,
  );
  assert.deepEqual(
    cursors.page(
      'numbers',
      [] as number[],
      3,
      (n) => [n],
      (n) => n,
    ),
    { items: [], cursor: null },
  );
});

test('a page of large rows ends before the row that exceeds the byte limit, but has at least one row', () => {
  const cursors = createCursors(Buffer.alloc(32));
  const pageOf = (sizes: number[], limit: number) =>
    cursors.page(
      'sizes',
      sizes,
      limit,
      (size) => [size],
      (size) => size,
      (size) => size,
    );
  const half = PAGE_BYTES / 2;
  const page = pageOf([half, half, 1], 10);
  assert.deepEqual(page.items, [half, half]);
  assert.deepEqual(cursors.decode('sizes', page.cursor), [half]);
  assert.deepEqual(pageOf([PAGE_BYTES * 3, 1], 10).items, [PAGE_BYTES * 3]);
  assert.equal(pageOf([half, half], 10).cursor, null);
  assert.equal(pageOf([1, 2, 3], 2).items.length, 2);
});

test('a secret can be decrypted only with its own key and in its own row', () => {
  const key = deriveKey('master', 'providers');
  const sealed = seal(key, 'sk_live_1', 'biz_1');
  assert.equal(unseal(key, sealed, 'biz_1'), 'sk_live_1');
  assert.doesNotMatch(sealed, /sk_live/);
  assert.notEqual(seal(key, 'sk_live_1', 'biz_1'), sealed);
  assert.throws(() => unseal(key, sealed, 'biz_2'));
  assert.throws(() => unseal(deriveKey('master', 'cursors'), sealed, 'biz_1'));
  const flipped = sealed.replace(/.(?=.{5}$)/, (character) => (character === 'A' ? 'B' : 'A'));
  assert.throws(() => unseal(key, flipped, 'biz_1'));
  assert.throws(() => unseal(key, 'plain', 'biz_1'));
});

const rules = (given: Partial<OriginRules>) =>
  createOrigins({
    allowed: null,
    redirects: [],
    production: false,
    publicUrl: () => 'http://localhost:3000',
    ...given,
  });
const LOOKALIKES = [
  'https://shop.example.evil.example',
  'https://shop.example@evil.example',
  'https://evil.example/https://shop.example',
  'https://evil.example\\@shop.example',
  'https://shop.example:444',
  'http://shop.example',
  '//shop.example',
  'https:/\\evil.example',
  'javascript:alert(1)//https://shop.example',
  ' javascript:alert(1)',
  'https://user:pass@shop.example',
  '',
];

test('links point only to allowed origins; lookalikes, other schemes and credentials are rejected', () => {
  const { linkBase, isOAuthOrigin } = rules({ allowed: ['https://shop.example'] });
  assert.equal(linkBase('https://shop.example/base')?.href, 'https://shop.example/base');
  assert.equal(linkBase('shop.example')?.href, 'https://shop.example/');
  assert.equal(isOAuthOrigin('https://shop.example/login'), true);
  for (const text of LOOKALIKES) {
    assert.equal(linkBase(text), null, text);
    assert.equal(isOAuthOrigin(text), false, text);
  }
});

test('without a list, links can point to any URL in development, and only to the service itself in production', () => {
  const development = rules({});
  assert.ok(development.linkBase('http://localhost:5173'));
  assert.equal(development.linkBase('javascript:alert(1)'), null);
  assert.equal(development.isOAuthOrigin('http://localhost:5173'), false);
  const production = rules({ production: true });
  assert.equal(production.linkBase('http://localhost:5173'), null);
  assert.ok(production.linkBase('http://localhost:3000/x'));
});

test('an OAuth redirect must be on an allowed origin, or at or under an allowed URL', () => {
  const { isOAuthRedirect } = rules({
    allowed: ['https://shop.example'],
    redirects: ['https://app.example/callback', 'myapp://done'],
  });
  for (const text of [
    'https://shop.example/any',
    'https://app.example/callback',
    'https://app.example/callback/x?a=b',
    'myapp://done',
  ])
    assert.equal(isOAuthRedirect(text), true, text);
  for (const text of [
    ...LOOKALIKES,
    'https://app.example/callbackevil',
    'https://app.example/callback/../evil',
    'https://app.example/',
    'https://app.example.evil.example/callback',
    'myapp://done/more',
  ]) {
    assert.equal(isOAuthRedirect(text), false, text);
  }
});

test('without a list, any origin can call in development and only the service’s own origin in production; a list applies in both', () => {
  const origins = (allowed: string[] | null, production: boolean) =>
    createOrigins({ allowed, redirects: [], production, publicUrl: () => 'https://souk.example' });
  assert.ok(origins(null, false).mayCall('http://localhost:5173'));
  assert.ok(!origins(null, true).mayCall('http://localhost:5173'));
  assert.ok(origins(null, true).mayCall('https://souk.example'));
  assert.ok(!origins(['https://shop.example'], false).mayCall('http://localhost:5173'));
  assert.ok(!origins(null, false).isOAuthOrigin('http://localhost:5173'), 'OAuth always requires the list');
});
