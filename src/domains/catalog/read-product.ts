import type { Versioned } from '../../context/index.ts';
import { may } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import type { Query } from './context.ts';
import { findProductId } from './queries.ts';

/** The product as JSON, with the quantities of this moment. */
export async function readProduct(ctx: Query, idOrSlug: string): Promise<Versioned<Buffer>> {
  const id = await findProductId(ctx.quick, ctx.businessId, idOrSlug);
  const found = id && (await ctx.catalog.documents.one(ctx, id));
  const isSeen = found && (found.status === 'ACTIVE' || may(ctx.caller, ctx.businessId, 'CATALOG_WRITE'));
  if (!isSeen) throw notFound('Product');
  return { record: found.json, version: found.version };
}
