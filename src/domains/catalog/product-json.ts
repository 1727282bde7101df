import type { Query as BaseQuery, Platform } from '../../context/index.ts';
import { createDocumentCaches } from '../../shared/document-cache.ts';
import { recordJson } from '../../shared/etag.ts';
import { fillDocument } from './document.ts';
import { findProduct, type ListedRow, listDocuments } from './queries.ts';

type Found = { json: Buffer; version: string; status: string };

/** Products as the JSON that is answered. It is put together once for each version and stock. */
export function createProductJson({ broadcast, publicUrl }: Pick<Platform, 'broadcast' | 'publicUrl'>) {
  const caches = createDocumentCaches();
  broadcast.onReset(caches.clear);
  const filled = (doc: string, quantities: string) => fillDocument(doc, quantities, publicUrl());
  return {
    /** Null: there is no such product. */
    async one(ctx: BaseQuery, id: string): Promise<Found | null> {
      const { quick, businessId } = ctx;
      const cache = caches.for(ctx);
      const known = cache.find(businessId, id);
      const row = await findProduct(quick, businessId, id, known?.version);
      if (!row) return null;
      const { version, status, quantities, doc } = row;
      const listed = doc === null ? known!.doc : cache.keep(businessId, id, version, filled(doc, quantities ?? '{}'));
      return { json: recordJson(listed, version), version, status };
    },
    /** Those of a page, in the order of the rows; one that is in none of these statuses any more is left out. */
    page(
      ctx: BaseQuery,
      rows: readonly ListedRow[],
      statuses: readonly string[] | null,
      isStrict: boolean,
    ): Promise<Buffer[] | null> {
      const { quick, businessId } = ctx;
      const read = async (ids: readonly string[]) => {
        const found = await listDocuments(quick, businessId, ids, statuses);
        return found.map((row) => ({ ...row, doc: filled(row.doc, row.quantities) }));
      };
      return caches.for(ctx).complete(businessId, rows, read, isStrict);
    },
  };
}
