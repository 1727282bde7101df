export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export const GROUPS = {
  orders: ['CONFIRMED', 'RECEIVED', 'AWAITING_PAYMENT', 'PAID', 'SHIPPED', 'PARTLY_SHIPPED', 'CANCELLED', 'REFUNDED'],
  returns: [
    'RETURN_REQUESTED',
    'RETURN_APPROVED',
    'RETURN_REJECTED',
    'RETURN_RECEIVED',
    'EXCHANGED',
    'WITHDRAWAL_RECEIVED',
  ],
  carts: ['CART_REMINDER'],
  newsletters: ['CONFIRM_SUBSCRIPTION', 'PLAN_RENEWED', 'PLAN_PAST_DUE', 'PLAN_CANCELLED', 'PLAN_ENDED', 'PLAN_LINK'],
} as const;
export type Kind = (typeof GROUPS)[keyof typeof GROUPS][number];

export const isNewsletterKind = (kind: Kind) => (GROUPS.newsletters as readonly string[]).includes(kind);
