import { type Db, inTransaction } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { type FieldError, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { existingProducts, listSellables, type Sellable } from '../catalog/index.ts';
import { checkSettled, judgeBasket, type Priced, same, type Wanted } from './basket.ts';
import type { OrdersContext } from './context.ts';
import { findPromoByCode } from './promo-queries.ts';
import { findQuote, insertQuote } from './queries.ts';
import type { ItemInput, Quote, QuoteInput } from './schemas.ts';

const QUOTE_SECONDS = 900;

/** What a basket costs now. The price is kept for a while, so that a checkout which names it pays no other. */
export async function quote(ctx: OrdersContext, caller: Caller, input: QuoteInput): Promise<Quote> {
  const { deps } = ctx;
  const priced = await priceWanted(ctx, caller, input.businessId, {
    ...input,
    ...itemsOf(input),
    promoCode: promoCodeOf(input),
    forCheckout: false,
  });
  const { subtotal, tax, taxBps, shipping, discount, total, currency, lines, promoCode } = priced;
  const id = newId('quote');
  const expiresAt = deps.clock.seconds() + QUOTE_SECONDS;
  await inTransaction(deps.pool, (tx) => insertQuote(tx, { businessId: input.businessId, id, doc: priced, expiresAt }));
  return { id, lines, subtotal, tax, taxBps, shipping, discount, total, currency, promoCode, expiresAt };
}

/** Reads what the price depends on, and prices. Raises 422 with everything that is wrong. */
export async function priceWanted(
  { deps, businesses }: OrdersContext,
  caller: Caller,
  businessId: string,
  wanted: Wanted,
): Promise<Priced> {
  const [{ configs }, sellables, promo] = await Promise.all([
    businesses.get(businessId),
    listSellables(deps.quick, businessId, wanted.items),
    wanted.promoCode === null
      ? null
      : findPromoByCode(deps.pool, businessId, wanted.promoCode.toLowerCase(), caller.userId),
  ]);
  const verdict = judgeBasket(wanted, {
    configs,
    sellables,
    promo: promo && { ...promo, ...promo.doc },
    nowSeconds: deps.clock.seconds(),
  });
  if ('errors' in verdict) throw invalid(await blameVariants(deps.pool, businessId, wanted, sellables, verdict.errors));
  return verdict.priced;
}

/** Where the product is there and the variant is not, the error is the variant's. */
async function blameVariants(
  db: Db,
  businessId: string,
  { items, field }: Wanted,
  sellables: readonly Sellable[],
  errors: FieldError[],
): Promise<FieldError[]> {
  const unknown = items.filter(
    (item) => !sellables.some((each) => each.productId === item.productId && each.variantId === item.variantId),
  );
  if (unknown.length === 0) return errors;
  const ids = unknown.map((item) => item.productId);
  const existing = new Set(await existingProducts(db, businessId, ids));
  const blamed = new Set(unknown.filter((item) => existing.has(item.productId)));
  return errors.map((error) => {
    const item = items[Number(/\[(\d+)\]\.productId$/.exec(error.field)?.[1] ?? -1)];
    return item && blamed.has(item) ? { ...error, field: `${field}[${items.indexOf(item)}].variantId` } : error;
  });
}

/** The price of a quote that is still good and was made for exactly this. */
export async function honourQuote(
  { deps, businesses }: OrdersContext,
  businessId: string,
  quoteId: string,
  wanted: Wanted,
): Promise<Priced> {
  const found = await findQuote<Priced>(deps.pool, businessId, quoteId);
  if (!found) throw invalidField('quoteId', 'NOT_FOUND', 'There is no such quote.');
  if (found.expiresAt <= deps.clock.seconds()) {
    throw invalidField('quoteId', 'QUOTE_EXPIRED', 'This quote has expired.');
  }
  const { doc } = found;
  const fits =
    same(doc.market, wanted.market) &&
    (!wanted.currency || same(doc.currency, wanted.currency)) &&
    (!wanted.shippingMethodId || doc.shippingMethodId === wanted.shippingMethodId) &&
    (wanted.promoCode === null || same(doc.promoCode ?? '', wanted.promoCode)) &&
    isSameBasket(doc.lines, wanted.items);
  if (!fits) throw invalidField('quoteId', 'QUOTE_MISMATCH', 'This quote was made for something else.');
  const errors = checkSettled(doc, wanted, (await businesses.get(businessId)).configs);
  if (errors.length > 0) throw invalid(errors);
  return doc;
}

type Item = Pick<ItemInput, 'productId' | 'variantId' | 'quantity'>;

function isSameBasket(a: readonly Item[], b: readonly Item[]): boolean {
  const key = (items: readonly Item[]) => {
    const sums = new Map<string, number>();
    for (const { productId, variantId, quantity } of items) {
      const at = `${productId} ${variantId}`;
      sums.set(at, (sums.get(at) ?? 0) + quantity);
    }
    return JSON.stringify([...sums].sort());
  };
  return key(a) === key(b);
}

type WithItems = { items?: ItemInput[]; lines?: ItemInput[] };

export function itemsOf({ items, lines }: WithItems): { items: ItemInput[]; field: 'items' | 'lines' } {
  if (items) return { items, field: 'items' };
  if (lines) return { items: lines, field: 'lines' };
  throw invalidField('items', 'REQUIRED', 'items is required.');
}

export const promoCodeOf = ({ promoCode }: { promoCode?: string | null }) => promoCode?.trim() || null;
