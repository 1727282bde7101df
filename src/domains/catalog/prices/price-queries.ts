import type { Db, Tx } from '../../../db/sql.ts';

/** Market and currency are in lower case. */
export type PriceKey = { variantId: string; market: string; currency: string };
/** Valid from `since` until the next row of the same key. A null `amount` means not for sale. */
export type PriceRow = PriceKey & { amount: number | null; compareAt: number | null; since: number };

const columnsOf = (keys: readonly PriceKey[]) =>
  [
    keys.map(({ variantId }) => variantId),
    keys.map(({ market }) => market),
    keys.map(({ currency }) => currency),
  ] as const;

/** Rows of these keys, oldest first: those after `since`, and the price before them. */
export function listPriceRows(
  db: Db,
  businessId: string,
  productId: string,
  { keys, since }: { keys: readonly PriceKey[]; since: number },
) {
  const [variantIds, markets, currencies] = columnsOf(keys);
  return db<PriceRow[]>`
    select h.variant_id, h.market, h.currency, h.amount, h.compare_at, h.since
    from unnest(${variantIds}::text[], ${markets}::text[], ${currencies}::text[]) as k (variant_id, market, currency)
    join price_history h on h.business_id = ${businessId} and h.product_id = ${productId} and h.variant_id = k.variant_id
      and h.market = k.market and h.currency = k.currency
    where h.since >= coalesce((
      select max(p.since) from price_history p
      where p.business_id = ${businessId} and p.product_id = ${productId} and p.variant_id = k.variant_id
        and p.market = k.market and p.currency = k.currency and p.amount is not null and p.since <= ${since}
    ), 0)
    order by h.since, h.id`;
}

/** All rows of these products, oldest first. */
export const listPriceHistories = (db: Db, businessId: string, productIds: readonly string[]) => db<
  (PriceRow & { productId: string })[]
>`
  select product_id, variant_id, market, currency, amount, compare_at, since from price_history
  where business_id = ${businessId} and product_id = any(${productIds as string[]}) order by since, id`;

type Prune = { replaced: readonly PriceKey[]; before: number };

/** Also deletes rows of `replaced` keys that were no longer valid at the time `before`. */
export async function insertPriceRows(
  tx: Tx,
  businessId: string,
  rows: readonly (PriceRow & { productId: string })[],
  { replaced, before }: Prune = { replaced: [], before: 0 },
): Promise<void> {
  const [variantIds, markets, currencies] = columnsOf(rows);
  const productIds = rows.map(({ productId }) => productId);
  if (replaced.length > 0) {
    const [oldVariantIds, oldMarkets, oldCurrencies] = columnsOf(replaced);
    await tx`
      delete from price_history h
      using unnest(${oldVariantIds}::text[], ${oldMarkets}::text[], ${oldCurrencies}::text[]) as k (variant_id, market, currency)
      where h.business_id = ${businessId} and h.product_id = ${productIds[0]!} and h.variant_id = k.variant_id
        and h.market = k.market and h.currency = k.currency and h.since < (
          select max(p.since) from price_history p
          where p.business_id = ${businessId} and p.product_id = ${productIds[0]!} and p.variant_id = k.variant_id
            and p.market = k.market and p.currency = k.currency and p.amount is not null and p.since <= ${before})`;
  }
  await tx`
    insert into price_history (business_id, product_id, variant_id, market, currency, amount, compare_at, since)
    select ${businessId}, row.* from unnest(${productIds}::text[], ${variantIds}::text[], ${markets}::text[],
      ${currencies}::text[], ${rows.map(({ amount }) => amount)}::bigint[], ${rows.map(({ compareAt }) => compareAt)}::bigint[],
      ${rows.map(({ since }) => since)}::bigint[]) as row`;
}
