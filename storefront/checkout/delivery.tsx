/** How the order is delivered: shipped to an address, or picked up. */
import type { ShippingOption } from '@souk/client';
import { marketId, markets, money, shippingMethods } from '../shop.ts';
import { addressLines } from './address-lines.ts';
import { country, formatOf, notDelivered } from './countries.ts';
import { Option, priceText } from './option.tsx';
import { chooseShipping, type Delivery } from './price.ts';
import { type } from './typed.ts';

/** Shown if orders can be picked up. */
export const DeliverySwitch = ({ isPickup }: { isPickup: boolean }) => (
  <div class="options switch" role="radiogroup" aria-label="Delivery">
    <Option name="delivery" checked={!isPickup} onChoose={() => type({ isPickup: false })} label="Ship" />
    <Option name="delivery" checked={isPickup} onChoose={() => type({ isPickup: true })} label="Pick up" />
  </div>
);

/** The shipping methods that serve the address. */
export function ShippingOptions({ delivery, isLoading }: { delivery: Delivery; isLoading: boolean }) {
  const { options, offered, hasPickup, isOpen, shippingMethodId } = delivery;
  return (
    <fieldset class="options" aria-busy={isLoading}>
      <legend>Shipping method</legend>
      {options === null && <div class="skeleton option-space" aria-hidden="true" />}
      {options !== null && offered.length === 0 && (
        <p class="notice" role="status">
          {isOpen ? `Enter your ${openField()} to see shipping methods.` : notDelivered(country.value)}
          {!isOpen && hasPickup && ' You can pick up your order instead.'}
        </p>
      )}
      {offered.map(({ shippingMethodId: id, name, etaText, amount, currency }) => (
        <Option
          key={id}
          name="shipping"
          checked={id === shippingMethodId}
          onChoose={() => chooseShipping(id)}
          label={name}
          note={etaText}
          price={priceText(amount, currency)}
        />
      ))}
    </fieldset>
  );
}

/** The field that the shipping methods depend on. */
function openField(): string {
  const format = formatOf(country.value);
  const field = (['zip', 'state'] as const)
    .map((name) => format?.fields.find((each) => each.name === name))
    .find(Boolean);
  return field?.label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()) ?? 'address';
}

type LocationProps = {
  options: ShippingOption[];
  shippingMethodId: string | undefined;
  locationId: string | undefined;
};

/** Where the order can be picked up. */
export const PickupLocations = ({ options, shippingMethodId, locationId }: LocationProps) => (
  <fieldset class="options">
    <legend>Pickup location</legend>
    {options.flatMap(({ shippingMethodId: id, name: method, etaText, amount, currency, locations = [] }) =>
      (locations.length > 0 ? locations : [{ id: undefined, name: method, address: null }]).map((location) => (
        <Option
          key={`${id} ${location.id}`}
          name="location"
          checked={id === shippingMethodId && location.id === locationId}
          onChoose={() => {
            chooseShipping(id);
            if (location.id) type({ pickupLocationId: location.id });
          }}
          label={location.name}
          note={[location.address && addressLines(location.address).join(', '), etaText].filter(Boolean).join(' · ')}
          price={priceText(amount, currency)}
        />
      )),
    )}
  </fieldset>
);

/** In a shop without zones: all methods of the market. */
export function MarketShipping({ delivery: { shippingMethodId, pickupLocationId } }: { delivery: Delivery }) {
  const { currency = '' } = markets.value.find(({ id }) => id === marketId.value) ?? {};
  const chosen = shippingMethods.value.find(({ id }) => id === shippingMethodId);
  const { locations = [] } = chosen ?? {};
  return (
    <>
      <fieldset class="options">
        <legend>Shipping method</legend>
        {shippingMethods.value.map(({ id, name = id, etaText, prices }) => {
          const { amount, freeAbove } = prices.find(({ market }) => market === marketId.value)!;
          const isConditional = amount > 0 && freeAbove !== undefined;
          const free = isConditional && `free on orders of ${money(freeAbove, currency)} or more`;
          return (
            <Option
              key={id}
              name="shipping"
              checked={id === shippingMethodId}
              onChoose={() => chooseShipping(id)}
              label={name}
              note={[etaText, free].filter(Boolean).join(', ')}
              price={priceText(amount, currency)}
            />
          );
        })}
      </fieldset>
      {locations.length > 1 && (
        <fieldset class="options">
          <legend>Pickup location</legend>
          {locations.map(({ id, name, address }) => (
            <Option
              key={id}
              name="location"
              checked={id === pickupLocationId}
              onChoose={() => type({ pickupLocationId: id })}
              label={name}
              note={addressLines(address).join(', ')}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
