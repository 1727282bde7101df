import type { Pool } from '../../db/connection.ts';
import { fillDocument } from './document.ts';
import { listDocuments } from './queries.ts';

/** What a list reads of a product: enough to take the rest from memory. */
export type ListedRow = { id: string; version: number; quantities: string };

/** Characters that are kept in all, and of one document at most. */
const MAX_KEPT = 16_000_000;
const MAX_DOCUMENT = 100_000;

/**
 * Remembers documents by product and version. The text of a version never changes, so that nothing here can be stale: a list
 * reads which versions it shows, and only the texts it has not seen before.
 */
export function createDocumentCache(pool: Pool) {
  const kept = new Map<string, { version: number; doc: string }>();
  let size = 0;

  function keep(key: string, version: number, doc: string): void {
    if (doc.length > MAX_DOCUMENT) return;
    size += doc.length - (kept.get(key)?.doc.length ?? 0);
    kept.delete(key);
    kept.set(key, { version, doc });
    for (const [oldest, { doc: text }] of kept) {
      if (size <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= text.length;
    }
  }

  /** The products as JSON texts, in the order of the rows; one that was deleted meanwhile is left out. */
  return async function complete(businessId: string, rows: readonly ListedRow[]): Promise<string[]> {
    const texts = rows.map(({ id, version, quantities }) => {
      const known = kept.get(`${businessId} ${id}`);
      return known?.version === version ? fillDocument(known.doc, quantities) : null;
    });
    const missing = rows.filter((_, i) => texts[i] === null).map(({ id }) => id);
    if (missing.length === 0) return texts as string[];
    const found = new Map<string, string>();
    for (const { id, version, doc, quantities } of await listDocuments(pool, businessId, missing)) {
      keep(`${businessId} ${id}`, version, doc);
      found.set(id, fillDocument(doc, quantities));
    }
    return rows.map(({ id }, i) => texts[i] ?? found.get(id)).filter((text) => text !== undefined);
  };
}

export type CompleteDocuments = ReturnType<typeof createDocumentCache>;
