import { useSite } from './island.tsx';
import { fill, link, type lowestPrice, money } from './site.ts';

type MarketPrice = NonNullable<ReturnType<typeof lowestPrice>>;

/** The price, the price before a reduction and what the law asks for beside it. */
export function Price({ price, isLarge = false }: { price: MarketPrice | undefined; isLarge?: boolean }) {
  const site = useSite();
  const { product: words } = site.texts;
  if (!price) return <p class="price quiet">{words.notAvailable}</p>;
  const { compareAtPrice: before, lowestPrice30: lowest, currency } = price;
  return (
    <p class={isLarge ? 'price large' : 'price'}>
      {price.price === 0 ? words.free : money(price.price, currency, site)}
      {before != null && before > price.price && (
        <>
          {' '}
          <s>
            <span class="visually-hidden">{words.regularPrice} </span>
            {money(before, currency, site)}
          </s>
        </>
      )}
      {price.unitPrice && <UnitPrice unitPrice={price.unitPrice} currency={currency} />}
      {lowest !== undefined && (
        <span class="lowest-price">{fill(words.lowestPrice, { price: money(lowest, currency, site) })}</span>
      )}
    </p>
  );
}

type Unit = NonNullable<MarketPrice['unitPrice']>;

/** The price per kilogram or liter, which the law asks for near the price. */
function UnitPrice({ unitPrice: { amount, per, quantity }, currency }: { unitPrice: Unit; currency: string }) {
  const site = useSite();
  const unit = site.texts.catalog[`unit_${per}` as 'unit_kg'] ?? per;
  const number = quantity === 1 ? '' : `${new Intl.NumberFormat(site.locale).format(quantity)} `;
  return <span class="unit-price">{`${money(amount, currency, site)} / ${number}${unit}`}</span>;
}

/** Whether tax is included, and a link to the costs of shipping. */
export function PriceNote({ hasShippingPage }: { hasShippingPage: boolean }) {
  const site = useSite();
  const { product: words } = site.texts;
  return (
    <p class="price-note">
      {site.market.taxMode === 'INCLUSIVE' ? words.taxIncluded : words.taxExcluded}
      {hasShippingPage && (
        <>
          {', '}
          <a href={link(site, '/pages/shipping')}>{words.shipping}</a>
        </>
      )}
    </p>
  );
}
