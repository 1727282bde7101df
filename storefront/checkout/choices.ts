/** The customer's choices in the form, as stored in the cart. */
import type { CartUpdate, PartialAddress } from '@souk/client';

type AddressPath = 'shippingAddress' | 'billingAddress';

const PAYMENT_METHODS = ['CREDIT_CARD', 'CASH', 'BANK_TRANSFER'] as const;
type PaymentMethod = (typeof PAYMENT_METHODS)[number];

const FIELDS = ['name', 'street', 'street2', 'city', 'state', 'zip', 'country', 'phone'] as const;

/** The address in the form. Undefined if there is none. */
export function addressIn(form: URLSearchParams, path: AddressPath): PartialAddress | undefined {
  if (!form.has(`${path}.country`)) return undefined;
  const entries = FIELDS.map((field) => [field, form.get(`${path}.${field}`)?.trim().slice(0, 200) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

/** `isShipped`: an item is shipped, so the first address is the shipping address. */
export function choicesIn(form: URLSearchParams, saved: readonly PartialAddress[], isShipped: boolean): CartUpdate {
  const isPickup = form.get('delivery') === 'pickup';
  const chosen = saved[Number(form.get('saved') || -1)];
  const first = isShipped ? 'shippingAddress' : 'billingAddress';
  const main = chosen ?? addressIn(form, first);
  const own =
    isShipped && !isPickup && form.get('billing') === 'other'
      ? (addressIn(form, 'billingAddress') ?? { country: main?.country })
      : undefined;
  const buyer = { company: form.get('company')?.trim() ?? '', vatId: form.get('vatId')?.trim() ?? '' };
  const asBuyer = (address: PartialAddress) => withoutEmpty({ ...address, ...buyer });
  const [method = '', location = ''] = (isPickup ? form.get('pickup') : form.get('shippingMethodId'))?.split(' ') ?? [];
  const payment = PAYMENT_METHODS.find((each) => each === form.get('paymentMethod'));
  const email = form.get('email')?.trim() ?? '';
  return {
    email: isEmail(email) ? email : null,
    ...(isShipped
      ? {
          shippingAddress: isPickup || !main ? null : own ? withoutEmpty(main) : asBuyer(main),
          billingAddress: own ? asBuyer(own) : isPickup ? asBuyer({ name: form.get('name')?.trim() ?? '' }) : null,
        }
      : { shippingAddress: null, billingAddress: main ? asBuyer(main) : null }),
    shippingMethodId: method || null,
    pickupLocationId: location || null,
    ...(payment ? { paymentMethod: payment satisfies PaymentMethod } : {}),
    ...(form.has('reminder') && isEmail(email) ? { reminder: true } : { reminder: false }),
  };
}

export const isEmail = (text: string) => text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);

const withoutEmpty = (address: PartialAddress): PartialAddress =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text));
