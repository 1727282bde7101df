import type { Bound } from '../../parts/form/field-frame.tsx';
import { SelectField } from '../../parts/form/form.tsx';
import { MoneyField, NumberField } from '../../parts/form/number-fields.tsx';
import { Section } from '../../parts/page.tsx';
import { t } from '../../text/index.ts';
import { currencyOf, type Discount, type DiscountType, markets } from './values.ts';

const TYPES: DiscountType[] = ['ITEMS_PERCENTAGE', 'ITEMS_FIXED', 'SHIPPING_PERCENTAGE'];

type Props = Bound<Discount[]> & { problemOf: (field: string) => string | undefined };

export function Discounts({ value, onInput, problem, problemOf }: Props) {
  const set = (at: number, next: Discount) => onInput(value.map((each, i) => (i === at ? next : each)));
  const add = (
    <button
      type="button"
      class="quiet"
      onClick={() =>
        onInput([...value, { type: value.length ? 'SHIPPING_PERCENTAGE' : 'ITEMS_PERCENTAGE', bps: 1000 }])
      }
    >
      {t('promoCodes.addDiscount')}
    </button>
  );
  return (
    <Section title={t('promoCodes.discounts')} actions={add}>
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {value.map((discount, i) => (
        <fieldset key={i} class="row-card">
          <legend>{t('promoCodes.discountNumber', { number: i + 1 })}</legend>
          <div class="fields">
            <SelectField
              label={t('promoCodes.type')}
              value={discount.type}
              options={TYPES.map((type) => [type, t(`promoCodes.${type}`)])}
              onInput={(type) => set(i, changeType(discount, type))}
            />
            {discount.type === 'ITEMS_FIXED' ? (
              <MoneyField
                label={t('promoCodes.amount')}
                currency={currencyOf(discount.marketId)}
                value={discount.amount ?? null}
                onInput={(amount) => set(i, { ...discount, amount: amount ?? 0 })}
                problem={problemOf(`discounts[${i}].amount`)}
              />
            ) : (
              <NumberField
                label={t('promoCodes.percent')}
                suffix="%"
                value={(discount.bps ?? 0) / 100}
                onInput={(percent) => set(i, { ...discount, bps: Math.round((percent ?? 0) * 100) })}
                problem={problemOf(`discounts[${i}].bps`)}
              />
            )}
            <SelectField
              label={t('promoCodes.market')}
              value={discount.marketId ?? ''}
              options={[['', t('promoCodes.anyMarket')], ...markets().map(({ id, name }) => [id, name || id] as const)]}
              onInput={(marketId) => {
                const { marketId: _, ...rest } = discount;
                set(i, marketId ? { ...rest, marketId } : rest);
              }}
              problem={problemOf(`discounts[${i}].marketId`)}
            />
          </div>
          {value.length > 1 && (
            <button type="button" class="link" onClick={() => onInput(value.filter((_, at) => at !== i))}>
              {t('parts.remove')}
            </button>
          )}
        </fieldset>
      ))}
    </Section>
  );
}

function changeType({ marketId, bps, amount }: Discount, type: DiscountType): Discount {
  const size = type === 'ITEMS_FIXED' ? { amount: amount ?? 500 } : { bps: bps ?? 1000 };
  return { type, ...size, ...(marketId ? { marketId } : {}) };
}
