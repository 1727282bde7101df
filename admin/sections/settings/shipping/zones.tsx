import type { Market, ShippingMethod, ShippingZone } from '@souk/client';
import { useAddressFormat, useEuMembers } from '../../../parts/form/address-format.ts';
import { ChipsField } from '../../../parts/form/chips.tsx';
import { CollapsibleList } from '../../../parts/form/collapsible-list.tsx';
import { optional, TagsField } from '../../../parts/form/form.tsx';
import { CountriesField } from '../../../parts/form/iso-fields.tsx';
import { t } from '../../../text/index.ts';
import { Rates } from './rates.tsx';
import { ratesText, zoneName } from './summary.ts';
import type { Problems } from './values.ts';

type Props = {
  method: ShippingMethod;
  set: (method: ShippingMethod) => void;
  markets: Market[];
  problems: Problems;
};

export function Zones({ method, set, markets, problems }: Props) {
  const eu = useEuMembers();
  const zones = method.zones ?? [];
  return (
    <CollapsibleList
      label={t('shipping.zones')}
      items={zones}
      onInput={(next) => set({ ...method, zones: next })}
      name={(zone, i) => zoneName(zone, eu) || t('shipping.zone', { number: i + 1 })}
      summary={({ rates }) => ratesText(rates, markets)}
      isEmpty={({ countries }) => countries.length === 0}
      hasProblem={(i) => problems.within(`zones[${i}]`) !== undefined}
      add={{
        label: t('shipping.addZone'),
        make: () => ({ countries: [], rates: markets.map(({ id }) => ({ market: id, amount: 0 })) }),
      }}
    >
      {(zone, change, i) => (
        <ZoneFields
          zone={zone}
          set={change}
          markets={markets}
          problems={{
            at: (field) => problems.at(`zones[${i}].${field}`),
            within: (field) => problems.within(`zones[${i}].${field}`),
          }}
        />
      )}
    </CollapsibleList>
  );
}

type ZoneProps = { zone: ShippingZone; set: (zone: ShippingZone) => void; markets: Market[]; problems: Problems };

function ZoneFields({ zone, set, markets, problems }: ZoneProps) {
  const { countries, states = [], zips = [], rates } = zone;
  return (
    <>
      <CountriesField
        label={t('shipping.zoneCountries')}
        value={countries}
        onInput={(next) => set({ ...zone, countries: next })}
        problem={problems.within('countries')}
      />
      <details class="narrow-down" open={states.length > 0 || zips.length > 0}>
        <summary>{t('shipping.narrow')}</summary>
        <div class="fields">
          <States
            country={countries.length === 1 ? countries[0]! : ''}
            value={states}
            onInput={(next) => set({ ...zone, states: next })}
            problem={problems.within('states')}
          />
          <TagsField
            label={optional(t('shipping.zips'))}
            hint={t('shipping.zipsHint')}
            value={zips}
            onInput={(next) => set({ ...zone, zips: next })}
            problem={problems.within('zips')}
          />
        </div>
      </details>
      {markets.map((market) => (
        <Rates
          key={market.id}
          market={market}
          isOnly={markets.length === 1}
          rates={rates}
          onInput={(next) => set({ ...zone, rates: next })}
          problem={(field) => problems.at(`rates${field}`)}
        />
      ))}
    </>
  );
}

type StatesProps = {
  country: string;
  value: string[];
  onInput: (value: string[]) => void;
  problem: string | undefined;
};

/** For one country, states are chosen from a list; for several countries, they are typed. */
function States({ country, ...field }: StatesProps) {
  const { states = [] } = useAddressFormat(country) ?? {};
  const label = optional(t('shipping.states'));
  const hint = t('shipping.statesHint');
  if (states.length === 0) return <TagsField label={label} hint={hint} {...field} />;
  return (
    <ChipsField
      label={label}
      hint={hint}
      placeholder={t('shipping.searchStates')}
      options={states.map(({ code, name }) => [code, name] as const)}
      {...field}
    />
  );
}
