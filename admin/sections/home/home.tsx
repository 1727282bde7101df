import type { ListedProduct, Order, Send } from '@souk/client';
import { useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { DateTime, Money, StatusBadge, statusOf } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { business, can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Checklist } from './checklist.tsx';
import { Sales } from './sales.tsx';

const SHOWN = 6;

export default function Home() {
  const seesOrders = can('ORDER_READ');
  return (
    <PageFrame title={t('home.title')} actions={<ShopLink />}>
      {can('BUSINESS_WRITE') && <Checklist />}
      {seesOrders && <Sales />}
      <div class="home-cards">
        {seesOrders && <OrdersToFulfill />}
        {can('CATALOG_WRITE') && <LowStock />}
        {can('NEWSLETTER_SEND') && can('CONTENT_READ') && <LastNewsletter />}
      </div>
    </PageFrame>
  );
}

function ShopLink() {
  const { slug, configs } = business.value!;
  if (configs.storefront?.enabled)
    return (
      <a class="button quiet" href={`/s/${slug}`} target="_blank" rel="noreferrer">
        {t('home.openShop')}
      </a>
    );
  if (!can('BUSINESS_WRITE')) return null;
  return (
    <a class="button quiet" href={href('/settings/storefront')}>
      {t('home.setUpShop')}
    </a>
  );
}

function OrdersToFulfill() {
  const { data } = useLoad<Order[]>('home orders', async (signal) => {
    const query = { statuses: ['PENDING', 'PROCESSING'] as ('PENDING' | 'PROCESSING')[], limit: SHOWN };
    return (await souk.orders.list(query, { signal }).page()).items;
  });
  return (
    <Section title={t('home.toFulfill')} actions={<a href={href('/orders')}>{t('home.allOrders')}</a>}>
      {data === undefined && <div class="skeleton" />}
      {data?.length === 0 && <p class="quiet">{t('home.nothingToFulfill')}</p>}
      <ul class="rows two-line">
        {data?.map(({ id, number, email, statuses, total, currency }) => (
          <li key={id}>
            <a href={href(`/orders/${id}`)}>#{number}</a>
            <span class="quiet grow">{email}</span>
            <StatusBadge status={statusOf(statuses)} />
            <Money amount={total} currency={currency} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function LowStock() {
  const { data } = useLoad<ListedProduct[]>('home stock', async (signal) => {
    const query = { lowStock: true, statuses: ['ACTIVE', 'DRAFT'] as ('ACTIVE' | 'DRAFT')[], limit: SHOWN };
    return (await souk.products.list(query, { signal }).page()).items;
  });
  return (
    <Section title={t('home.lowStock')}>
      {data === undefined && <div class="skeleton" />}
      {data?.length === 0 && <p class="quiet">{t('home.noLowStock')}</p>}
      <ul class="rows">
        {data?.flatMap(({ id, name, variants }) =>
          variants
            .filter(({ inventory }) => inventory.tracked && inventory.quantity <= (inventory.lowStockThreshold ?? 0))
            .map((variant) => (
              <li key={`${id} ${variant.id}`}>
                <a href={href(`/products/${id}`)}>{name}</a>
                <span class="quiet grow">{variants.length > 1 ? variant.name : ''}</span>
                <span class="badge bad">{t('home.left', { count: variant.inventory.quantity })}</span>
              </li>
            )),
        )}
      </ul>
    </Section>
  );
}

/** The latest send across all newsletters. */
async function findLastSend(signal: AbortSignal): Promise<(Send & { collection: string }) | null> {
  const { items: collections } = await souk.collections.list({ type: 'NEWSLETTER', limit: 5 }, { signal }).page();
  const sends = await Promise.all(
    collections.map(async ({ id, name }) => {
      const { items: entries } = await souk.entries
        .list({ collectionId: id, sort: '-updatedAt', limit: 3 }, { signal })
        .page();
      const found = await Promise.all(
        entries.map((entry) => souk.newsletters.listSends(entry.id, { limit: 1 }, { signal }).page()),
      );
      return found.flatMap(({ items }) => items.map((send) => ({ ...send, collection: name })));
    }),
  );
  return sends.flat().sort((a, b) => b.createdAt - a.createdAt)[0] ?? null;
}

function LastNewsletter() {
  const { data } = useLoad('home newsletter', findLastSend);
  return (
    <Section title={t('home.newsletter')}>
      {data === undefined && <div class="skeleton" />}
      {data === null && <p class="quiet">{t('home.noNewsletter')}</p>}
      {data && (
        <>
          <p>
            <strong>{data.collection}</strong> <StatusBadge status={data.status} isTask />
            <br />
            <small class="quiet">
              <DateTime at={data.startedAt ?? data.scheduledAt} />
            </small>
          </p>
          <progress value={data.sent} max={Math.max(1, data.total)} aria-label={t('home.newsletter')} />
          <p class="small">
            {t('home.newsletterProgress', { sent: data.sent, total: data.total })}
            {data.failed > 0 && ` · ${t('home.newsletterFailed', { count: data.failed })}`}
          </p>
        </>
      )}
    </Section>
  );
}
