import type { Market, ShippingMethod } from '@souk/client';
import { optional } from '../../../parts/form/form.tsx';
import { MoneyField } from '../../../parts/form/number-fields.tsx';
import { t } from '../../../text/index.ts';

type Props = {
  method: ShippingMethod;
  set: (method: ShippingMethod) => void;
  markets: Market[];
  problem: (field: string) => string | undefined;
};

/** One row per market. Prices of deleted markets are kept. */
export function Prices({ method, set, markets, problem }: Props) {
  const { prices } = method;
  return (
    <>
      {markets.map(({ id, name, currency }) => {
        const at = prices.findIndex(({ market }) => market.toLowerCase() === id.toLowerCase());
        const price = prices[at];
        const change = (next: Partial<ShippingMethod['prices'][number]>) => {
          const changed = { ...(price ?? { market: id, amount: 0 }), ...next };
          if (changed.freeAbove === undefined) delete changed.freeAbove;
          set({
            ...method,
            prices: price ? prices.map((each, i) => (i === at ? changed : each)) : [...prices, changed],
          });
        };
        const without = () => set({ ...method, prices: prices.filter((_, i) => i !== at) });
        return (
          <div key={id} class="fields">
            <MoneyField
              label={t('settings.priceIn', { market: name || id })}
              hint={t('settings.priceHint')}
              currency={currency}
              value={price?.amount ?? null}
              onInput={(amount) => (amount === null ? without() : change({ amount }))}
              problem={problem(`prices[${at}].amount`)}
            />
            <MoneyField
              label={optional(t('settings.freeAbove', { market: name || id }))}
              currency={currency}
              disabled={!price}
              value={price?.freeAbove ?? null}
              onInput={(amount) => change({ freeAbove: amount ?? (undefined as never) })}
              problem={problem(`prices[${at}].freeAbove`)}
            />
          </div>
        );
      })}
    </>
  );
}
