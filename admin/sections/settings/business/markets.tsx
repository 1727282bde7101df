/** The markets of the business with currency, tax and payment methods. A new market starts with those of its country. */
import type { Market, VatRates } from '@souk/client';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { currencyOf } from '../../../parts/form/iso.ts';
import { CountriesField, IsoField } from '../../../parts/form/iso-fields.tsx';
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { useLoad } from '../../../parts/load.ts';
import { problemWithin } from '../../../parts/problem.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = { markets: Market[] };
/** The methods that a market without a list accepts. Bank transfers need an account. */
const DEFAULT_METHODS = ['CREDIT_CARD', 'CASH', 'FREE'] as const;
const METHODS = ['CREDIT_CARD', 'CASH', 'BANK_TRANSFER', 'FREE'] as const;

export default function Page() {
  const record = useBusiness<Values>({
    name: 'markets',
    read: ({ configs }) => ({ markets: configs.markets ?? [] }),
    write: ({ markets }) => ({ configs: { markets: markets.map(withoutEmpty) } }),
  });
  const { data: vat } = useLoad('vat rates', (signal) => souk.payments.getVatRates({ signal }));
  const country = business.value?.configs.profile?.address?.country;
  const isNew = ({ id }: Market) => !record.base?.markets.some((each) => each.id === id);
  /** The first country of a new market sets its terms, unless they were edited. */
  const withTerms = (market: Market, next: Market): Market => {
    const [before = country, after = country] = [market.countries?.[0], next.countries?.[0]];
    const given = termsOf(before, vat);
    const isUnedited = (Object.keys(given) as (keyof Terms)[]).every((name) => next[name] === given[name]);
    return isUnedited && before !== after ? { ...next, ...termsOf(after, vat) } : next;
  };
  return (
    <PartForm path="markets" record={record} names={{ markets: t('settings.markets') }}>
      {({ markets }) => (
        <>
          <p class="quiet">{t('settings.marketsText')}</p>
          <ListEditor
            items={markets}
            onInput={(next) => record.set('markets', next)}
            name={({ id, name }, i) => name || id || t('settings.market', { number: i + 1 })}
            add={{ label: t('settings.addMarket'), make: () => newMarket(termsOf(country, vat)) }}
            empty={t('settings.noMarkets')}
          >
            {(market, set, i) => (
              <MarketFields
                market={market}
                set={(next) => set(isNew(market) ? withTerms(market, next) : next)}
                index={i}
                record={record}
              />
            )}
          </ListEditor>
        </>
      )}
    </PartForm>
  );
}

type Terms = Required<Pick<Market, 'currency' | 'taxMode' | 'taxBps'>>;

/** The currency and the standard VAT rate of a country. Prices for consumers include VAT. */
function termsOf(country: string | undefined, vat: VatRates | undefined): Terms {
  const rate = vat?.taxRates.find((each) => each.country === country && each.classId === 'standard');
  return {
    currency: (country && currencyOf(country)?.toLowerCase()) || 'usd',
    taxMode: rate ? 'INCLUSIVE' : 'EXCLUSIVE',
    taxBps: rate?.bps ?? 0,
  };
}

const newMarket = (terms: Terms): Market => ({
  id: '',
  name: '',
  ...terms,
  paymentMethods: DEFAULT_METHODS.map((method) => ({ method })),
});

function withoutEmpty({ name, countries, ...market }: Market): Market {
  return { ...market, ...(name?.trim() ? { name } : {}), ...(countries?.length ? { countries } : {}) };
}

type FieldsProps = { market: Market; set: (market: Market) => void; index: number; record: FormRecord<Values> };

function MarketFields({ market, set, index, record }: FieldsProps) {
  const problem = (field: string) => record.problem(`configs.markets[${index}].${field}`);
  const accepted: string[] = market.paymentMethods?.map(({ method }) => method) ?? [...DEFAULT_METHODS];
  const hasAccount = business.value?.configs.bankTransfer !== undefined;
  const accept = (method: (typeof METHODS)[number], isAccepted: boolean) => {
    const next = METHODS.filter((each) => (each === method ? isAccepted : accepted.includes(each)));
    set({ ...market, paymentMethods: next.map((each) => ({ method: each })) });
  };
  return (
    <>
      <div class="fields">
        <TextField
          label={t('settings.code')}
          hint={t('settings.marketCodeHint')}
          value={market.id}
          onInput={(id) => set({ ...market, id: id.trim() })}
          problem={problem('id')}
        />
        <TextField
          label={t('settings.name')}
          value={market.name ?? ''}
          onInput={(name) => set({ ...market, name })}
          problem={problem('name')}
        />
        <IsoField
          type="currency"
          label={t('settings.currency')}
          value={market.currency}
          onInput={(currency) => set({ ...market, currency: currency.toLowerCase() })}
          problem={problem('currency')}
        />
      </div>
      <div class="fields">
        <SelectField
          label={t('settings.taxMode')}
          value={market.taxMode ?? 'EXCLUSIVE'}
          onInput={(taxMode) => set({ ...market, taxMode })}
          options={[
            ['EXCLUSIVE', t('settings.taxExclusive')],
            ['INCLUSIVE', t('settings.taxInclusive')],
          ]}
        />
        <NumberField
          label={t('settings.taxRate')}
          suffix="%"
          value={(market.taxBps ?? 0) / 100}
          {...(business.value?.configs.taxRates?.length ? { hint: t('taxes.replaced') } : {})}
          onInput={(percent) => set({ ...market, taxBps: Math.round((percent ?? 0) * 100) })}
          problem={problem('taxBps')}
        />
      </div>
      <CountriesField
        label={optional(t('settings.countries'))}
        hint={t('settings.marketCountriesHint')}
        value={market.countries ?? []}
        onInput={(countries) => set({ ...market, countries })}
        problem={problemWithin(record.error, `configs.markets[${index}].countries`)}
      />
      <fieldset>
        <legend>{t('settings.paymentMethods')}</legend>
        <div class="checks">
          {METHODS.map((method) => (
            <CheckField
              key={method}
              label={t(`settings.${method}`)}
              value={accepted.includes(method)}
              onInput={(isAccepted) => accept(method, isAccepted)}
              {...(method === 'BANK_TRANSFER' && !hasAccount
                ? { hint: t('settings.bankMissing'), disabled: !accepted.includes(method) }
                : {})}
              problem={method === 'BANK_TRANSFER' ? problem('paymentMethods') : undefined}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
