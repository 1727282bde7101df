import type { Versioned } from '../../context/index.ts';
import { may } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import type { Query } from './context.ts';

/** The product as JSON, with the quantities of this moment. */
export async function readProduct(ctx: Query, id: string): Promise<Versioned<Buffer>> {
  const found = await ctx.catalog.documents.one(ctx, id);
  const isSeen = found?.status === 'ACTIVE' || may(ctx.caller, ctx.businessId, 'CATALOG_WRITE');
  if (!found || !isSeen) throw notFound('Product');
  return { record: found.json, version: found.version };
}
