import type { CheckoutInput, Tracking } from '../../domains/orders/index.ts';
import type { Person } from './people.ts';

export const PROMO_CODE = 'WELCOME10';

export type Item = { slug: string; variantId: string; quantity: number };

export type Step = { at: number } & (
  | { do: 'pay' | 'decline' | 'expire' | 'giveUp' | 'deliver' | 'cancel' | 'takeBack' }
  | { do: 'ship'; tracking: Tracking }
  /** `share`: the fraction of the amount paid. */
  | { do: 'refund'; share: number; reason: string }
);

export type PlannedOrder = {
  at: number;
  person: Person;
  market: string;
  paymentMethod: CheckoutInput['paymentMethod'];
  shippingMethodId: 'standard' | 'express' | 'pickup';
  promoCode: string | null;
  items: Item[];
  /** In chronological order. */
  steps: Step[];
};

/** When unpaid card and cash orders expire, and whether the shop accepts card payments. */
export type Terms = { checkoutSeconds: number; cashSeconds: number; takesCards: boolean };
