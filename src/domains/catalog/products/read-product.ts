import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { findProductId } from './queries.ts';

/** The product as the caller sees it, with current quantities. */
export async function readProduct(
  ctx: Query,
  { id: idOrSlug, locale }: { id: string; locale?: string | undefined },
): Promise<Versioned<SerializedJson>> {
  const id = await findProductId(ctx.quick, ctx.businessId, idOrSlug, locale);
  const found = id && (await ctx.catalog.responses.one(ctx, id, locale));
  const isVisible = found && (found.status === 'ACTIVE' || may(ctx.caller, ctx.businessId, 'CATALOG_WRITE'));
  if (!isVisible) throw notFound('Product');
  return { record: found.body, version: found.version };
}
