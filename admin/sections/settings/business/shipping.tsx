/** The shipping methods and their price in each market. */
import type { Market, ShippingMethod } from '@souk/client';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { CountriesField } from '../../../parts/form/iso-fields.tsx';
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { MoneyField } from '../../../parts/form/number-fields.tsx';
import { href } from '../../../shell/router.ts';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = { shippingMethods: ShippingMethod[] };

export default function Page() {
  const record = useBusiness<Values>({
    name: 'shipping',
    read: ({ configs }) => ({ shippingMethods: configs.shippingMethods ?? [] }),
    write: ({ shippingMethods }) => ({ configs: { shippingMethods: shippingMethods.map(withoutEmpty) } }),
  });
  const markets = business.value?.configs.markets ?? [];
  return (
    <PartForm path="shipping" record={record} names={{ shippingMethods: t('settings.shipping') }}>
      {({ shippingMethods }) => (
        <>
          <p class="quiet">{t('settings.shippingText')}</p>
          {markets.length === 0 && (
            <p class="notice">
              {t('settings.marketsFirst')} <a href={href('/settings/markets')}>{t('settings.markets')}</a>
            </p>
          )}
          <ListEditor
            items={shippingMethods}
            onInput={(next) => record.set('shippingMethods', next)}
            name={({ id, name }, i) => name || id || t('settings.method', { number: i + 1 })}
            add={{ label: t('settings.addMethod'), make: () => newMethod(markets) }}
            empty={t('settings.noMethods')}
          >
            {(method, set, i) => <MethodFields method={method} set={set} index={i} record={record} markets={markets} />}
          </ListEditor>
        </>
      )}
    </PartForm>
  );
}

const newMethod = (markets: Market[]): ShippingMethod => ({
  id: '',
  name: '',
  type: 'SHIPPING',
  taxable: true,
  etaText: '',
  prices: markets.map(({ id }) => ({ market: id, amount: 0 })),
});

function withoutEmpty({ name, etaText, countries, ...method }: ShippingMethod): ShippingMethod {
  return {
    ...method,
    ...(name?.trim() ? { name } : {}),
    ...(etaText?.trim() ? { etaText } : {}),
    ...(countries?.length ? { countries } : {}),
  };
}

type FieldsProps = {
  method: ShippingMethod;
  set: (method: ShippingMethod) => void;
  index: number;
  record: FormRecord<Values>;
  markets: Market[];
};

function MethodFields({ method, set, index, record, markets }: FieldsProps) {
  const problem = (field: string) => record.problem(`configs.shippingMethods[${index}].${field}`);
  return (
    <>
      <div class="fields">
        <TextField
          label={t('settings.code')}
          hint={t('settings.methodCodeHint')}
          value={method.id}
          onInput={(id) => set({ ...method, id: id.trim() })}
          problem={problem('id')}
        />
        <TextField
          label={t('settings.name')}
          value={method.name ?? ''}
          onInput={(name) => set({ ...method, name })}
          problem={problem('name')}
        />
        <SelectField
          label={t('settings.methodType')}
          value={method.type ?? 'SHIPPING'}
          onInput={(type) => set({ ...method, type })}
          options={[
            ['SHIPPING', t('settings.SHIPPING')],
            ['PICKUP', t('settings.PICKUP')],
          ]}
        />
      </div>
      <Prices method={method} set={set} markets={markets} problem={problem} />
      <div class="fields">
        <TextField
          label={optional(t('settings.eta'))}
          placeholder={t('settings.etaExample')}
          value={method.etaText ?? ''}
          onInput={(etaText) => set({ ...method, etaText })}
          problem={problem('etaText')}
        />
        <CountriesField
          label={optional(t('settings.countries'))}
          hint={t('settings.countriesHint')}
          value={method.countries ?? []}
          onInput={(countries) => set({ ...method, countries })}
          problem={problem('countries') ?? problem('countries[0]')}
        />
      </div>
      <CheckField
        label={t('settings.taxable')}
        value={method.taxable ?? false}
        onInput={(taxable) => set({ ...method, taxable })}
      />
    </>
  );
}

type PricesProps = Pick<FieldsProps, 'method' | 'set' | 'markets'> & { problem: (field: string) => string | undefined };

/** One row per market. Prices of deleted markets are kept. */
function Prices({ method, set, markets, problem }: PricesProps) {
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
