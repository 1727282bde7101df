import type { PlanInput } from '@souk/client';
import type { Bound } from '../../parts/form/field-frame.tsx';
import { SelectField, TagsField, TextField } from '../../parts/form/form.tsx';
import { MoneyField } from '../../parts/form/number-fields.tsx';
import { Section } from '../../parts/page.tsx';
import { business } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const INTERVALS = ['ONCE', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

type Props = Bound<PlanInput[]> & { problemOf: (field: string) => string | undefined };

export function Plans({ value, onInput, problem, problemOf }: Props) {
  const currencies = [...new Set((business.value?.configs.markets ?? []).map(({ currency }) => currency))];
  const first = currencies[0] ?? 'usd';
  const set = (at: number, next: PlanInput) => onInput(value.map((each, i) => (i === at ? next : each)));
  const add = () => {
    const taken = value.map(({ id }) => id);
    let number = value.length + 1;
    while (taken.includes(`plan-${number}`)) number++;
    onInput([
      ...value,
      { id: `plan-${number}`, name: '', price: { amount: 500, currency: first, interval: 'MONTHLY' } },
    ]);
  };
  const setAmount = (at: number, plan: PlanInput, amount: number | null) => {
    const { price, ...rest } = plan;
    set(at, amount === null ? rest : { ...rest, price: { currency: first, interval: 'MONTHLY', ...price, amount } });
  };
  return (
    <Section
      title={t('newsletters.plans')}
      actions={
        <button type="button" class="quiet" onClick={add}>
          {t('newsletters.addPlan')}
        </button>
      }
    >
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {value.map((plan, i) => (
        <fieldset key={plan.id} class="row-card">
          <legend>{t('newsletters.planNumber', { number: i + 1 })}</legend>
          <div class="fields">
            <TextField
              label={t('newsletters.planName')}
              value={plan.name}
              onInput={(name) => set(i, { ...plan, name })}
              problem={problemOf(`plans[${i}].name`)}
            />
            <MoneyField
              label={t('newsletters.price')}
              hint={t('newsletters.priceHint')}
              currency={plan.price?.currency ?? first}
              value={plan.price?.amount ?? null}
              onInput={(amount) => setAmount(i, plan, amount)}
              problem={problemOf(`plans[${i}].price.amount`)}
            />
            {plan.price && (
              <>
                <SelectField
                  label={t('newsletters.currency')}
                  value={plan.price.currency}
                  options={[...new Set([plan.price.currency, ...currencies])].map((each) => [each, each.toUpperCase()])}
                  onInput={(currency) => set(i, { ...plan, price: { ...plan.price!, currency } })}
                />
                <SelectField
                  label={t('newsletters.interval')}
                  value={plan.price.interval ?? 'ONCE'}
                  options={INTERVALS.map((each) => [each, t(`newsletters.${each}`)])}
                  onInput={(interval) => set(i, { ...plan, price: { ...plan.price!, interval } })}
                />
              </>
            )}
          </div>
          <TagsField
            label={t('newsletters.benefits')}
            hint={t('newsletters.benefitsHint')}
            value={plan.features ?? []}
            onInput={(features) => set(i, { ...plan, features })}
          />
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
