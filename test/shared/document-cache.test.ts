import assert from 'node:assert/strict';
import test from 'node:test';
import { createDocumentCache, inOneMoment } from '../../src/shared/document-cache.ts';
import { recordJson } from '../../src/shared/etag.ts';

type Row = { id: string; version: number };

/** A table of documents, and what was read of it. */
function table(...rows: Row[]) {
  const reads: string[][] = [];
  const read = async (ids: readonly string[]) => {
    reads.push([...ids]);
    return rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, doc: textOf(row) }));
  };
  return { rows, reads, read };
}
const textOf = ({ id, version }: Row) => JSON.stringify({ text: `${id} in version ${version}` });
const texts = (docs: Buffer[] | null) => docs?.map((doc) => JSON.parse(String(doc)).text);

test('a version is read once, another version again, and the order is that of the list', async () => {
  const cache = createDocumentCache((json) => json);
  const { rows, reads, read } = table({ id: 'a', version: 1 }, { id: 'b', version: 1 });
  assert.deepEqual(texts(await cache.complete('biz', [...rows], read, false)), ['a in version 1', 'b in version 1']);
  rows[0]!.version = 2;
  const listed = [rows[1]!, rows[0]!];
  assert.deepEqual(texts(await cache.complete('biz', listed, read, false)), ['b in version 1', 'a in version 2']);
  await cache.complete('biz', listed, read, false);
  assert.deepEqual(reads, [['a', 'b'], ['a']]);
});

test('what cannot be read any more is left out', async () => {
  const cache = createDocumentCache((json) => json);
  const { read } = table({ id: 'a', version: 1 });
  const listed = [
    { id: 'gone', version: 1 },
    { id: 'a', version: 1 },
  ];
  assert.deepEqual(texts(await cache.complete('biz', listed, read, false)), ['a in version 1']);
});

test("another business's record of the same id and version is not taken from memory", async () => {
  const cache = createDocumentCache((json) => json);
  const mine = table({ id: 'a', version: 1 });
  await cache.complete('mine', mine.rows, mine.read, false);
  assert.deepEqual(await cache.complete('yours', mine.rows, table().read, false), []);
});

test('a page that was changed between its list and its documents is listed again, until it is of one moment', async () => {
  const cache = createDocumentCache((json) => json);
  const { rows, read } = table({ id: 'a', version: 1 }, { id: 'b', version: 1 });
  await cache.complete('biz', [{ id: 'a', version: 1 }], read, false);
  let lists = 0;
  const page = await inOneMoment((isStrict) => {
    const listed = rows.map((row) => ({ ...row }));
    if (++lists === 1) for (const row of rows) row.version = 2;
    return cache.complete('biz', listed, read, isStrict);
  });
  assert.deepEqual(texts(page), ['a in version 2', 'b in version 2']);
  const busy = await inOneMoment((isStrict) => {
    const listed = rows.map((row) => ({ ...row }));
    for (const row of rows) row.version++;
    return cache.complete('biz', listed, read, isStrict);
  });
  assert.equal(busy.length, 2, 'under a stream of changes there is an answer all the same');
});

test('memory is bounded: the oldest documents go first', async () => {
  const cache = createDocumentCache((json) => json);
  const rows = Array.from({ length: 100 }, (_, i) => ({ id: String(i), version: 1 }));
  const reads: string[] = [];
  const read = async (ids: readonly string[]) => {
    reads.push(...ids);
    return ids.map((id) => ({ id, version: 1, doc: 'x'.repeat(99_000) }));
  };
  for (const row of [...rows, rows[99]!, rows[0]!]) await cache.complete('biz', [row], read, false);
  assert.deepEqual(reads, [...rows.map(({ id }) => id), '0']);
});

test('an item of a list carries its ETag, the record itself does not', async () => {
  const cache = createDocumentCache((json) => json);
  const listed = cache.keep('biz', 'a', '3.17', '{"name":"é"}');
  assert.deepEqual(JSON.parse(String(listed)), { name: 'é', etag: '"3.17"' });
  assert.equal(String(recordJson(listed, '3.17')), '{"name":"é"}');
});
