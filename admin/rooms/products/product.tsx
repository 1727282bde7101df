import type { Media, Product } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { forget, readCache } from '../../parts/load.ts';
import { nameOf } from '../../parts/media/thumb.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { RecordNotices, SaveBar, useRecord } from '../../parts/record.tsx';
import { StatusBadge } from '../../parts/show.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { useNews } from '../../shell/news.ts';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Fields, fieldNames } from './fields.tsx';
import { type LoadedProduct, loadProduct, marketColumns, type ProductForm, toChanges, toForm } from './form.ts';

export default function ProductPage({ id }: { id: string }) {
  const [product, setProduct] = useState<Product | null>(
    () => readCache<LoadedProduct>(`product ${id}`)?.product ?? null,
  );
  // A save that merges goes on with what it has just read, before the page is shown again.
  const latest = useRef(product);
  const accept = (next: Product) => {
    latest.current = next;
    setProduct(next);
  };
  const record = useRecord<ProductForm>({
    key: `product ${id}`,
    async load(signal) {
      const loaded = await loadProduct(id, signal);
      accept(loaded.product);
      return loaded;
    },
    async save(changes, { ifMatch }) {
      const { current } = latest;
      const input = toChanges(changes, marketColumns(current ? [current] : []), current?.statuses);
      const saved = await souk.products.update(id, input, ifMatch ? { ifMatch } : {});
      accept(saved);
      forget('list products');
      return { values: toForm(saved), etag: saved.etag, product: saved };
    },
  });
  const { values } = record;
  const name = record.base?.name ?? '';
  /** Stock changes by orders and by colleagues; it is shown as it is. */
  const refreshStock = async () => setProduct(await souk.products.get(id));
  const remove = () => {
    deleteLater({ name, hides: id, reloads: 'list products', run: () => souk.products.delete(id) });
    navigate('/products');
  };
  useNews('order.created', refreshStock);
  return (
    <PageFrame
      title={name || t('products.title')}
      back="/products"
      beside={record.base && <StatusBadge status={record.base.status} />}
      actions={
        values && (
          <button type="button" class="quiet" onClick={remove}>
            {t('parts.delete')}
          </button>
        )
      }
    >
      <RecordNotices record={record} names={fieldNames()} show={showValue} />
      {!values && !record.error && <SkeletonRows />}
      {values && (
        <>
          <Fields record={record} product={product} refreshStock={refreshStock} />
          <SaveBar record={record} />
        </>
      )}
    </PageFrame>
  );
}

function showValue(name: keyof ProductForm, value: unknown): string {
  if (name === 'variants') {
    return (value as ProductForm['variants'])
      .map(({ name: each, sku, prices }) => {
        const amounts = Object.entries(prices).map(([market, { price }]) => `${market} ${price ?? '–'}`);
        return [each, sku, ...amounts].filter(Boolean).join(' · ');
      })
      .join('\n');
  }
  if (name === 'gallery') return (value as Media[]).map(nameOf).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
