import { notFound } from '../../shared/errors.ts';
import { answered } from '../../shared/own-addresses.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { saveReferences } from '../media/index.ts';
import type { Command } from './context.ts';
import { parseDocument } from './document.ts';
import { deleteProduct as deleteRow, findProductId, lockProduct } from './queries.ts';

/** Orders that hold it keep their lines. A sale since the read is no reason against it. */
export async function deleteProduct(ctx: Command, idOrSlug: string) {
  const id = await findProductId(ctx.db, ctx.businessId, idOrSlug);
  const row = id && (await lockProduct(ctx.db, ctx.businessId, id));
  if (!id || !row) throw notFound('Product');
  ctx.checkVersion(row.version);
  await deleteRow(ctx.db, ctx.businessId, id);
  await saveReferences(ctx.db, ctx.businessId, `product:${id}`, []);
  const data = answered(parseDocument(row.doc, row.quantities), ctx.publicUrl());
  await ctx.emit({ type: 'product.deleted', entity: `product:${id}`, data });
  return SUCCESS;
}
