import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const path = `/v1/businesses/${businessId}/products` as const;
const { token } = await h.member(businessId, 'CATALOG_WRITE');
const guest = (await h.guest()).token;

for (const product of [
  { name: 'Wool blanket', description: 'Keeps warm. Goes well with a linen shirt.', category: 'home' },
  { name: 'Linen shirt', description: 'Light and airy', category: 'clothing', variants: [{ sku: 'LIN-042-M' }] },
  { name: 'Crème brûlée torch', category: 'Küche', variants: [{ attributes: [{ name: 'fuel', value: 'Butane' }] }] },
  { name: '日本語の急須', description: '南部鉄器' },
  { name: 'Чайник «Ёлка»', description: 'Электрический' },
  { name: 'إبريق شاي', description: 'نحاس' },
  { name: 'हल्दी का डिब्बा' },
  { name: 'กาน้ำชา' },
  { name: 'Hidden linen dress', statuses: [{ status: 'DRAFT' }] },
]) {
  const response = await h.call('POST', path, { token, body: product });
  assert.equal(response.status, 200);
}

const search = async (query: string, more = '', reader = guest): Promise<string[]> => {
  const { status, body } = await h.call('GET', `${path}?query=${encodeURIComponent(query)}${more}`, { token: reader });
  assert.equal(status, 200);
  return body.items.map((item) => item.name);
};

test('matches in the name rank before matches in the description', async () => {
  assert.deepEqual(await search('linen'), ['Linen shirt', 'Wool blanket']);
  assert.deepEqual(await search('LINEN  Shirt!'), ['Linen shirt', 'Wool blanket']);
  assert.deepEqual(await search('linen blanket'), ['Wool blanket']);
  assert.deepEqual(await search('linen', '&category=clothing'), ['Linen shirt']);
});

test('prefixes match, and accents and case are ignored', async () => {
  for (const query of ['cre', 'creme brulee', 'CRÈME BRÛ', 'torch but', 'kuche', 'butane']) {
    assert.deepEqual(await search(query), ['Crème brûlée torch'], query);
  }
});

test('a SKU is found in full and in part', async () => {
  for (const query of ['LIN-042-M', 'lin-042', '042']) assert.deepEqual(await search(query), ['Linen shirt'], query);
});

test('one typo in a word of five letters or more is tolerated; two are not', async () => {
  for (const query of ['shrit', 'shrt', 'shiirt', 'shirz', 'hsirt']) {
    assert.equal((await search(query))[0], 'Linen shirt', query);
  }
  assert.deepEqual(await search('blankte wool'), ['Wool blanket']);
  for (const query of ['srhti', 'wolo', 'blnakte', '024']) assert.deepEqual(await search(query), [], query);
});

test('a typo that happens to be a word of an invisible product is still tolerated', async () => {
  await h.call('POST', path, { token, body: { name: 'Brand Blankt', statuses: [{ status: 'DRAFT' }] } });
  assert.deepEqual(await search('blankt'), ['Wool blanket']);
});

test('names in any script are found', async () => {
  for (const [query, name] of [
    ['急須', '日本語の急須'],
    ['本', '日本語の急須'],
    ['鉄器', '日本語の急須'],
    ['чай', 'Чайник «Ёлка»'],
    ['елка', 'Чайник «Ёлка»'],
    ['чайнкк', 'Чайник «Ёлка»'],
    ['شاي', 'إبريق شاي'],
    ['हल्दी', 'हल्दी का डिब्बा'],
    ['น้ำ', 'กาน้ำชา'],
  ] as const) {
    assert.deepEqual(await search(query), [name], query);
  }
  assert.deepEqual(await search('須急'), []);
});

test('search never finds products that the caller cannot see', async () => {
  assert.deepEqual(await search('hidden'), []);
  assert.deepEqual(await search('hidden', '', token), ['Hidden linen dress']);
  assert.deepEqual(await search('linen dress', '&status=DRAFT'), []);
});

test('hostile queries are treated as plain text', async () => {
  for (const query of [
    "'",
    "a' & !b",
    '\\',
    '!!!',
    '%',
    '_',
    ':*',
    '<->',
    '"',
    '\u200b',
    '😀',
    'x'.repeat(200),
    "linen':*|'",
  ]) {
    await search(query);
  }
  assert.deepEqual(await search("linen' | 'wool"), ['Wool blanket']);
  assert.deepEqual(await search('!!!'), []);
  assert.equal((await h.call('GET', `${path}?query=${'x'.repeat(201)}`, { token: guest })).status, 422);
});

test('a search in another sort order returns only matches', async () => {
  assert.deepEqual(await search('linen', '&sort=name'), ['Linen shirt', 'Wool blanket']);
  assert.deepEqual(await search('linen', '&sort=oldest'), ['Wool blanket', 'Linen shirt']);
  assert.deepEqual(await search('nowhere', '&sort=name'), []);
});

test('changing the text of a product updates the search index', async () => {
  const { body } = await h.call('POST', path, { token, body: { name: 'Quokka' } });
  await h.call('PUT', `${path}/${body.id}`, { token, body: { name: 'Numbat', category: 'home' } });
  assert.deepEqual(await search('quokka'), []);
  assert.deepEqual(await search('numbat', '&category=home'), ['Numbat']);
});

test('a search over many buckets returns every match once, newest windows first, even if some are deleted while paging', async () => {
  const large = await h.business();
  const { body: product } = await h.call('POST', path, { token, body: { name: 'Copied' } });
  await h.pool`
    insert into products (business_id, id, slug, status, category, name_key, created_at, doc)
    select ${large}, 'prod_' || lpad(i::text, 5, '0'), i::text, 'ACTIVE', '', '', created_at, jsonb_set(doc, '{id}', to_jsonb(i::text))
    from products, generate_series(1, 3000) i where id = ${product.id}`;
  // 40 buckets: some single, some in whole blocks. Every product matches, and every seventh ranks higher.
  await h.pool`
    insert into product_search (business_id, product_id, bucket, status, category, words)
    select business_id, id, substr(id, 6)::int / 75, status, category,
      (case when substr(id, 6)::int % 7 = 0 then 'common:1A' else 'common:1D' end)::tsvector
    from products where business_id = ${large}`;
  await h.pool`insert into product_words (business_id, is_code, word) values (${large}, false, 'common')`;
  const seen: number[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await h.call('GET', `/v1/businesses/${large}/products?limit=100&query=common&cursor=${cursor}`, {
      token: guest,
    });
    seen.push(...body.items.map((item) => Number(item.id)));
    if (body.cursor === null) break;
    cursor = body.cursor;
    const deleted = seen.slice(-100, -60).map((id) => `prod_${String(id).padStart(5, '0')}`);
    await h.pool`delete from products where business_id = ${large} and id = any(${deleted})`;
  }
  assert.equal(seen.length, 3000);
  assert.equal(new Set(seen).size, 3000);
  assert.equal(seen[0], 2996);
  assert.ok(seen.slice(0, 18).every((id) => id % 7 === 0 && id > 2850));
});
