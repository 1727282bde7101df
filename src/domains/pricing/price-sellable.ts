/** Prices as much of a cart as possible, for carts that are stored for weeks while products and settings change. */
import type { FieldError } from '../../shared/errors.ts';
import type { Sellable } from '../catalog/index.ts';
import { type CartRequest, type Priced, stockMessage } from './cart.ts';
import type { Steps } from './context.ts';
import { checkWithTax, findFacts, nameVariants } from './quote.ts';

/**
 * `priced` is null if nothing can be sold. `problems` are the errors that a checkout would report for the items and choices of the request.
 */
export async function priceSellable(
  ctx: Steps,
  request: CartRequest,
): Promise<{ priced: Priced | null; problems: FieldError[] }> {
  const facts = await findFacts(ctx, request);
  const problems = findShortages(request, facts.sellables);
  let positions = request.items.map((_, i) => i);
  for (let rest: CartRequest | null = request; rest && rest.items.length > 0; ) {
    const checked = await checkWithTax(ctx, rest, facts);
    if ('priced' in checked) return { priced: checked.priced, problems };
    const named = await nameVariants(ctx, rest, facts.sellables, checked.errors);
    problems.push(...named.map((error) => ({ ...error, field: moveItem(error.field, positions) })));
    const dropped = new Set(checked.errors.map(({ field }) => itemOf(field)));
    positions = positions.filter((_, i) => !dropped.has(i));
    rest = withoutRefused(rest, checked.errors, dropped);
  }
  return { priced: null, problems };
}

const itemOf = (field: string) => Number(/^(?:items|lines)\[(\d+)\]/.exec(field)?.[1] ?? -1);

const moveItem = (field: string, positions: readonly number[]) =>
  field.replace(/^(?:items|lines)\[(\d+)\]/, (_, i: string) => `items[${positions[Number(i)]}]`);

/** The request without the items and choices that were rejected. Null if they can't be left out. */
function withoutRefused(
  request: CartRequest,
  errors: readonly FieldError[],
  dropped: ReadonlySet<number>,
): CartRequest | null {
  const rest = { ...request, items: request.items.filter((_, i) => !dropped.has(i)) };
  for (const { field } of errors) {
    if (itemOf(field) >= 0) continue;
    if (field === 'promoCode') rest.promoCode = null;
    else if (field === 'paymentMethod') rest.paymentMethod = null;
    else if (field === 'shippingMethodId' || field === 'pickupLocationId') rest.shippingMethodId = null;
    else if (field.startsWith('billingAddress')) rest.billingAddress = null;
    else if (field.startsWith('shippingAddress'))
      Object.assign(rest, { shippingAddress: null, shippingMethodId: null });
    else return null;
  }
  return rest;
}

/** A cart reserves no stock. Items that sold out in the meantime are still priced, but reported. */
function findShortages({ items }: CartRequest, sellables: readonly Sellable[]): FieldError[] {
  return items.flatMap(({ productId, variantId, quantity }, i) => {
    const sold = sellables.find((each) => each.productId === productId && each.variantId === variantId);
    if (!sold?.active || !sold.tracked || sold.quantity >= quantity) return [];
    return [{ field: `items[${i}].quantity`, error: 'INSUFFICIENT_STOCK', message: stockMessage(sold.quantity) }];
  });
}
