/**
 * The prices that customers were offered, and the lowest price before a reduction, which shops in the EU must show. A reduction begins when
 * its price starts to apply: a further reduction is a new one. A period in which the product is not for sale doesn't end it.
 */
import type { Tx } from '../../../db/sql.ts';
import type { Command } from '../context.ts';
import { statusOf } from '../products/compose.ts';
import type { MarketPrice, Product } from '../products/schemas.ts';
import { insertPriceRows, listPriceRows, type PriceKey, type PriceRow } from './price-queries.ts';

const DAY_SECONDS = 86_400;
const REFERENCE_SECONDS = 30 * DAY_SECONDS;
const KEPT_SECONDS = 400 * DAY_SECONDS;

type Offer = PriceKey & Pick<PriceRow, 'amount' | 'compareAt'>;

const keyOf = ({ variantId, market, currency }: PriceKey) => `${variantId} ${market} ${currency}`;

const isReduced = ({ amount, compareAt }: Pick<PriceRow, 'amount' | 'compareAt'>) =>
  amount !== null && compareAt !== null && compareAt > amount;

const offerOf = (variantId: string, { marketId, currency, price, compareAtPrice }: MarketPrice) => ({
  variantId,
  market: marketId.toLowerCase(),
  currency: currency.toLowerCase(),
  amount: price,
  compareAt: compareAtPrice ?? null,
});

/** The prices that customers see. Products that are not active have none. */
const offersOf = (product: Product | null): Offer[] =>
  product === null || statusOf(product) !== 'ACTIVE'
    ? []
    : product.variants.flatMap(({ id, pricing }) => pricing.markets.map((price) => offerOf(id, price)));

/**
 * The lowest price of the 30 days before the reduction began. If the variant was not for sale then, its last price before that; if it
 * never had another price, its current one. `rows` are the variant's earlier prices in the market, oldest first.
 */
function lowestBefore(
  rows: readonly PriceRow[],
  current: { amount: number; compareAt: number | null },
  now: number,
): number {
  let count = rows.length;
  let begun = now;
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!;
    if (row.amount === null) continue;
    if (row.amount !== current.amount || !isReduced(row)) break;
    begun = row.since;
    count = i;
  }
  const earlier = rows.slice(0, count);
  const untilOf = (i: number) => rows[i + 1]?.since ?? now;
  const amounts = earlier.map(({ amount }) => amount);
  const recent = amounts.filter((amount, i) => amount !== null && untilOf(i) > begun - REFERENCE_SECONDS) as number[];
  if (recent.length > 0) return Math.min(...recent);
  return amounts.findLast((amount) => amount !== null) ?? current.amount;
}

/** Sets `lowestPrice30` where a reduction begins. `history`: earlier prices of a new product, from another system. */
export async function settlePrices(
  ctx: Command,
  before: Product | null,
  after: Product,
  history: readonly PriceRow[] = [],
): Promise<Product> {
  const returns = before !== null && statusOf(after) === 'ACTIVE' && statusOf(before) !== 'ACTIVE';
  const isOpen = (price: MarketPrice) =>
    isReduced(offerOf('', price)) && (returns || price.lowestPrice30 === undefined);
  const keys = after.variants.flatMap(({ id, pricing }) =>
    pricing.markets.filter(isOpen).map((price) => offerOf(id, price)),
  );
  if (keys.length === 0) return after;
  const { businessId, db, now } = ctx;
  const since = returns ? 0 : now - REFERENCE_SECONDS;
  const rows = before === null ? history : await listPriceRows(db, businessId, after.id, { keys, since });
  const rowsByKey = Map.groupBy(rows, keyOf);
  return {
    ...after,
    variants: after.variants.map((variant) => {
      if (!variant.pricing.markets.some(isOpen)) return variant;
      const markets = variant.pricing.markets.map((price) => {
        if (!isOpen(price)) return price;
        const offer = offerOf(variant.id, price);
        return { ...price, lowestPrice30: lowestBefore(rowsByKey.get(keyOf(offer)) ?? [], offer, now) };
      });
      return { ...variant, pricing: { ...variant.pricing, markets } };
    }),
  };
}

/** `changed`: the new and changed offers, and the ended ones without an amount. `replaced`: the offers with a new amount. */
function changedOffers(before: Product | null, after: Product): { changed: Offer[]; replaced: Offer[] } {
  const old = new Map(offersOf(before).map((offer) => [keyOf(offer), offer]));
  const offers = offersOf(after);
  const isSame = (offer: Offer) => {
    const known = old.get(keyOf(offer));
    return known !== undefined && known.amount === offer.amount && known.compareAt === offer.compareAt;
  };
  const kept = new Set(offers.map(keyOf));
  const ended = [...old.values()].filter((offer) => !kept.has(keyOf(offer)));
  return {
    changed: [
      ...offers.filter((offer) => !isSame(offer)),
      ...ended.map((offer) => ({ ...offer, amount: null, compareAt: null })),
    ],
    replaced: offers.filter((offer) => (old.get(keyOf(offer))?.amount ?? offer.amount) !== offer.amount),
  };
}

/**
 * Stores the changed prices, in the transaction of the change. When a price is replaced, its rows that ended more than 400 days ago are
 * deleted.
 */
export async function savePriceChanges(
  { db: tx, now }: { db: Tx; now: number },
  before: Product | null,
  after: Product,
): Promise<void> {
  const { changed, replaced } = changedOffers(before, after);
  if (changed.length === 0) return;
  const rows = changed.map((offer) => ({ ...offer, productId: after.id, since: now }));
  await insertPriceRows(tx, after.businessId, rows, { replaced, before: now - KEPT_SECONDS });
}

type NewProduct = { product: Product; history?: readonly PriceRow[] | undefined };

/** The prices of new products, after their history from another system. */
export async function insertNewPrices(
  { db: tx, businessId, now }: Pick<Command, 'db' | 'businessId' | 'now'>,
  products: readonly NewProduct[],
): Promise<void> {
  const rows = products.flatMap(({ product, history = [] }) => {
    const last = new Map(history.map((row) => [keyOf(row), row]));
    const current = offersOf(product).filter((offer) => {
      const known = last.get(keyOf(offer));
      return known?.amount !== offer.amount || known.compareAt !== offer.compareAt;
    });
    const since = Math.max(now, ...history.map((row) => row.since));
    return [...history, ...current.map((offer) => ({ ...offer, since }))].map((row) => ({
      ...row,
      productId: product.id,
    }));
  });
  if (rows.length > 0) await insertPriceRows(tx, businessId, rows);
}
