/** Bytes of documents that are kept in all, and of one at most. */
const MAX_KEPT = 4_000_000;
const MAX_DOCUMENT = 100_000;

/** What a list reads of a record: enough to take its document from memory. */
type Listed = { id: string; version: number | string };

/**
 * Remembers the documents of records by version. The document of a version never changes, so that nothing here can be stale:
 * a list reads which versions it shows, and only those documents that it has not seen before.
 */
export function createDocumentCache() {
  const kept = new Map<string, { version: number | string; doc: Buffer }>();
  let size = 0;

  function keep(key: string, version: number | string, doc: Buffer): void {
    if (doc.length > MAX_DOCUMENT) return;
    size += doc.length - (kept.get(key)?.doc.length ?? 0);
    kept.delete(key);
    kept.set(key, { version, doc });
    for (const [oldest, { doc: dropped }] of kept) {
      if (size <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= dropped.length;
    }
  }

  /**
   * The documents of these records, in their order. `read` must look again at whether the caller may see a record: one that
   * was changed since it was listed is as it is now, or left out.
   */
  async function complete(
    businessId: string,
    records: readonly Listed[],
    read: (ids: readonly string[]) => Promise<(Listed & { doc: Buffer })[]>,
  ): Promise<Buffer[]> {
    const known = records.map(({ id, version }) => {
      const found = kept.get(`${businessId} ${id}`);
      return found?.version === version ? found.doc : null;
    });
    const missing = records.filter((_, i) => known[i] === null).map(({ id }) => id);
    if (missing.length === 0) return known as Buffer[];
    const found = new Map<string, Buffer>();
    for (const { id, version, doc } of await read(missing)) {
      // A copy: bytes as they come from the database are a part of something larger.
      keep(`${businessId} ${id}`, version, Buffer.from(doc));
      found.set(id, doc);
    }
    return records.flatMap(({ id }, i) => known[i] ?? found.get(id) ?? []);
  }

  return { complete };
}

export type DocumentCache = ReturnType<typeof createDocumentCache>;
