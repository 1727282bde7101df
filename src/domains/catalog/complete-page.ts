import type { Db } from '../../db/connection.ts';
import { createDocumentCache } from '../../shared/document-cache.ts';
import { createFilling } from './document.ts';
import { type ListedRow, listDocuments } from './queries.ts';

/** The products of a page as JSON, in the order of the rows; one that has left this status meanwhile is left out. */
export function createCompletePage(db: Db) {
  const cache = createDocumentCache<ListedRow>();
  const fill = createFilling();
  return async (businessId: string, rows: readonly ListedRow[], status: string | null): Promise<Buffer[]> => {
    const found = await cache.complete(businessId, rows, (ids) => listDocuments(db, businessId, ids, status));
    return found.map(({ doc, quantities }) => fill(doc, quantities));
  };
}

export type CompletePage = ReturnType<typeof createCompletePage>;
