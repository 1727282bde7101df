import type { PickupLocation, ShippingMethod } from '@souk/client';
import { AddressFields } from '../../../parts/form/address.tsx';
import { CollapsibleList } from '../../../parts/form/collapsible-list.tsx';
import { TextField } from '../../../parts/form/form.tsx';
import { t } from '../../../text/index.ts';
import type { Problems } from './values.ts';

type Props = { method: ShippingMethod; set: (method: ShippingMethod) => void; problems: Problems };

export function Locations({ method, set, problems }: Props) {
  const { locations = [] } = method;
  return (
    <>
      <p class="field-title">{t('shipping.locations')}</p>
      <CollapsibleList
        label={t('shipping.locations')}
        items={locations}
        onInput={(next) => set({ ...method, locations: next })}
        name={({ name }, i) => name || t('shipping.location', { number: i + 1 })}
        summary={({ address }) => [address.street, address.city].filter(Boolean).join(', ')}
        hasProblem={(i) => problems.within(`locations[${i}]`) !== undefined}
        add={{ label: t('shipping.addLocation'), make: (): PickupLocation => ({ id: '', name: '', address: {} }) }}
        empty={t('shipping.noLocations')}
      >
        {(location, change, i) => (
          <>
            <TextField
              label={t('settings.name')}
              value={location.name}
              onInput={(name) => change({ ...location, name })}
              problem={problems.at(`locations[${i}].name`)}
            />
            <AddressFields
              value={location.address}
              onInput={(address) => change({ ...location, address })}
              problem={(part) => problems.at(`locations[${i}].address.${part}`)}
            />
          </>
        )}
      </CollapsibleList>
    </>
  );
}
