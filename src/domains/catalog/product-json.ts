import type { Query as BaseQuery, Platform } from '../../context/index.ts';
import { createDocumentCache } from '../../shared/document-cache.ts';
import { withAddresses } from '../../shared/own-addresses.ts';
import { fillDocument } from './document.ts';
import { findProduct, type ListedRow, listDocuments, stampOf } from './queries.ts';

/** Products as the JSON that is answered. It is put together once for each version and stock. */
export function createProductJson({ broadcast, publicUrl }: Pick<Platform, 'broadcast' | 'publicUrl'>) {
  const filled = (doc: string, quantities: string) => withAddresses(fillDocument(doc, quantities), publicUrl());
  const cache = createDocumentCache<string>();
  broadcast.onReset(cache.clear);
  return {
    /** Null: there is no such product. */
    async one(
      { quick, businessId }: BaseQuery,
      id: string,
    ): Promise<{ json: Buffer; version: number; status: string } | null> {
      const known = cache.find(businessId, id);
      const row = await findProduct(quick, businessId, id, known?.version);
      if (!row) return null;
      const { version, status, quantities, doc } = row;
      const json = doc ? cache.keep(businessId, id, stampOf(row), filled(doc, quantities)) : known!.doc;
      return { json, version, status };
    },
    /** Those of a page, in the order of the rows; one that has left this status meanwhile is left out. */
    page: ({ quick, businessId }: BaseQuery, rows: readonly ListedRow[], status: string | null): Promise<Buffer[]> =>
      cache.complete(businessId, rows.map(stamped), async (ids) => {
        const found = await listDocuments(quick, businessId, ids, status);
        return found.map((row) => ({ ...stamped(row), doc: filled(row.doc, row.quantities) }));
      }),
  };
}

const stamped = (row: ListedRow) => ({ id: row.id, version: stampOf(row) });

export type ProductJson = ReturnType<typeof createProductJson>;
