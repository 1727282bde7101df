/** The request that places the order. */
import type { CheckoutInput } from '@souk/client';
import { cartItems } from '../cart.ts';
import { marketId } from '../shop.ts';
import { problemsIn, withFieldsOf } from './check-address.ts';
import { billingAddress, formatOf, notDelivered, shippingAddress, usesPlaces } from './countries.ts';
import { paymentMethod } from './payment-method.ts';
import { type Delivery, isBilledApart, promoCode } from './price.ts';
import { shortAddress } from './short-form.tsx';
import { type TypedAddress, typed } from './typed.ts';

/** `isShipped`: at least one item needs to be delivered. */
type Order = { email: string; delivery: Delivery; isShipped: boolean };

export function orderInput({ email, delivery, isShipped }: Order): CheckoutInput {
  const { shippingMethodId, pickupLocationId } = delivery;
  const { name = '' } = usesPlaces.value ? shippingAddress.value : shortAddress();
  return {
    market: marketId.value,
    email,
    ...(name.trim() ? { name: name.trim() } : {}),
    paymentMethod: paymentMethod.value,
    ...(shippingMethodId ? { shippingMethodId } : {}),
    ...(pickupLocationId ? { pickupLocationId } : {}),
    items: cartItems(),
    ...(usesPlaces.value ? { ...addressesOf(delivery, isShipped), locale: navigator.language } : textAddress()),
    returnUrl: `${location.origin}/shop/thanks`,
    cancelUrl: `${location.origin}/shop/checkout?cancelled`,
    ...(promoCode.value ? { promoCode: promoCode.value } : {}),
  };
}

/** A business is named in the address that it is billed at. */
function addressesOf({ isPickup }: Delivery, isShipped: boolean): Pick<CheckoutInput, AddressPath> {
  const { isBusiness, company = '', vatId = '' } = typed.value;
  const buyer = isBusiness ? { company: company.trim(), ...(vatId.trim() ? { vatId: vatId.trim() } : {}) } : {};
  const complete = (address: TypedAddress) => withFieldsOf(formatOf(address.country), address);
  const shipping = complete(shippingAddress.value);
  if (!isShipped) return { billingAddress: { ...shipping, ...buyer } };
  const isApart = isBilledApart(isPickup);
  return {
    ...(isPickup ? {} : { shippingAddress: { ...shipping, ...(isApart ? {} : buyer) } }),
    ...(isApart ? { billingAddress: { ...complete(billingAddress.value), ...buyer } } : {}),
  };
}

export type AddressPath = 'shippingAddress' | 'billingAddress';

/** In a shop without zones, the address is a text of the order. */
function textAddress(): Pick<CheckoutInput, 'blocks'> {
  const { name, street, zip, city } = shortAddress();
  return { blocks: [{ id: 'address', type: 'TEXT', value: `${name}, ${street}, ${zip} ${city}` }] };
}

/** What is missing, by field. */
export function checkOrder({
  email,
  delivery: { isPickup, shippingMethodId },
  isShipped,
}: Order): Record<string, string> {
  const problems = (address: TypedAddress, path: AddressPath) => {
    const format = formatOf(address.country);
    return format ? problemsIn(address, format, path) : {};
  };
  const { isBusiness, company = '' } = typed.value;
  return {
    ...(email.trim() === '' ? { email: 'Email is required.' } : {}),
    ...(isShipped && !shippingMethodId
      ? { 'shippingAddress.country': notDelivered(shippingAddress.value.country) }
      : {}),
    ...(isShipped && isPickup
      ? shippingAddress.value.name?.trim()
        ? {}
        : { name: 'Name is required.' }
      : problems(shippingAddress.value, isShipped ? 'shippingAddress' : 'billingAddress')),
    ...(isShipped && isBilledApart(isPickup) ? problems(billingAddress.value, 'billingAddress') : {}),
    ...(isBusiness && company.trim() === '' ? { company: 'Company is required.' } : {}),
  };
}
