import type { Db } from '../../../db/sql.ts';
import type { Media } from '../../../shared/schemas.ts';
import { withUnitPrices } from '../prices/unit-price.ts';
import { listProductStates } from '../products/queries.ts';
import type { MarketPrice } from '../products/schemas.ts';
import { withQuantities } from '../products/stored-product.ts';
import { translated } from '../translations/translate.ts';

const sameMarket = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const UNKNOWN_VERSION = -1;

/** The details of a product that an email shows. */
export type ShownProduct = {
  id: string;
  name: string;
  slug: string;
  image: Media | null;
  /** The lowest price in the market. Null if it is not sold there. */
  price: MarketPrice | null;
  /** Whether other variants cost more. */
  hasPriceRange: boolean;
  isAvailable: boolean;
};

/** The active products among `ids`, with their current prices and stock. `marketId`: undefined for the first price. */
export async function listShown(
  db: Db,
  businessId: string,
  ids: readonly string[],
  { locale, marketId }: { locale: string; marketId: string | undefined },
): Promise<ShownProduct[]> {
  if (ids.length === 0) return [];
  const known = [...new Set(ids)].map((id) => ({ id, version: UNKNOWN_VERSION }));
  const states = await listProductStates(db, businessId, known, ['ACTIVE']);
  return states.map(({ id, doc, quantities }) => {
    const product = translated(withQuantities(doc!, quantities), locale);
    const sold = product.variants.map(withUnitPrices).flatMap(({ pricing, inventory }) => {
      const price = pricing.markets.find((each) => marketId === undefined || sameMarket(each.marketId, marketId));
      return price ? [{ price, isAvailable: !inventory.tracked || inventory.quantity > 0 }] : [];
    });
    const [lowest] = sold.map(({ price }) => price).sort((a, b) => a.price - b.price);
    return {
      id,
      name: product.name,
      slug: product.slug,
      image: product.gallery[0] ?? null,
      price: lowest ?? null,
      hasPriceRange: sold.some(({ price }) => price.price > lowest!.price),
      isAvailable: sold.some((each) => each.isAvailable),
    };
  });
}
