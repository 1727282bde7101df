import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { createRecordResponses } from '../../src/shared/records/record-responses.ts';
import { createResponseCache } from '../../src/shared/records/response-cache.ts';
import { readConsistently } from '../../src/shared/records/response-page.ts';
import { asJson, serializerOf } from '../../src/shared/records/serializer.ts';
import { fillTemplate, HOLE, Hole, splitTemplate } from '../../src/shared/records/template.ts';
import { type Caller, NO_FACTORS } from '../../src/shared/security/caller.ts';

type Doc = { text: string; note?: string };
type Row = { id: string; version: number };

const caller = (...businesses: string[]): Caller => ({
  userId: 'usr_me',
  provider: 'EMAIL',
  email: null,
  isGuest: false,
  isConfirmed: true,
  name: '',
  sessionId: null,
  keyId: null,
  factors: NO_FACTORS,
  permissions: new Map(businesses.map((id) => [id, new Set()])),
});
const guest = { caller: caller(), businessId: 'biz' };
const member = { caller: caller('biz'), businessId: 'biz' };

const Public = { text: Type.String() };
const Member = { ...Public, note: Type.Optional(Type.String()) };
const etag = Type.String();
const newResponses = () =>
  createRecordResponses<Doc>(
    {
      'member record': Type.Object(Member),
      'member item': Type.Object({ ...Member, etag }),
      'public record': Type.Object(Public),
      'public item': Type.Object({ ...Public, etag }),
    },
    (doc) => doc,
  );

/** A table of documents that records its reads. */
function table(...rows: Row[]) {
  const reads: string[][] = [];
  const docOf = ({ id, version }: Row) => ({ text: `${id} in version ${version}`, note: 'for members' });
  const read = async (ids: readonly string[]) => {
    reads.push([...ids]);
    return rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, doc: docOf(row) }));
  };
  const find = async (id: string, known: number) => {
    const row = rows.find((each) => each.id === id);
    return row ? { version: row.version, doc: row.version === known ? null : docOf(row) } : null;
  };
  return { rows, reads, read, find };
}
const parsed = (bodies: Buffer[] | null) => bodies?.map((body) => JSON.parse(String(body)));
const texts = (bodies: Buffer[] | null) => parsed(bodies)?.map(({ text }) => text);

test('each version is read once, and results are in the order of the list', async () => {
  const responses = newResponses();
  const { rows, reads, read } = table({ id: 'a', version: 1 }, { id: 'b', version: 1 });
  assert.deepEqual(texts(await responses.page(guest, [...rows], read, false)), ['a in version 1', 'b in version 1']);
  rows[0]!.version = 2;
  const listed = [rows[1]!, rows[0]!];
  assert.deepEqual(texts(await responses.page(guest, listed, read, false)), ['b in version 1', 'a in version 2']);
  await responses.page(guest, listed, read, false);
  assert.deepEqual(reads, [['a', 'b'], ['a']]);
});

test('each audience gets the fields of its schema, even from the cache', async () => {
  const responses = newResponses();
  const { rows, read, find } = table({ id: 'a', version: 3 });
  for (let i = 0; i < 2; i++) {
    const [forGuest] = parsed(await responses.page(guest, rows, read, false))!;
    assert.deepEqual(forGuest, { text: 'a in version 3', etag: '"3"' });
    const [forMember] = parsed(await responses.page(member, rows, read, false))!;
    assert.deepEqual(forMember, { text: 'a in version 3', note: 'for members', etag: '"3"' });
    const one = await responses.one(guest, 'a', (known) => find('a', known));
    assert.deepEqual(JSON.parse(String(one!.body)), { text: 'a in version 3' });
  }
  assert.equal((await responses.one(guest, 'a', (known) => find('a', known)))!.doc, null, 'it is cached');
});

test('a record that can no longer be read is omitted', async () => {
  const { read } = table({ id: 'a', version: 1 });
  const listed = [
    { id: 'gone', version: 1 },
    { id: 'a', version: 1 },
  ];
  assert.deepEqual(texts(await newResponses().page(guest, listed, read, false)), ['a in version 1']);
});

test("another business's record with the same ID and version is not served from the cache", async () => {
  const responses = newResponses();
  const mine = table({ id: 'a', version: 1 });
  await responses.page(guest, mine.rows, mine.read, false);
  assert.deepEqual(await responses.page({ ...guest, businessId: 'yours' }, mine.rows, table().read, false), []);
});

test('a page whose records change before their documents are read is read again until it is consistent', async () => {
  const responses = newResponses();
  const { rows, read } = table({ id: 'a', version: 1 }, { id: 'b', version: 1 });
  await responses.page(guest, [{ id: 'a', version: 1 }], read, false);
  let lists = 0;
  const page = await readConsistently(({ isStrict }) => {
    const listed = rows.map((row) => ({ ...row }));
    if (++lists === 1) for (const row of rows) row.version = 2;
    return responses.page(guest, listed, read, isStrict);
  });
  assert.deepEqual(texts(page), ['a in version 2', 'b in version 2']);
  const busy = await readConsistently(({ isStrict }) => {
    const listed = rows.map((row) => ({ ...row }));
    for (const row of rows) row.version++;
    return responses.page(guest, listed, read, isStrict);
  });
  assert.equal(busy.length, 2, 'constant changes do not prevent a response');
});

test('the cache is bounded: the oldest responses are evicted first, and oversized ones are not cached', () => {
  const cache = createResponseCache();
  const keep = (id: string, bytes: number) =>
    cache.keep('public record', 'biz', id, { body: asJson('x'.repeat(bytes)) });
  const isKept = (id: string) => cache.find('public record', 'biz', id) !== undefined;
  for (let i = 0; i < 100; i++) keep(String(i), 99_000);
  assert.ok(isKept('99'));
  assert.ok(!isKept('0'));
  keep('99', 2_000_000);
  assert.ok(!isKept('99'));
});

test('the holes of a template are filled, whatever its strings contain', () => {
  const schema = Type.Object({ text: Type.String(), count: Hole, any: Type.Unknown(), etag: Hole });
  const text = `"${HOLE}" and \\"${HOLE}\\"`;
  const pieces = splitTemplate(serializerOf(schema)({ text, count: HOLE, any: { [HOLE]: text }, etag: HOLE }));
  assert.equal(pieces.length, 3);
  assert.deepEqual(JSON.parse(String(fillTemplate(pieces, [3, '"1.2"']))), {
    text,
    count: 3,
    any: { [HOLE]: text },
    etag: '"1.2"',
  });
});
