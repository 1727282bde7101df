import type { Cart, CartUpdate } from '@souk/client';

/** Whether saving these choices would change the cart. */
export function hasChanges(cart: Cart, choices: CartUpdate): boolean {
  return Object.entries(choices).some(([field, value]) => {
    const stored = cart[field as keyof Cart];
    return JSON.stringify(comparable(stored)) !== JSON.stringify(comparable(value));
  });
}

/** Addresses from the service have all fields, in any order. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, text]) => text !== '');
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
