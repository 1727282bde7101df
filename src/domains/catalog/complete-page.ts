import type { Db } from '../../db/connection.ts';
import { createDocumentCache } from '../../shared/document-cache.ts';
import { fillDocument } from './document.ts';
import { type ListedRow, listDocuments } from './queries.ts';

/** The products of a page as JSON, in the order of the rows; one that has left this status meanwhile is left out. */
export function createCompletePage(db: Db) {
  const cache = createDocumentCache();
  return (businessId: string, rows: readonly ListedRow[], status: string | null): Promise<Buffer[]> =>
    cache.complete(businessId, rows.map(withStock), async (ids) => {
      const found = await listDocuments(db, businessId, ids, status);
      return found.map((row) => ({ ...withStock(row), doc: fillDocument(row.doc, row.quantities) }));
    });
}

/** A product that was sold is answered with another stock, though it was not changed. */
const withStock = ({ id, version, quantities }: ListedRow) => ({ id, version: `${version} ${quantities}` });

export type CompletePage = ReturnType<typeof createCompletePage>;
