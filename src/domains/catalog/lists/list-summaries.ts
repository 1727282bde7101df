import { showMedia } from '../../../shared/records/show-blocks.ts';
import { may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { listSummaryRows } from '../products/queries.ts';
import type { ProductSummary } from '../products/schemas.ts';

/** The products among `ids` that the caller can see, by ID. */
export async function findSummaries(
  { db, businessId, caller, publicUrl }: Pick<Query, 'db' | 'businessId' | 'caller' | 'publicUrl'>,
  ids: readonly string[],
): Promise<Map<string, ProductSummary>> {
  const rows = await listSummaryRows(db, businessId, [...new Set(ids)], !may(caller, businessId, 'CATALOG_WRITE'));
  return new Map(rows.map((row) => [row.id, { ...row, image: row.image && showMedia(row.image, publicUrl()) }]));
}
