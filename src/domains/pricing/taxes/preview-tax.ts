import { normalizeAddress } from '../../../shared/addresses/index.ts';
import { invalidField } from '../../../shared/errors.ts';
import { getBusiness } from '../../businesses/index.ts';
import { addressOf } from '../addresses/addresses.ts';
import type { Query } from '../context.ts';
import { isSameText } from '../errors.ts';
import { priceCart } from '../pricing.ts';
import type { TaxPreview, TaxPreviewInput } from './preview-schemas.ts';
import { taxesOf } from './taxes.ts';

/** The tax on one item and its shipping, with tax settings that may not be saved yet. */
export async function previewTax(ctx: Query, input: TaxPreviewInput): Promise<TaxPreview> {
  const { market: code, amount, shipping = 0, taxClassId, address, ...settings } = input;
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const market = configs.markets?.find(({ id }) => isSameText(id, code));
  if (!market) throw invalidField('market', 'NOT_FOUND', `Market ${code} does not exist.`);
  const shippingAddress = addressOf(address);
  const { taxMode = 'EXCLUSIVE', taxBps = 0, currency } = market;
  const { tax, taxLines, shippingTax, total } = priceCart({
    lines: [{ productId: '', unitPrice: amount, quantity: 1, taxClassId }],
    taxMode,
    taxes: taxesOf(
      { ...configs, ...settings },
      { id: market.id, taxBps },
      {
        shippingAddress: shippingAddress && normalizeAddress(shippingAddress),
        billingAddress: null,
        pickup: null,
        vatValid: false,
      },
    ),
    shipping: { amount: shipping, taxable: shipping > 0 },
    discounts: [],
    discountedProducts: null,
  });
  return { currency, taxIncluded: taxMode === 'INCLUSIVE', tax, taxLines, shippingTax, total };
}
