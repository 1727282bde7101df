/** Adjusts a variant's stock by a relative amount and shows its history. */
import type { Product } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form/form.tsx';
import { NumberField } from '../../parts/form/number-fields.tsx';
import { forget, useAction, useLoad } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { DateTime } from '../../parts/show.tsx';
import { souk } from '../../shell/session.ts';
import { t, tOr } from '../../text/index.ts';

type Props = { product: Product; variantId: string; name: string; close: () => void; done: () => Promise<unknown> };

export function StockDialog({ product, variantId, name, close, done }: Props) {
  const [by, setBy] = useState<number | null>(null);
  const key = `stock ${product.id} ${variantId}`;
  const { data: history = [] } = useLoad(key, async (signal) => {
    const { items } = await souk.products.listStockChanges(product.id, variantId, { limit: 50 }, { signal }).page();
    return items;
  });
  const { run, isBusy, error } = useAction(async () => {
    if (by === null || by === 0) return;
    await souk.products.adjustStock(product.id, variantId, { adjust: by });
    setBy(null);
    forget(key);
    forget('list products');
    await done();
  });
  const now = product.variants.find(({ id }) => id === variantId)?.inventory.quantity ?? 0;
  return (
    <Dialog title={t('products.adjustOf', { name })} close={close} wide>
      <Form submit={run} busy={isBusy}>
        {!problemOf(error, 'adjust') && <Problem error={error} />}
        <p role="status">{t('products.current', { count: now })}</p>
        <div class="joined">
          <NumberField
            label={t('products.adjustBy')}
            hint={t('products.adjustHint')}
            value={by}
            onInput={setBy}
            problem={problemOf(error, 'adjust')}
          />
          <button type="submit">{t('products.adjust')}</button>
        </div>
      </Form>
      <h3>{t('products.history')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label={t('products.history')}>
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('products.when')}</th>
              <th scope="col">{t('products.why')}</th>
              <th scope="col" class="number">
                {t('products.change')}
              </th>
              <th scope="col" class="number">
                {t('products.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {history.map(({ timestamp, reason, change, quantity }, i) => (
              <tr key={i}>
                <td>
                  <DateTime at={timestamp} />
                </td>
                <td>{tOr(`products.why_${reason}`, reason)}</td>
                <td class="number">{change > 0 ? `+${change}` : change}</td>
                <td class="number">{quantity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  );
}
