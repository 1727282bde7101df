/** The delivery of the order: shipped to an address, or picked up. */
import { Check, Field, Option, type Problems } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { fill, money } from '../site.ts';
import { AddressFields } from './address-fields.tsx';
import { addressLines, countryName } from './address-lines.ts';
import { inSentence } from './check-address.ts';
import type { Checkout } from './load.ts';

type Props = { checkout: Checkout; problems: Problems };

export function DeliveryFields({ checkout, problems }: Props) {
  const { checkout: words } = useSite().texts;
  const { isShipped, isPickup, options, address, format, countries, allCountries } = checkout;
  const hasPickup = isShipped && options.some(({ type }) => type === 'PICKUP');
  const path = isShipped ? 'shippingAddress' : 'billingAddress';
  return (
    <>
      <fieldset>
        <legend>{isShipped ? words.delivery : words.billingAddress}</legend>
        {hasPickup && (
          <div class="options switch" role="radiogroup" aria-label={words.delivery}>
            <Option name="delivery" value="ship" checked={!isPickup} label={words.ship} />
            <Option name="delivery" value="pickup" checked={isPickup} label={words.pickUp} />
          </div>
        )}
        {isPickup ? (
          <Field
            name="name"
            label={words.pickupName}
            autocomplete="name"
            value={checkout.pickupName ?? checkout.cart.billingAddress?.name ?? address.name}
            problem={problems.name}
          />
        ) : (
          <>
            <SavedAddresses checkout={checkout} />
            {checkout.chosen === null && (
              <AddressFields
                path={path}
                kind={isShipped ? 'shipping' : 'billing'}
                address={address}
                format={format}
                countries={isShipped ? countries : allCountries}
                problems={problems}
                hasPhone={isShipped}
              />
            )}
            {checkout.isLoggedIn && checkout.chosen === null && isShipped && (
              <Check name="keep">{words.keepAddress}</Check>
            )}
          </>
        )}
      </fieldset>
      {isShipped && (isPickup ? <Pickup checkout={checkout} /> : <Methods checkout={checkout} problems={problems} />)}
    </>
  );
}

function SavedAddresses({ checkout: { saved, chosen, formats } }: { checkout: Checkout }) {
  const { texts, locale } = useSite();
  const { checkout: words } = texts;
  if (saved.length === 0) return null;
  return (
    <div class="options" role="radiogroup" aria-label={words.savedAddresses}>
      {saved.map((address, i) => {
        const [first, ...rest] = addressLines(address, locale, formats);
        return (
          <Option key={i} name="saved" value={String(i)} checked={i === chosen} label={first} note={rest.join(', ')} />
        );
      })}
      <Option name="saved" value="" checked={chosen === null} label={words.otherAddress} />
      <button type="submit" name="action" value="update" class="quiet without-script">
        {words.useAddress}
      </button>
    </div>
  );
}

function Methods({ checkout: { options, method, address, format }, problems }: Props) {
  const site = useSite();
  const { checkout: words, cart } = site.texts;
  const offered = options.filter(({ type }) => type !== 'PICKUP');
  const problem = problems.shippingMethodId;
  const empty = format?.fields.find(
    ({ name, required }) => (name === 'zip' || (name === 'state' && required)) && !address[name],
  );
  const country = countryName(address.country ?? '', site.locale);
  const missing = empty
    ? fill(words.enterFirst, { label: inSentence(empty.label) })
    : [fill(words.notDelivered, { country }), options.length > 0 && words.pickUpInstead].filter(Boolean).join(' ');
  return (
    <fieldset class="options">
      <legend>{words.shippingMethod}</legend>
      {offered.length === 0 && <p class="notice">{missing}</p>}
      {problem && <p class="field-error">{problem}</p>}
      {offered.map(({ shippingMethodId: id, name, etaText, amount, currency }) => (
        <Option
          key={id}
          name="shippingMethodId"
          value={id}
          checked={id === method?.shippingMethodId}
          label={name}
          note={etaText}
          price={amount === 0 ? cart.free : money(amount, currency, site)}
        />
      ))}
      <button type="submit" name="action" value="update" class="quiet without-script">
        {words.updateShipping}
      </button>
    </fieldset>
  );
}

function Pickup({ checkout: { options, method, locationId, formats } }: { checkout: Checkout }) {
  const site = useSite();
  const { checkout: words, cart } = site.texts;
  return (
    <fieldset class="options">
      <legend>{words.pickupLocation}</legend>
      {options
        .filter(({ type }) => type === 'PICKUP')
        .flatMap(({ shippingMethodId: id, name, etaText, amount, currency, locations = [] }) =>
          (locations.length > 0 ? locations : [{ id: '', name, address: null }]).map((location) => (
            <Option
              key={`${id} ${location.id}`}
              name="pickup"
              value={`${id} ${location.id}`.trim()}
              checked={id === method?.shippingMethodId && (location.id || null) === locationId}
              label={location.name}
              note={[location.address && addressLines(location.address, site.locale, formats).join(', '), etaText]
                .filter(Boolean)
                .join(' · ')}
              price={amount === 0 ? cart.free : money(amount, currency, site)}
            />
          )),
        )}
    </fieldset>
  );
}
