/** The setup steps of a new business, in order. Hidden once those that every shop needs are done. */
import { optional } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { href } from '../../shell/router.ts';
import { business, can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export function Checklist() {
  const { data: hasCategory = true } = useLoad('home has category', async (signal) => {
    if (!can('CATALOG_WRITE')) return true;
    return (await souk.categories.listTree({ limit: 1 }, { signal }).page()).items.length > 0;
  });
  const { data: hasProduct = true } = useLoad('home has product', async (signal) => {
    if (!can('CATALOG_WRITE')) return true;
    return (await souk.products.list({ limit: 1 }, { signal }).page()).items.length > 0;
  });
  const { markets = [], shippingMethods = [], paymentProvider, profile, storefront } = business.value?.configs ?? {};
  /** The last flag marks steps that not every shop needs. */
  const steps: [text: string, isDone: boolean, path: string, isOptional?: true][] = [
    [t('home.setupProfile'), profile?.address !== undefined, '/settings'],
    [t('home.setupMarkets'), markets.length > 0, '/settings/markets'],
    [t('home.setupShipping'), shippingMethods.length > 0, '/settings/shipping'],
    [t('home.setupPayment'), paymentProvider !== undefined, '/settings/payment'],
    [t('home.setupCategories'), hasCategory, '/products/categories', true],
    [t('home.setupProduct'), hasProduct, '/products/new'],
    [t('home.setupLogo'), storefront?.theme?.logo !== undefined, '/settings/storefront/design', true],
    [t('home.setupLegal'), Object.keys(storefront?.legal ?? {}).length > 0, '/settings/storefront/legal', true],
    [t('home.setupDomain'), (storefront?.hosts ?? []).length > 0, '/settings/storefront/domains', true],
    [t('home.setupStorefront'), storefront?.enabled === true, '/settings/storefront'],
  ];
  if (steps.every(([, isDone, , isOptional]) => isDone || isOptional)) return null;
  return (
    <Section title={t('home.setup')}>
      <p class="quiet">{t('home.setupText')}</p>
      <ol class="checklist">
        {steps.map(([text, isDone, path, isOptional]) => (
          <li key={text} data-done={isDone}>
            <span class="visually-hidden">{isDone ? t('home.setupDone') : t('home.setupOpen')}: </span>
            {isDone ? text : <a href={href(path)}>{isOptional ? optional(text) : text}</a>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
