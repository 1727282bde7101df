/** A customer as a form has them. */
import type { Address, Customer, CustomerInput } from '@souk/client';
import { filledAddress } from '../../parts/address.tsx';
import type { Version } from '../../parts/record.tsx';
import { souk } from '../../shell/session.ts';

export type CustomerValues = {
  name: string;
  email: string;
  phone: string;
  tags: string[];
  note: string;
  addresses: Address[];
  consent: { source: string; at: number } | null;
  /** Not to be changed: the account, and since when. */
  userId: string | null;
  createdAt: number;
};

export const NEW_CUSTOMER: CustomerValues = {
  ...{ name: '', email: '', phone: '', tags: [], note: '', addresses: [], consent: null },
  ...{ userId: null, createdAt: 0 },
};

export const customerKey = (id: string) => `customer ${id}`;

export function toVersion(customer: Customer & { etag?: string }): Version<CustomerValues> {
  const { name, email, phone, tags, note, addresses, consent, userId, createdAt } = customer;
  const values = { name, email: email ?? '', phone: phone ?? '', tags, note, addresses, consent, userId, createdAt };
  return { values, etag: customer.etag };
}

export const loadCustomer = async (id: string, signal: AbortSignal) =>
  toVersion(await souk.customers.get(id, { signal }));

/** What is sent; an empty e-mail or phone number is none. */
export function toInput({ userId: _, createdAt: __, ...changes }: Partial<CustomerValues>): CustomerInput {
  const { email, phone, addresses } = changes;
  return {
    ...changes,
    ...(email === undefined ? {} : { email: email.trim() || null }),
    ...(phone === undefined ? {} : { phone: phone.trim() || null }),
    ...(addresses === undefined ? {} : { addresses: addresses.map(filledAddress) }),
  };
}
