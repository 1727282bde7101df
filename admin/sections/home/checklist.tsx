/** The setup steps of a new business. Hidden when all are done. */
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { href } from '../../shell/router.ts';
import { business, can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export function Checklist() {
  const { data: hasProduct = true } = useLoad('home has product', async (signal) => {
    if (!can('CATALOG_WRITE')) return true;
    return (await souk.products.list({ limit: 1 }, { signal }).page()).items.length > 0;
  });
  const { markets = [], shippingMethods = [], paymentProvider, profile, storefront } = business.value?.configs ?? {};
  const steps: [string, boolean, string][] = [
    [t('home.setupMarkets'), markets.length > 0, '/settings/markets'],
    [t('home.setupShipping'), shippingMethods.length > 0, '/settings/shipping'],
    [t('home.setupProduct'), hasProduct, '/products/new'],
    [t('home.setupPayment'), paymentProvider !== undefined, '/settings/payment'],
    [t('home.setupStorefront'), storefront?.enabled === true, '/settings/storefront'],
    [t('home.setupProfile'), profile?.address !== undefined, '/settings'],
  ];
  if (steps.every(([, isDone]) => isDone)) return null;
  return (
    <Section title={t('home.setup')}>
      <p class="quiet">{t('home.setupText')}</p>
      <ol class="checklist">
        {steps.map(([text, isDone, path]) => (
          <li key={text} data-done={isDone}>
            <span class="visually-hidden">{isDone ? t('home.setupDone') : t('home.setupOpen')}: </span>
            {isDone ? text : <a href={href(path)}>{text}</a>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
