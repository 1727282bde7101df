import { prepareTexts } from '../../../shared/blocks/index.ts';
import { invalid } from '../../../shared/errors.ts';
import { readDraft } from '../../publishing/index.ts';
import type { Query } from '../context.ts';
import { richTextsOf } from '../products/compose-texts.ts';
import { publicProductResponse } from '../products/product-responses.ts';
import { compose } from '../products/save-product.ts';
import type { Product, ProductChanges } from '../products/schemas.ts';
import { productKind } from './product-kind.ts';

/** A product with unsaved changes, as customers would see it. Stores nothing. */
export async function previewProductDraft(
  ctx: Query,
  { id, changes }: { id: string; changes: ProductChanges },
): Promise<Product> {
  const { record } = await readDraft<Product>(ctx, { kind: productKind, id });
  const { sanitize } = await prepareTexts(ctx.businessId, changes.blocks, richTextsOf(changes));
  const change = { current: record, id: record.id, changes, caller: ctx.caller, sanitize };
  const { product, errors } = await compose(ctx, change);
  if (errors.length > 0) throw invalid(errors);
  return JSON.parse(publicProductResponse(product, ctx.publicUrl()).toString()) as Product;
}
