import type { Market, ShippingMethod } from '@souk/client';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { CountriesField } from '../../../parts/form/iso-fields.tsx';
import { problemWithin } from '../../../parts/problem.tsx';
import { t } from '../../../text/index.ts';
import { EndpointFields } from '../endpoint-fields.tsx';
import { Locations } from './locations.tsx';
import { Prices } from './prices.tsx';
import type { Problems, Values } from './values.ts';
import { Zones } from './zones.tsx';

type Props = {
  method: ShippingMethod;
  set: (method: ShippingMethod) => void;
  index: number;
  record: FormRecord<Values>;
  markets: Market[];
};

export function MethodFields({ method, set, index, record, markets }: Props) {
  const path = `configs.shippingMethods[${index}]`;
  const problems: Problems = {
    at: (field) => record.problem(`${path}.${field}`),
    within: (field) => problemWithin(record.error, `${path}.${field}`),
  };
  const isPickup = method.type === 'PICKUP';
  const hasZones = !isPickup && (method.zones?.length ?? 0) > 0;
  return (
    <>
      <div class="fields">
        <TextField
          label={t('settings.name')}
          value={method.name ?? ''}
          onInput={(name) => set({ ...method, name })}
          problem={problems.at('name')}
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
        <TextField
          label={optional(t('settings.eta'))}
          placeholder={t('settings.etaExample')}
          value={method.etaText ?? ''}
          onInput={(etaText) => set({ ...method, etaText })}
          problem={problems.at('etaText')}
        />
      </div>
      {!isPickup && (
        <SelectField
          label={t('shipping.pricing')}
          {...(hasZones ? { hint: t('shipping.byZoneHint') } : {})}
          value={hasZones ? 'ZONES' : 'SAME'}
          onInput={(choice) => set(choice === 'ZONES' ? withZone(method) : { ...method, zones: [] })}
          options={[
            ['SAME', t('shipping.everywhere')],
            ['ZONES', t('shipping.byZone')],
          ]}
        />
      )}
      {hasZones ? (
        <Zones method={method} set={set} markets={markets} problems={problems} />
      ) : (
        <Prices method={method} set={set} markets={markets} problem={problems.at} />
      )}
      {!isPickup && !hasZones && (
        <CountriesField
          label={optional(t('settings.countries'))}
          hint={t('settings.countriesHint')}
          value={method.countries ?? []}
          onInput={(countries) => set({ ...method, countries })}
          problem={problems.within('countries')}
        />
      )}
      {isPickup && <Locations method={method} set={set} problems={problems} />}
      <CheckField
        label={t('settings.taxable')}
        value={method.taxable ?? false}
        onInput={(taxable) => set({ ...method, taxable })}
      />
      {!isPickup && (
        <EndpointFields
          title={t('shipping.carrier')}
          text={t('shipping.carrierText')}
          value={method.carrier}
          onInput={(carrier) => set({ ...method, carrier })}
          problem={(field) => problems.at(`carrier.${field}`)}
        />
      )}
      <details class="narrow-down" open={problems.at('id') !== undefined}>
        <summary>{t('shipping.code')}</summary>
        <TextField
          label={t('shipping.code')}
          hideLabel
          hint={t('shipping.codeHint')}
          value={method.id}
          onInput={(id) => set({ ...method, id: id.trim() })}
          problem={problems.at('id')}
        />
      </details>
    </>
  );
}

/** The first zone starts with the countries and prices of the method. */
function withZone(method: ShippingMethod): ShippingMethod {
  return {
    ...method,
    zones: [{ countries: method.countries ?? [], rates: method.prices.map((price) => ({ ...price })) }],
  };
}
