import { notFound } from '../../../shared/errors.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { categoryTerm } from '../facets/terms.ts';
import { findProduct, findProductId } from '../products/queries.ts';
import { listInOrder, listSharing } from './related-queries.ts';

const DEFAULT_LIMIT = 4;
const VISIBLE = ['ACTIVE'];

type Input = { id: string; limit?: number | undefined; locale?: string | undefined };

/** The related products chosen by staff, in their order, then the products that share the most categories, newest first. */
export async function listRelated(ctx: Query, { id: idOrSlug, limit, locale }: Input): Promise<Page<SerializedJson>> {
  const { db, replica, businessId } = ctx;
  const id = await findProductId(db, businessId, idOrSlug, locale);
  const found = id && (await findProduct(db, businessId, id));
  const isVisible = found && (found.row.status === 'ACTIVE' || may(ctx.caller, businessId, 'CATALOG_WRITE'));
  if (!isVisible) throw notFound('Product');
  const count = pageLimit(limit ?? DEFAULT_LIMIT);
  const { relatedIds, categoryIds } = found.product;
  const chosen = await listInOrder(replica, businessId, relatedIds, VISIBLE);
  const others =
    chosen.length < count && categoryIds.length > 0
      ? await listSharing(
          replica,
          businessId,
          categoryIds.map(categoryTerm),
          [id, ...relatedIds],
          count - chosen.length,
        )
      : [];
  const rows = [...chosen, ...others].slice(0, count);
  const options = { statuses: VISIBLE, isStrict: false, locale };
  return { items: (await ctx.catalog.responses.page(ctx, rows, options))!, cursor: null };
}
