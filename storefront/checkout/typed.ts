/** What the customer typed. Kept in this tab, so that it is still there after the payment page, Back or a reload. */
import { signal } from '@preact/signals';
import type { PartialAddress } from '@souk/client';
import { isDemo, keyOf } from '../shop.ts';

export type TypedAddress = PartialAddress;
export type AddressField = keyof TypedAddress;

type Typed = {
  email?: string;
  paymentMethod: 'CREDIT_CARD' | 'CASH' | 'BANK_TRANSFER';
  shipping: TypedAddress;
  isPickup: boolean;
  pickupLocationId?: string;
  /** The billing address is not the shipping address. */
  hasBilling: boolean;
  billing: TypedAddress;
  isBusiness: boolean;
  company?: string;
  vatId?: string;
  /** An address of the account, which is shipped to instead of the typed one. Undefined until the customer chooses. */
  saved?: TypedAddress | null;
  keepsAddress: boolean;
};

const KEY = keyOf('checkout');
const EMPTY: Typed = {
  paymentMethod: 'CREDIT_CARD',
  shipping: {},
  isPickup: false,
  hasBilling: false,
  billing: {},
  isBusiness: false,
  keepsAddress: false,
};

export const typed = signal<Typed>({ ...EMPTY, ...JSON.parse(sessionStorage.getItem(KEY) ?? '{}') });

export function type(changes: Partial<Typed>): void {
  typed.value = { ...typed.value, ...changes };
  sessionStorage.setItem(KEY, JSON.stringify(typed.value));
}

/** A saved address becomes a typed one when it is edited. */
export const typeShipping = (changes: TypedAddress) =>
  type({ shipping: { ...(typed.value.saved ?? typed.value.shipping), ...changes }, saved: null });
export const typeBilling = (changes: TypedAddress) => type({ billing: { ...typed.value.billing, ...changes } });

/** Prefilled for the demo, so that visitors don't have to make up an address. */
const EXAMPLES: Record<string, TypedAddress> = {
  US: { name: 'Ada Lovelace', street: '1 Market Street', city: 'San Francisco', state: 'CA', zip: '94105' },
  DE: { name: 'Ada Lovelace', street: 'Torstraße 1', zip: '10119', city: 'Berlin' },
};

export const exampleIn = (country: string): TypedAddress => (isDemo && EXAMPLES[country]) || {};

const EXAMPLE_EMAIL = 'you@example.com';

/** The email that the customer typed, or else the one of their account. */
export const emailTyped = (ofAccount?: string) => typed.value.email ?? ofAccount ?? (isDemo ? EXAMPLE_EMAIL : '');
