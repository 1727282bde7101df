import type { ProductInput } from '@souk/client';
import { useMemo, useRef } from 'preact/hooks';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { useRecord } from '../../parts/editing/use-record.ts';
import { forget } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Fields, fieldNames } from './fields.tsx';
import { emptyProduct, marketColumns, type ProductForm, productKey, toChanges, toForm } from './form.ts';

export default function NewProduct() {
  const initial = useMemo(emptyProduct, []);
  const created = useRef('');
  const record = useRecord<ProductForm>({
    key: 'new product',
    initial,
    async save(_changes, { values: { slug, status, ...values } }) {
      const input = { ...toChanges(values, marketColumns()), status, ...(slug ? { slug } : {}) } as ProductInput;
      const product = await souk.products.create(input);
      created.current = product.id;
      return { values: toForm(product), key: productKey(product.id) };
    },
    saved() {
      forget('list products');
      navigate(`/products/${created.current}`, { replace: true });
    },
  });
  return (
    <PageFrame title={t('products.new')} back="/products">
      <RecordNotices record={record} names={fieldNames()} />
      <Fields record={record} product={null} />
      <SaveBar record={record} />
    </PageFrame>
  );
}
