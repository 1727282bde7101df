/** The form values of a customer. */
import type { Customer, CustomerInput, PartialAddress } from '@souk/client';
import type { Version } from '../../parts/editing/use-record.ts';
import { filledAddress } from '../../parts/form/address.tsx';
import { addressOrNull } from '../../parts/form/address-forms.tsx';
import { souk } from '../../shell/session.ts';

export type CustomerValues = {
  name: string;
  email: string;
  phone: string;
  tags: string[];
  note: string;
  addresses: PartialAddress[];
  shippingAddress: PartialAddress | null;
  billingAddress: PartialAddress | null;
  consent: { source: string; at: number } | null;
  /** Read-only: the account and the creation date. */
  userId: string | null;
  hasAccount: boolean;
  createdAt: number;
};

export const NEW_CUSTOMER: CustomerValues = {
  name: '',
  email: '',
  phone: '',
  tags: [],
  note: '',
  addresses: [],
  shippingAddress: null,
  billingAddress: null,
  consent: null,
  userId: null,
  hasAccount: false,
  createdAt: 0,
};

export const customerKey = (id: string) => `customer ${id}`;

export function toVersion(customer: Customer & { etag?: string }): Version<CustomerValues> {
  const { name, email, phone, tags, note, addresses, consent, userId, hasAccount, createdAt } = customer;
  const { shippingAddress, billingAddress } = customer;
  const account = { userId, hasAccount, createdAt, shippingAddress, billingAddress };
  const values = { name, email: email ?? '', phone: phone ?? '', tags, note, addresses, consent, ...account };
  return { values, etag: customer.etag };
}

export const loadCustomer = async (id: string, signal: AbortSignal) =>
  toVersion(await souk.customers.get(id, { signal }));

/** The request body. An empty email or phone number becomes null. */
export function toInput({
  userId: _,
  hasAccount: __,
  createdAt: ___,
  ...changes
}: Partial<CustomerValues>): CustomerInput {
  const { email, phone, addresses, shippingAddress, billingAddress } = changes;
  return {
    ...changes,
    ...(email === undefined ? {} : { email: email.trim() || null }),
    ...(phone === undefined ? {} : { phone: phone.trim() || null }),
    ...(addresses === undefined ? {} : { addresses: addresses.map(filledAddress) }),
    ...(shippingAddress === undefined ? {} : { shippingAddress: addressOrNull(shippingAddress) }),
    ...(billingAddress === undefined ? {} : { billingAddress: addressOrNull(billingAddress) }),
  };
}
