/** Bytes of documents that are kept in all, and of one at most. */
const MAX_KEPT = 8_000_000;
const MAX_DOCUMENT = 100_000;

/** What a list reads of a record: enough to take its document from memory. */
type Listed = { id: string; version: number };
type Full<Row> = Row & { doc: Buffer };

/**
 * Remembers the documents of records by version. The document of a version never changes, so that nothing here can be stale:
 * a list reads which versions it shows, and only those documents that it has not seen before.
 */
export function createDocumentCache<Row extends Listed>() {
  const kept = new Map<string, { version: number; doc: Buffer }>();
  let size = 0;

  function keep(key: string, version: number, doc: Buffer): void {
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
   * The rows with their documents, in their order. `read` must look again at whether the caller may see a record: one that was
   * changed since it was listed is as it is now, or left out.
   */
  async function complete(
    businessId: string,
    rows: readonly Row[],
    read: (ids: readonly string[]) => Promise<Full<Row>[]>,
  ): Promise<Full<Row>[]> {
    const known = rows.map((row) => {
      const found = kept.get(`${businessId} ${row.id}`);
      return found?.version === row.version ? { ...row, doc: found.doc } : null;
    });
    const missing = rows.filter((_, i) => known[i] === null).map(({ id }) => id);
    if (missing.length === 0) return known as Full<Row>[];
    const found = new Map<string, Full<Row>>();
    for (const row of await read(missing)) {
      // A copy: bytes as they come from the database are a part of something larger.
      keep(`${businessId} ${row.id}`, row.version, Buffer.from(row.doc));
      found.set(row.id, row);
    }
    return rows.flatMap(({ id }, i) => known[i] ?? found.get(id) ?? []);
  }

  return { complete };
}

export type DocumentCache<Row extends Listed> = ReturnType<typeof createDocumentCache<Row>>;
