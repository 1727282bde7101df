import { notFound } from '../../shared/errors.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { saveReferences } from '../media/index.ts';
import type { Command } from './context.ts';
import { deleteProduct as deleteRow, lockProduct } from './queries.ts';

/** Orders that hold it keep their lines. */
export async function deleteProduct(ctx: Command, id: string) {
  const row = await lockProduct(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Product');
  ctx.checkVersion(row.version);
  await deleteRow(ctx.db, ctx.businessId, id);
  await saveReferences(ctx.db, ctx.businessId, `product:${id}`, []);
  return SUCCESS;
}
