import { type MailProduct, type MailProducts, productIdsIn } from '../../../shared/mail/elements.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { absolute } from '../../../shared/mail/rich-text.ts';
import { oneLine } from '../../../shared/mail/template.ts';
import { formatMoney } from '../../../shared/money.ts';
import { localText } from '../../../shared/text/locales.ts';
import { type BusinessRow, siteUrl } from '../../businesses/index.ts';
import { listShown, type ShownProduct } from '../../catalog/index.ts';
import type { Entry } from '../../content/index.ts';
import { pagePath } from '../../redirects/index.ts';
import type { Reading } from '../context.ts';

const MAX_PRODUCTS = 100;

/** Keeps text from being parsed as a template. */
const plain = (text: string) => oneLine(text).replaceAll('{{', '{ {');

/** The products in the rich text of an entry, as they are now. Products that are not active are left out. */
export async function listMailProducts(
  ctx: Reading,
  business: BusinessRow,
  { blocks, locale }: Pick<Entry, 'blocks' | 'locale'>,
): Promise<MailProducts> {
  const ids = blocks.flatMap(({ type, value }) => (type === 'TEXT' ? productIdsIn(localText(value, locale)) : []));
  const marketId = business.configs.markets?.[0]?.id;
  const found = await listShown(ctx.db, ctx.businessId, ids.slice(0, MAX_PRODUCTS), { locale, marketId });
  const site = siteUrl(ctx, business);
  const { soldOut } = textsIn(locale).newsletter;
  return new Map(
    found.map(({ id, name, slug, image, isAvailable, ...shown }) => [
      id,
      {
        name: plain(name),
        url: site + pagePath('products', slug),
        image: image && {
          url: absolute(image.resolutions?.medium?.url ?? image.url, ctx.publicUrl()),
          // The image is a separate link, which needs an accessible name.
          alt: plain(localText(image.alt, locale) || name),
        },
        ...pricesOf(shown, locale),
        soldOut: isAvailable ? null : soldOut,
      },
    ]),
  );
}

type Priced = Pick<ShownProduct, 'price' | 'hasPriceRange'>;
type Prices = Pick<MailProduct, 'price' | 'regularPrice' | 'unitPrice' | 'lowestPrice'>;

/** The price, and the details that the law requires next to it: the price per unit, and the lowest price before a reduction. */
function pricesOf({ price: found, hasPriceRange }: Priced, locale: string): Prices {
  if (!found) return { price: null, regularPrice: null, unitPrice: null, lowestPrice: null };
  const { price, compareAtPrice, lowestPrice30, unitPrice, currency } = found;
  const words = textsIn(locale).newsletter;
  const isReduced = compareAtPrice != null && compareAtPrice > price;
  const money = (amount: number) => formatMoney(amount, currency, locale);
  return {
    price: hasPriceRange ? words.from(money(price)) : price === 0 ? words.free : money(price),
    regularPrice: isReduced ? { amount: money(compareAtPrice), words: words.insteadOf(money(compareAtPrice)) } : null,
    unitPrice: unitPrice ? words.unitPrice(money(unitPrice.amount), unitPrice.quantity, unitPrice.per) : null,
    lowestPrice: lowestPrice30 === undefined ? null : words.lowestPrice(money(lowestPrice30)),
  };
}
