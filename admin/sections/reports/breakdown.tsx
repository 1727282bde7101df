/** The sales of a period by product or country. */
import type { SalesReport } from '@souk/client';
import { Download } from '../../parts/download.tsx';
import { isoName } from '../../parts/form/iso.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { loadReportCsv } from '../../parts/report-csv.ts';
import { useBreakdown } from '../../parts/reports/load.ts';
import type { ReportQuery } from '../../parts/reports/periods.ts';
import { money, number } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const SHOWN = 20;
const TITLES = { product: 'reports.byProduct', country: 'reports.byCountry' } as const;

type Item = SalesReport['items'][number];
type Props = { groupBy: 'product' | 'country'; query: ReportQuery; currency: string };

export function Breakdown({ groupBy, query, currency }: Props) {
  const { data, error, reload } = useBreakdown(query, groupBy);
  const keyOf = ({ productId, country }: Item) => (groupBy === 'product' ? productId : country) ?? '';
  const isMine = (item: Item) => item.currency === currency;
  const items = data?.items.filter(isMine) ?? [];
  const before = new Map(data?.previous?.items.filter(isMine).map((item) => [keyOf(item), item.net]));
  const title = t(TITLES[groupBy]);
  return (
    <Section
      title={title}
      actions={<Download label={t('reports.csv')} load={() => loadReportCsv('sales', { ...query, groupBy })} />}
    >
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={3} />}
      {data && items.length === 0 && <p class="quiet">{t('reports.empty')}</p>}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section class="report-scroll" tabIndex={0} aria-label={t('reports.tableOf', { title })}>
          <table class="plain-table report-table">
            <thead>
              <tr>
                <th scope="col">{t(`reports.${groupBy}`)}</th>
                <th scope="col" class="number">
                  {groupBy === 'product' ? t('reports.quantity') : t('home.orders')}
                </th>
                <th scope="col" class="number">
                  {t('home.gross')}
                </th>
                <th scope="col" class="number">
                  {t('home.refunds')}
                </th>
                <th scope="col" class="number">
                  {t('home.net')}
                </th>
                {data?.previous && (
                  <th scope="col" class="number">
                    {t('reports.before')}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {items.slice(0, SHOWN).map((item) => (
                <tr key={keyOf(item)}>
                  <td>{groupBy === 'product' ? <ProductName item={item} /> : countryName(item.country)}</td>
                  <td class="number">{number((groupBy === 'product' ? item.quantity : item.orders) ?? 0)}</td>
                  <td class="number">{money(item.gross, currency)}</td>
                  <td class="number">{money(item.refunds, currency)}</td>
                  <td class="number">{money(item.net, currency)}</td>
                  {data?.previous && <td class="number">{money(before.get(keyOf(item)) ?? 0, currency)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {items.length > SHOWN && <p class="quiet">{t('reports.more', { count: items.length - SHOWN })}</p>}
    </Section>
  );
}

function ProductName({ item: { productId, name } }: { item: Item }) {
  if (!productId) return t('reports.shipping');
  return can('CATALOG_WRITE') ? <a href={href(`/products/${productId}`)}>{name}</a> : name;
}

const countryName = (country: string | null | undefined) =>
  country ? isoName('region', country) : t('taxes.noCountry');
