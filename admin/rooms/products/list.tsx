import type { ListedProduct, ListProductsQuery } from '@souk/client';
import { DataList, EmptyState, pageSize, type Query, rowsOf } from '../../parts/data-list.tsx';
import { forget, prefetch, useLoad } from '../../parts/load.ts';
import { pictureOf, RowPicture } from '../../parts/media/thumb.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { PlannedChips } from '../../parts/publishing/chips.tsx';
import { money, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
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

/** What a row shows of a product, and what changing its status needs. */
function toRow({ id, etag, name, gallery, statuses, scheduled, hasDraft, category, variants }: ListedProduct) {
  const tracked = variants.filter(({ inventory }) => inventory.tracked);
  return {
    ...{ id, etag, name, category, price: priceRange(variants) },
    picture: pictureOf(gallery),
    status: statusOf(statuses),
    ...(scheduled ? { scheduled } : {}),
    ...(hasDraft ? { hasDraft } : {}),
    variants: variants.length,
    /** Null: unlimited. */
    stock: tracked.length > 0 ? tracked.reduce((total, { inventory }) => total + inventory.quantity, 0) : null,
    isLow: tracked.some(({ inventory }) => inventory.quantity <= (inventory.lowStockThreshold ?? 0)),
  };
}
type ProductRow = ReturnType<typeof toRow>;

/** From the cheapest variant to the dearest, in the first market; null where there is none. */
function priceRange(variants: ListedProduct['variants']) {
  const first = variants[0]?.pricing.markets[0];
  if (!first) return null;
  const prices = variants.flatMap(({ pricing }) =>
    pricing.markets.filter(({ marketId }) => marketId === first.marketId).map(({ price }) => price),
  );
  return { low: Math.min(...prices), high: Math.max(...prices), currency: first.currency };
}

function priceText({ price }: ProductRow): string {
  if (!price) return '–';
  const { low, high, currency } = price;
  return low === high ? money(low, currency) : `${money(low, currency)} – ${money(high, currency)}`;
}

function StockCell({ row: { stock, isLow } }: { row: ProductRow }) {
  if (stock === null) return <span class="quiet">{t('products.unlimited')}</span>;
  return (
    <>
      {stock} {isLow && <span class="badge bad">{t('products.lowStock')}</span>}
    </>
  );
}

type Status = (typeof PRODUCT_STATUSES)[number];

/** Each on the version that is shown: who was changed meanwhile is told, not overwritten. */
async function setStatus(
  chosen: { id: string; etag?: string }[],
  status: (product: { id: string }) => string,
): Promise<void> {
  await Promise.all(
    chosen.map((product) =>
      souk.products.update(product.id, { statuses: [{ status: status(product) }] }, { ifMatch: product }),
    ),
  );
  forget('list products');
}

async function changeStatus(chosen: ProductRow[], status: Status): Promise<void> {
  const former = new Map(chosen.map(({ id, status: shown }) => [id, shown]));
  await setStatus(chosen, () => status);
  toast(t('products.statusSet', { count: chosen.length, status: statusText(status) }), {
    undo: async () => {
      const now = await souk.products.list({ ids: [...former.keys()], limit: 100 }).take(former.size);
      await setStatus(now, ({ id }) => former.get(id)!);
      toast(t('parts.undone'));
    },
  });
}

function deleteAll(chosen: ProductRow[]): void {
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
      <DataList<ProductRow>
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
        load={async (query, cursor, signal) => {
          const list = souk.products.list({ limit: pageSize(cursor), ...filtersOf(query) }, { signal });
          return rowsOf(await list.page(cursor), toRow);
        }}
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
            cell: ({ name, picture }) => (
              <span class="with-picture">
                <RowPicture src={picture} />
                <span>{name}</span>
              </span>
            ),
          },
          {
            head: t('products.status'),
            cell: ({ status }) => <StatusBadge status={status} />,
          },
          { head: t('publishing.planned'), cell: (record) => <PlannedChips record={record} />, isWide: true },
          { head: t('products.category'), cell: ({ category }) => category, isWide: true },
          {
            head: t('products.variants'),
            cell: ({ variants }) => variants,
            isWide: true,
            isNumber: true,
          },
          {
            head: t('products.stock'),
            cell: (row) => <StockCell row={row} />,
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
