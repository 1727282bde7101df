import { SUCCESS } from '../../../shared/schemas.ts';
import { saveReferences } from '../../media/index.ts';
import { lockForChange } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { insertGone } from '../lists/site-queries.ts';
import { saveTranslations } from '../translations/queries.ts';
import { slugsOf } from '../translations/translate.ts';
import { productKind } from '../versions/product-kind.ts';
import { statusOf } from './compose.ts';
import { deleteProduct as deleteRow } from './queries.ts';
import { showProduct } from './show-product.ts';

/** Orders keep their items. A sale since the caller read the product doesn't block the deletion. */
export async function deleteProduct(ctx: Command, idOrSlug: string) {
  const { record, version } = await lockForChange(ctx, productKind, idOrSlug);
  const { id } = record;
  ctx.checkVersion(version);
  await deleteRow(ctx.db, ctx.businessId, id);
  await saveReferences(ctx.db, ctx.businessId, `product:${id}`, []);
  await saveTranslations(ctx.db, ctx.businessId, [{ id }]);
  if (statusOf(record) !== 'DRAFT') {
    const slugs = [record.slug, ...slugsOf(record).map(({ slug }) => slug)];
    await insertGone(ctx.db, ctx.businessId, [...new Set(slugs)]);
  }
  ctx.emit({ type: 'product.deleted', entity: `product:${id}`, data: showProduct(record, ctx.publicUrl()) });
  return SUCCESS;
}
