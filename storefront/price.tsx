import { useSite } from './island.tsx';
import { fill, link, type lowestPrice, money, priceText, unitPriceOf } from './site.ts';

type MarketPrice = NonNullable<ReturnType<typeof lowestPrice>>;

type PriceProps = { price: MarketPrice | undefined; isLowest?: boolean; isLarge?: boolean };

/** The price, the price before a reduction, and the details that the law requires next to it. `isLowest`: other variants cost more. */
export function Price({ price, isLowest = false, isLarge = false }: PriceProps) {
  const site = useSite();
  const { product: words } = site.texts;
  if (!price) return <p class="price quiet">{words.notAvailable}</p>;
  const { compareAtPrice: before, lowestPrice30: lowest, currency } = price;
  return (
    <p class={isLarge ? 'price large' : 'price'}>
      {priceText(price, site, isLowest)}
      {before != null && before > price.price && (
        <>
          {' '}
          <s>
            <span class="visually-hidden">{words.regularPrice} </span>
            {money(before, currency, site)}
          </s>
        </>
      )}
      {price.unitPrice && <span class="unit-price">{unitPriceOf(price.unitPrice, currency, site)}</span>}
      {lowest !== undefined && (
        <span class="lowest-price">{fill(words.lowestPrice, { price: money(lowest, currency, site) })}</span>
      )}
    </p>
  );
}

export type ShippingNote = { hasPage: boolean };

/** Whether the price includes tax and, with `shipping`, that shipping is added. */
export function PriceNote({ shipping }: { shipping: ShippingNote | null }) {
  const site = useSite();
  const { product: words } = site.texts;
  return (
    <p class="price-note">
      {site.market.taxMode === 'INCLUSIVE' ? words.taxIncluded : words.taxExcluded}
      {shipping && ', '}
      {shipping && (shipping.hasPage ? <a href={link(site, '/pages/shipping')}>{words.shipping}</a> : words.shipping)}
    </p>
  );
}
