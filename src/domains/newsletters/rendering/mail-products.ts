import { type MailProducts, productIdsIn } from '../../../shared/mail/elements.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { absolute } from '../../../shared/mail/rich-text.ts';
import { oneLine } from '../../../shared/mail/template.ts';
import { formatMoney } from '../../../shared/money.ts';
import { localText } from '../../../shared/text/locales.ts';
import { type BusinessRow, siteUrl } from '../../businesses/index.ts';
import { listShown } from '../../catalog/index.ts';
import type { Entry } from '../../content/index.ts';
import { pagePath } from '../../redirects/index.ts';
import type { Reading } from '../context.ts';

const MAX_PRODUCTS = 100;

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
    found.map(({ id, name, slug, image, price, isAvailable }) => [
      id,
      {
        // A name is no template.
        name: oneLine(name).replaceAll('{{', '{ {'),
        url: site + pagePath('products', slug),
        image: image && {
          url: absolute(image.resolutions?.medium?.url ?? image.url, ctx.publicUrl()),
          alt: localText(image.alt, locale),
        },
        price: price && formatMoney(price.amount, price.currency, locale),
        soldOut: isAvailable ? null : soldOut,
      },
    ]),
  );
}
