import type { Media, Product, ProductChanges } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { useRecord } from '../../parts/editing/use-record.ts';
import { forget, readCache } from '../../parts/load.ts';
import { nameOf } from '../../parts/media/thumb.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Publishing } from '../../parts/publishing/publishing.tsx';
import { Versions } from '../../parts/publishing/versions.tsx';
import { StatusBadge, statusOf } from '../../parts/show.tsx';
import { SitePreview } from '../../parts/site-preview.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { useEvents } from '../../shell/events.ts';
import { navigate } from '../../shell/router.ts';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Fields, fieldNames } from './fields.tsx';
import {
  type LoadedProduct,
  loadProduct,
  marketColumns,
  type ProductForm,
  productKey,
  toChanges,
  toForm,
} from './form.ts';

export default function ProductPage({ id }: { id: string }) {
  const [product, setProduct] = useState<Product | null>(
    () => readCache<LoadedProduct>(productKey(id))?.product ?? null,
  );
  // A merging save uses the product it just read, before the next render.
  const latest = useRef(product);
  const accept = (next: Product) => {
    latest.current = next;
    setProduct(next);
  };
  const [wantsDraft, setWantsDraft] = useState(false);
  const isDraft = Boolean(product?.hasDraft) || (wantsDraft && statusOf(product?.statuses) === 'ACTIVE');
  const record = useRecord<ProductForm>({
    key: productKey(id),
    async load(signal) {
      const loaded = await loadProduct(id, signal);
      accept(loaded.product);
      return loaded;
    },
    async save(changes, { ifMatch }) {
      const { current } = latest;
      const input = toChanges(changes, marketColumns(current ? [current] : []), current?.statuses);
      const saved = await store(id, input, { ifMatch, isDraft });
      accept(saved);
      forget('list products');
      forget('versions');
      return { values: toForm(saved), etag: saved.etag, product: saved };
    },
  });
  const { values } = record;
  const name = record.base?.name ?? '';
  /** Stock also changes through orders and other members, so it is shown as stored. */
  const refreshStock = async () => setProduct(await souk.products.getDraft(id));
  const reload = () => {
    setWantsDraft(false);
    record.reload();
    forget('versions');
    forget('list products');
  };
  const remove = () => {
    deleteLater({ name, hides: id, reloads: 'list products', run: () => souk.products.delete(id) });
    navigate('/products');
  };
  useEvents('order.created', refreshStock);
  return (
    <PageFrame
      title={name || t('products.title')}
      back="/products"
      aside={record.base && <StatusBadge status={record.base.status} />}
      more={
        values && (
          <>
            {business.value?.configs.storefront?.enabled && product && statusOf(product.statuses) === 'ACTIVE' && (
              <a
                class="button quiet"
                href={`/s/${business.value.slug}/products/${product.slug}`}
                target="_blank"
                rel="noreferrer"
              >
                {t('products.viewInShop')}
              </a>
            )}
            <button type="button" class="quiet" onClick={remove}>
              {t('parts.delete')}
            </button>
          </>
        )
      }
    >
      <RecordNotices record={record} names={fieldNames()} show={showValue} />
      {!values && !record.error && <SkeletonRows />}
      {values && (
        <>
          {product && (
            <Publishing
              record={product}
              api={souk.products}
              live="ACTIVE"
              changed={reload}
              isChanged={record.isChanged}
              draft={{ value: wantsDraft, onInput: setWantsDraft }}
            />
          )}
          {product && (
            <SitePreview
              values={previewOf(values, product)}
              render={(draft, options) => souk.products.previewOnSite(id, draft, options)}
            />
          )}
          <Fields record={record} product={product} refreshStock={refreshStock} />
          {product && (
            <Versions
              id={id}
              api={souk.products}
              fieldName={versionField}
              hasDraft={product.hasDraft ?? false}
              restored={reload}
            />
          )}
          <SaveBar record={record} />
        </>
      )}
    </PageFrame>
  );
}

/** The product page shows neither status nor slug. */
function previewOf(values: ProductForm, product: Product): ProductChanges {
  const { statuses: _, slug: __, ...content } = toChanges(values, marketColumns([product]));
  return content;
}

/** A draft has no status. A status change applies to the product. */
async function store(
  id: string,
  { statuses, ...content }: ProductChanges,
  { ifMatch, isDraft }: { ifMatch: string | undefined; isDraft: boolean },
): Promise<Product & { etag?: string }> {
  const options = ifMatch ? { ifMatch } : {};
  if (!isDraft) return souk.products.update(id, { ...content, ...(statuses ? { statuses } : {}) }, options);
  const draft = await souk.products.update(id, content, { ...options, query: { draft: true } });
  if (!statuses) return draft;
  await souk.products.update(id, { statuses }, { ifMatch: draft });
  return souk.products.getDraft(id);
}

/** `variants.m.pricing` is "Variants: m, pricing". */
function versionField(field: string): string {
  const [name, ...rest] = field.split('.') as [keyof ProductForm, ...string[]];
  const text = fieldNames()[name] ?? name;
  return rest.length > 0 ? `${text}: ${rest.join(', ')}` : text;
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
