/** Sale prices with dates, from imports: each start and end is a task that changes one price. */
import { saveRecord } from '../../publishing/index.ts';
import type { Command, Steps } from '../context.ts';
import { composePrices } from '../products/compose-variants.ts';
import type { Product } from '../products/schemas.ts';
import { productKind } from '../versions/product-kind.ts';

export const CHANGE_PRICE = 'change-price';

/** A sale that starts or ends in the future. `variant` is the position of the variant. */
export type Sale = {
  variant: number;
  marketId: string;
  price: number;
  regularPrice: number;
  /** Null if the sale has started. */
  startsAt: number | null;
  /** Null if the sale doesn't end. */
  endsAt: number | null;
};

export type PriceChange = { productId: string; variantId: string; marketId: string; from: Amounts; to: Amounts };
type Amounts = { price: number; compareAtPrice?: number };

export async function scheduleSale(ctx: Command, { id, variants }: Product, sale: Sale): Promise<void> {
  const { marketId, price, regularPrice, startsAt, endsAt } = sale;
  const variantId = variants[sale.variant]!.id;
  const regular = { price: regularPrice };
  const reduced = { price, compareAtPrice: regularPrice };
  const change = { productId: id, variantId, marketId };
  const schedule = (at: number, from: Amounts, to: Amounts) =>
    ctx.enqueue(CHANGE_PRICE, { ...change, from, to } satisfies PriceChange, {
      startAfterSeconds: at - ctx.now,
      // The same file can be imported again.
      cause: [id, variantId, marketId, at, from.price, to.price].join(' '),
    });
  if (startsAt !== null) await schedule(startsAt, regular, reduced);
  if (endsAt !== null) await schedule(endsAt, reduced, regular);
}

/** Has no effect if the price was changed in the meantime. */
export async function changePrice(
  ctx: Steps,
  { productId, variantId, marketId, from, to }: PriceChange,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const stored = await productKind.lock(tx, productId);
    if (!stored) return;
    const variants = stored.record.variants.map((variant) => {
      if (variant.id !== variantId) return variant;
      const markets = variant.pricing.markets.map(({ compareAtPrice, ...rest }) => {
        const isExpected =
          rest.marketId === marketId && rest.price === from.price && compareAtPrice === from.compareAtPrice;
        return isExpected
          ? { ...rest, ...to }
          : { ...rest, ...(compareAtPrice === undefined ? {} : { compareAtPrice }) };
      });
      return { ...variant, pricing: { ...variant.pricing, markets: composePrices(markets, variant.pricing.markets) } };
    });
    const record = { ...stored.record, variants, updatedAt: tx.now };
    await saveRecord(tx, productKind, stored, { record, words: null }, { action: 'UPDATED', userId: null });
  });
}
