import type { ListedProduct, ListProductsQuery, ProductStatusInput } from '@souk/client';
import { DataList, pageSize, type Query, rowsOf } from '../../parts/list/data-list.tsx';
import { forget, prefetch, useLoad } from '../../parts/load.ts';
import { imageOf, RowImage } from '../../parts/media/thumb.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { PlannedChips } from '../../parts/publishing/chips.tsx';
import { money, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
import { deleteLater, toast } from '../../parts/toast.tsx';
import { address, href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { loadProduct } from './form.ts';

const PRODUCT_STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

/** The API query for the URL's parameters, for the list and the table. */
export function filtersOf({ q, status, category, stock }: Query): ListProductsQuery {
  const filters = { status, category, query: q || undefined, ...(stock ? { lowStock: true } : {}) };
  return filters as ListProductsQuery;
}

/** The fields of a product that a row shows, and those needed to change its status. */
function toRow({ id, etag, name, gallery, statuses, scheduled, hasDraft, category, variants }: ListedProduct) {
  const tracked = variants.filter(({ inventory }) => inventory.tracked);
  return {
    id,
    etag,
    name,
    category,
    price: priceRange(variants),
    image: imageOf(gallery),
    status: statusOf(statuses),
    ...(scheduled ? { scheduled } : {}),
    ...(hasDraft ? { hasDraft } : {}),
    variants: variants.length,
    /** Null if unlimited. */
    stock: tracked.length > 0 ? tracked.reduce((total, { inventory }) => total + inventory.quantity, 0) : null,
    isLow: tracked.some(({ inventory }) => inventory.quantity <= (inventory.lowStockThreshold ?? 0)),
  };
}
type ProductRow = ReturnType<typeof toRow>;

/** The price range of the variants in the first market, or null. */
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

/** Updates each product with the version shown. Reports concurrent changes instead of overwriting them. */
async function setStatus(
  chosen: { id: string; etag?: string }[],
  status: (product: { id: string }) => string,
): Promise<void> {
  await Promise.all(
    chosen.map((product) =>
      souk.products.update(
        product.id,
        { statuses: [{ status: status(product) as ProductStatusInput['status'] }] },
        { ifMatch: product },
      ),
    ),
  );
  forget('list products');
}

async function changeStatus(chosen: ProductRow[], status: Status): Promise<void> {
  const previous = new Map(chosen.map(({ id, status: shown }) => [id, shown]));
  await setStatus(chosen, () => status);
  toast(t('products.statusSet', { count: chosen.length, status: statusText(status) }), {
    undo: async () => {
      const now = await souk.products.list({ ids: [...previous.keys()], limit: 100 }).take(previous.size);
      await setStatus(now, ({ id }) => previous.get(id)!);
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
      actions={newProduct}
      more={
        <>
          <a class="button quiet" href={href('/imports?type=products')}>
            {t('imports.title')}
          </a>
          <a class="button quiet" href={href('/products/categories')}>
            {t('categories.title')}
          </a>
          <a class="button quiet" href={href(`/products/table${address.value.search}`)}>
            {t('products.table')}
          </a>
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
            cell: ({ name, image }) => (
              <span class="with-image">
                <RowImage src={image} />
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
