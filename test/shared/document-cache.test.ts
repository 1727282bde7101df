import assert from 'node:assert/strict';
import test from 'node:test';
import { createDocumentCache } from '../../src/shared/document-cache.ts';
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
const texts = (docs: Buffer[]) => docs.map((doc) => JSON.parse(String(doc)).text);

test('a version is read once, another version again, and the order is that of the list', async () => {
  const cache = createDocumentCache((json) => json);
  const { rows, reads, read } = table({ id: 'a', version: 1 }, { id: 'b', version: 1 });
  assert.deepEqual(texts(await cache.complete('biz', [...rows], read)), ['a in version 1', 'b in version 1']);
  rows[0]!.version = 2;
  const listed = [rows[1]!, rows[0]!];
  assert.deepEqual(texts(await cache.complete('biz', listed, read)), ['b in version 1', 'a in version 2']);
  await cache.complete('biz', listed, read);
  assert.deepEqual(reads, [['a', 'b'], ['a']]);
});

test('what cannot be read any more is left out', async () => {
  const cache = createDocumentCache((json) => json);
  const { read } = table({ id: 'a', version: 1 });
  const listed = [
    { id: 'gone', version: 1 },
    { id: 'a', version: 1 },
  ];
  assert.deepEqual(texts(await cache.complete('biz', listed, read)), ['a in version 1']);
});

test("another business's record of the same id and version is not taken from memory", async () => {
  const cache = createDocumentCache((json) => json);
  const mine = table({ id: 'a', version: 1 });
  await cache.complete('mine', mine.rows, mine.read);
  assert.deepEqual(await cache.complete('yours', mine.rows, table().read), []);
});

test('memory is bounded: the oldest documents go first', async () => {
  const cache = createDocumentCache((json) => json);
  const rows = Array.from({ length: 100 }, (_, i) => ({ id: String(i), version: 1 }));
  const reads: string[] = [];
  const read = async (ids: readonly string[]) => {
    reads.push(...ids);
    return ids.map((id) => ({ id, version: 1, doc: 'x'.repeat(99_000) }));
  };
  for (const row of [...rows, rows[99]!, rows[0]!]) await cache.complete('biz', [row], read);
  assert.deepEqual(reads, [...rows.map(({ id }) => id), '0']);
});

test('an item of a list carries its ETag, the record itself does not', async () => {
  const cache = createDocumentCache((json) => json);
  const listed = cache.keep('biz', 'a', '3.17', '{"name":"é"}');
  assert.deepEqual(JSON.parse(String(listed)), { name: 'é', etag: '"3.17"' });
  assert.equal(String(recordJson(listed, '3.17')), '{"name":"é"}');
});
