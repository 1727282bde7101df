import { invalid, notFound, ServiceError } from '../../../shared/errors.ts';
import { changeRecord } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import type { PriceItem, Variant, VariantPrices } from '../products/schemas.ts';
import { productKind } from '../versions/product-kind.ts';

/** Replaces the prices of a variant. This is an update of its product that changes nothing else. */
export async function setPrices(ctx: Command, { productId, variantId, prices }: PriceItem): Promise<VariantPrices> {
  const locked = await productKind.lock(ctx, productId);
  const position = locked?.record.variants.findIndex(({ id }) => id === variantId) ?? -1;
  if (!locked || position === -1) throw notFound('Variant');
  const { id, variants } = locked.record;
  const changes = { variants: variants.map((variant, i) => toInput(variant, i === position ? prices : undefined)) };
  const { record } = await changeRecord(ctx, { kind: productKind, id, changes }).catch((error) => {
    throw inPrices(error, `variants[${position}].pricing.markets`);
  });
  return { productId: id, variantId, prices: record.variants[position]!.pricing.markets };
}

/** Without `inventory`, a variant keeps its stock. */
const toInput = ({ inventory: _, pricing, ...variant }: Variant, prices = pricing.markets) => ({
  ...variant,
  pricing: { markets: prices },
});

/** Errors name the fields of the bulk item instead of the product's. */
function inPrices(error: unknown, path: string): unknown {
  if (!(error instanceof ServiceError) || error.kind !== 'VALIDATION_FAILED') return error;
  const rename = (text: string) => text.replaceAll(path, 'prices');
  return invalid(
    error.details.map((detail) => ({ ...detail, field: rename(detail.field), message: rename(detail.message) })),
  );
}
