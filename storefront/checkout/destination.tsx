/** Where the order goes: an address and a shipping method, or a pickup location. */
import type { PartialAddress } from '@souk/client';
import { Field } from '../parts.tsx';
import { account } from '../shop.ts';
import { AddressForm } from './address-form.tsx';
import { servedCountries, shippingAddress, shipTo } from './countries.ts';
import { DeliverySwitch, PickupLocations, ShippingOptions } from './delivery.tsx';
import { Check } from './option.tsx';
import type { Delivery } from './price.ts';
import type { Problems } from './problems.ts';
import { SavedAddresses } from './saved.tsx';
import { type, typed, typeShipping } from './typed.ts';

type Props = {
  delivery: Delivery;
  isLoading: boolean;
  isShipped: boolean;
  problems: Problems;
  saved: PartialAddress[];
};

export function Destination({ delivery, isLoading, isShipped, problems, saved }: Props) {
  const { hasPickup, isPickup, offered, shippingMethodId, pickupLocationId } = delivery;
  const path = isShipped ? 'shippingAddress' : 'billingAddress';
  const isChosen = typed.value.saved != null && saved.length > 0;
  if (isShipped && isPickup) {
    return (
      <>
        <fieldset>
          <legend>Delivery</legend>
          <DeliverySwitch isPickup />
          <Field
            label="Name"
            autocomplete="name"
            value={shippingAddress.value.name ?? ''}
            hint="Of the person who picks up the order"
            problem={problems.of('name')}
            onInput={(name) => {
              problems.set('name', undefined);
              typeShipping({ name });
            }}
          />
        </fieldset>
        <PickupLocations options={offered} shippingMethodId={shippingMethodId} locationId={pickupLocationId} />
      </>
    );
  }
  return (
    <>
      <fieldset>
        <legend>{isShipped ? 'Delivery' : 'Billing address'}</legend>
        {hasPickup && <DeliverySwitch isPickup={false} />}
        {saved.length > 0 && <SavedAddresses addresses={saved} />}
        {(!isChosen || problems.has(path)) && (
          <AddressForm
            path={path}
            kind={isShipped ? 'shipping' : 'billing'}
            address={shippingAddress.value}
            countries={servedCountries.value}
            change={typeShipping}
            chooseCountry={(country) => {
              shipTo(country);
              typeShipping({ country });
            }}
            problems={problems}
          />
        )}
        {account.value && !isChosen && isShipped && (
          <Check
            label="Save this address to my account"
            checked={typed.value.keepsAddress}
            onChange={(keepsAddress) => type({ keepsAddress })}
          />
        )}
      </fieldset>
      {isShipped && <ShippingOptions delivery={delivery} isLoading={isLoading} />}
    </>
  );
}
