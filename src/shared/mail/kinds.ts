/** The kinds of emails, and the variables of those that a business can edit. */

const ORDER_KINDS = [
  'RECEIVED',
  'AWAITING_PAYMENT',
  'CONFIRMED',
  'PAID',
  'SHIPPED',
  'PARTLY_SHIPPED',
  'CANCELLED',
  'REFUNDED',
  'RETURN_REQUESTED',
  'RETURN_APPROVED',
  'RETURN_REJECTED',
  'RETURN_RECEIVED',
  'WITHDRAWAL_RECEIVED',
  'EXCHANGED',
] as const;
const SUBSCRIPTION_KINDS = [
  'CONFIRM_SUBSCRIPTION',
  'PLAN_RENEWED',
  'PLAN_PAST_DUE',
  'PLAN_CANCELLED',
  'PLAN_ENDED',
  'PLAN_LINK',
] as const;
const CART_KINDS = ['CART_REMINDER'] as const;
/** A business can edit these. */
export const TEMPLATE_KINDS = [...ORDER_KINDS, ...SUBSCRIPTION_KINDS, ...CART_KINDS] as const;

/** Emails from the service, to staff and to people who may not know the business. Their wording is fixed. */
export const FIXED_KINDS = [
  'INVITATION',
  'CONFIRM_ACCOUNT',
  'CONFIRM_ACCOUNT_AGAIN',
  'RESET_PASSWORD',
  'LOGIN_CODE',
  'NEW_DEVICE',
  'NEW_API_KEY',
  'KEYS_UNCONFIRMED',
  'KEYS_UNCONFIRMED_IN',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'TOTP_ADDED',
  'TOTP_REMOVED',
  'RECOVERY_CODES_CREATED',
  'RECOVERY_CODE_USED',
  'FACTORS_RESET',
  'ACCOUNT_DELETED',
  'ACCOUNT_ERASED',
  'BACK_IN_STOCK',
  'STAFF_REFUND_MADE',
  'STAFF_REFUND_FAILED',
  'STAFF_DISPUTE_OPEN',
  'STAFF_DISPUTE_WON',
  'STAFF_DISPUTE_LOST',
  'STAFF_WEBHOOK_DISABLED',
  'STAFF_SENDER_LOST',
  'STAFF_MENTION',
] as const;

export type OrderMailKind = (typeof ORDER_KINDS)[number];
export type SubscriptionMailKind = (typeof SUBSCRIPTION_KINDS)[number];
export type CartMailKind = (typeof CART_KINDS)[number];
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];
export type AnyMailKind = TemplateKind | (typeof FIXED_KINDS)[number];

export const VARIABLES = {
  'business.name': { description: 'The name of the business.', example: 'Linen & Co' },
  'customer.name': {
    description: "The customer's name, or the part of the email address before the @ if there is no name.",
    example: 'Ada Lovelace',
  },
  'order.number': { description: 'The order number, without a #.', example: '1042' },
  'order.total': { description: 'The order total.', example: '€69.90' },
  'order.date': { description: 'The order date.', example: 'May 1, 2026' },
  'payment.amount': { description: 'The amount the customer paid.', example: '€69.90' },
  'exchange.order': { description: 'The number of the order whose items are exchanged, without a #.', example: '1038' },
  'refund.amount': { description: 'The refunded amount.', example: '€19.90' },
  'cart.total': { description: 'The current cart total.', example: '€69.90' },
  'newsletter.name': { description: 'The name of the newsletter.', example: 'Weekly Letter' },
  'plan.amount': { description: 'The price per billing period.', example: '€5.00' },
  'plan.paidUntil': { description: 'The last day of the paid period.', example: 'June 1, 2026' },
} as const;
export type Variable = keyof typeof VARIABLES;

const ORDER: readonly Variable[] = ['business.name', 'customer.name', 'order.number', 'order.total', 'order.date'];
const CART: readonly Variable[] = ['business.name', 'customer.name', 'cart.total'];
const NEWSLETTER: readonly Variable[] = ['business.name', 'newsletter.name'];
const MORE: Partial<Record<TemplateKind, readonly Variable[]>> = {
  CONFIRMED: ['payment.amount'],
  PAID: ['payment.amount'],
  REFUNDED: ['refund.amount'],
  EXCHANGED: ['exchange.order'],
  PLAN_RENEWED: ['plan.amount', 'plan.paidUntil'],
  PLAN_PAST_DUE: ['plan.amount'],
  PLAN_CANCELLED: ['plan.paidUntil'],
};

export const isOrderKind = (kind: TemplateKind): kind is OrderMailKind =>
  (ORDER_KINDS as readonly string[]).includes(kind);

export const isCartKind = (kind: TemplateKind): kind is CartMailKind =>
  (CART_KINDS as readonly string[]).includes(kind);

export const variablesOf = (kind: TemplateKind): readonly Variable[] => [
  ...(isOrderKind(kind) ? ORDER : isCartKind(kind) ? CART : NEWSLETTER),
  ...(MORE[kind] ?? []),
];

/** People who didn't ask for these emails may get them, so their text has no links and no images. */
export const isUnsolicited = (kind: TemplateKind) => kind === 'CONFIRM_SUBSCRIPTION';
