import type { ListedProduct, ListProductsQuery } from '@souk/client';
import { DataList, EmptyState, pageSize, type Query } from '../../parts/data-list.tsx';
import { forget, prefetch, useLoad } from '../../parts/load.ts';
import { RowPicture } from '../../parts/media/thumb.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { PlannedChips } from '../../parts/publishing/chips.tsx';
import { addStatus, money, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
import { deleteLater, toast } from '../../parts/toast.tsx';
import { address, href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { loadProduct } from './form.ts';

export const PRODUCT_STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

/** What the address says, as the service takes it: for the list and the table of what it shows. */
export function filtersOf({ q, status, category, stock }: Query): ListProductsQuery {
  const filters = { status, category, query: q || undefined, ...(stock ? { lowStock: true } : {}) };
  return filters as ListProductsQuery;
}

function priceText({ variants }: ListedProduct): string {
  const first = variants[0]?.pricing.markets[0];
  if (!first) return '–';
  const prices = variants.flatMap(({ pricing }) =>
    pricing.markets.filter(({ marketId }) => marketId === first.marketId).map(({ price }) => price),
  );
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return low === high ? money(low, first.currency) : `${money(low, first.currency)} – ${money(high, first.currency)}`;
}

function StockCell({ product: { variants } }: { product: ListedProduct }) {
  const tracked = variants.filter(({ inventory }) => inventory.tracked);
  if (tracked.length === 0) return <span class="quiet">{t('products.unlimited')}</span>;
  const isLow = tracked.some(({ inventory }) => inventory.quantity <= (inventory.lowStockThreshold ?? 0));
  const sum = tracked.reduce((total, { inventory }) => total + inventory.quantity, 0);
  return (
    <>
      {sum} {isLow && <span class="badge bad">{t('products.lowStock')}</span>}
    </>
  );
}

type Status = (typeof PRODUCT_STATUSES)[number];

/** Each on the version that is shown: who was changed meanwhile is told, not overwritten. */
async function setStatus(chosen: ListedProduct[], status: (product: ListedProduct) => string): Promise<void> {
  await Promise.all(
    chosen.map((product) =>
      souk.products.update(
        product.id,
        { statuses: addStatus(product.statuses, status(product)) },
        { ifMatch: product },
      ),
    ),
  );
  forget('list products');
}

async function changeStatus(chosen: ListedProduct[], status: Status): Promise<void> {
  const former = new Map(chosen.map((product) => [product.id, statusOf(product.statuses)]));
  await setStatus(chosen, () => status);
  toast(t('products.statusSet', { count: chosen.length, status: statusText(status) }), {
    undo: async () => {
      const now = await souk.products.list({ ids: [...former.keys()], limit: 100 }).take(former.size);
      await setStatus(now, ({ id }) => former.get(id)!);
      toast(t('parts.undone'));
    },
  });
}

function deleteAll(chosen: ListedProduct[]): void {
  for (const { id, name } of chosen) {
    deleteLater({ name, hides: id, reloads: 'list products', run: () => souk.products.delete(id) });
  }
}

export default function ProductList() {
  const { data: categories = [] } = useLoad('categories', (signal) =>
    souk.products.listCategories({ limit: 100 }, { signal }).take(100),
  );
  const newProduct = (
    <a class="button" href={href('/products/new')}>
      {t('products.new')}
    </a>
  );
  return (
    <PageFrame
      title={t('products.title')}
      actions={
        <>
          <a class="button quiet" href={href('/imports?type=products')}>
            {t('imports.title')}
          </a>
          <a class="button quiet" href={href(`/products/table${address.value.search}`)}>
            {t('products.table')}
          </a>
          {newProduct}
        </>
      }
    >
      <DataList<ListedProduct>
        name="products"
        label={t('products.title')}
        search={t('products.search')}
        hasViews
        filters={[
          {
            name: 'status',
            label: t('products.status'),
            options: PRODUCT_STATUSES.map((each) => [each, statusText(each)]),
          },
          {
            name: 'category',
            label: t('products.category'),
            options: categories
              .filter(({ category }) => category)
              .map(({ category, count }) => [category, `${category} (${count})`]),
          },
          { name: 'stock', label: t('products.stock'), options: [['low', t('products.onlyLow')]] },
        ]}
        load={(query, cursor, signal) =>
          souk.products.list({ limit: pageSize(cursor), ...filtersOf(query) }, { signal }).page(cursor)
        }
        rowHref={({ id }) => href(`/products/${id}`)}
        rowName={({ name }) => name}
        onHover={({ id }) => prefetch(`product ${id}`, (signal) => loadProduct(id, signal))}
        bulk={(chosen, clear) => (
          <>
            <button type="button" class="quiet" onClick={() => changeStatus(chosen, 'ACTIVE').then(clear)}>
              {t('products.activate')}
            </button>
            <button type="button" class="quiet" onClick={() => changeStatus(chosen, 'ARCHIVED').then(clear)}>
              {t('products.archive')}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                deleteAll(chosen);
                clear();
              }}
            >
              {t('parts.delete')}
            </button>
          </>
        )}
        columns={[
          {
            head: t('products.name'),
            cell: ({ name, gallery }) => (
              <span class="with-picture">
                <RowPicture gallery={gallery} />
                {name}
              </span>
            ),
          },
          {
            head: t('products.status'),
            cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} />,
          },
          { head: t('publishing.planned'), cell: (record) => <PlannedChips record={record} />, isWide: true },
          { head: t('products.category'), cell: ({ category }) => category, isWide: true },
          {
            head: t('products.variants'),
            cell: ({ variants }) => variants.length,
            isWide: true,
            isNumber: true,
          },
          {
            head: t('products.stock'),
            cell: (product) => <StockCell product={product} />,
            isWide: true,
            isNumber: true,
          },
          { head: t('products.price'), cell: priceText, isWide: true, isNumber: true },
        ]}
        empty={<EmptyState title={t('products.emptyTitle')} text={t('products.emptyText')} action={newProduct} />}
      />
    </PageFrame>
  );
}
