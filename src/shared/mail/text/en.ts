import type { AnyMailKind } from '../kinds.ts';

/** A body is rich text. Subject and body contain `{{variables}}`. `note` comes after the fixed parts. */
type Entry = { subject: string; body: string; button?: string; note?: string };
type Kept = { count: number; what: string };

export type MailTexts = {
  mails: Record<AnyMailKind, Entry>;
  order: {
    number: (number: string) => string;
    /** What the payment is for. */
    payment: (business: string) => string;
    inShipment: string;
    stillToCome: string;
    returned: string;
    subtotal: string;
    shipping: string;
    discount: string;
    reverseCharge: string;
    taxDeduction: string;
    vat: string;
    tax: string;
    total: string;
    includes: (amount: string, name: string) => string;
    refunded: string;
    /** The value of returned items that paid for an exchange. */
    exchanged: string;
    /** The value of the returned items in an exchange. */
    credit: string;
    /** What the customer gets back if the new items cost less. */
    difference: string;
    exchange: string;
    exchangeRequested: string;
    exchangedItems: string;
    newItems: string;
    amountDue: string;
    payNow: string;
    shippingAddress: string;
    pickupLocation: string;
    shippingMethod: string;
    tracking: string;
    /** How to pay by bank transfer. */
    transfer: Record<
      | 'title'
      | 'text'
      | 'scan'
      | 'received'
      | 'amount'
      | 'holder'
      | 'iban'
      | 'bic'
      | 'bank'
      | 'reference'
      | 'payBy'
      | 'qrCode',
      string
    >;
    /** Why an order was canceled. */
    notPaid: (dueDay: string) => string;
    trackShipment: string;
    printLabel: string;
    /** Names of documents. */
    documents: Record<'INVOICE' | 'CREDIT_NOTE', string>;
    instructions: string;
    reason: string;
    requestedAt: string;
    withdrawnAt: string;
    questions: string;
  };
  cart: { total: string; reason: string; stop: string };
  kept: {
    none: string;
    title: string;
    TAX_LAW: (kept: Kept) => string;
    ACCOUNTING: (kept: Kept) => string;
    ORDER_OPEN: (kept: Kept) => string;
    PAYMENT_OPEN: (kept: Kept) => string;
    MEMBER: () => string;
    PAYMENT_PROVIDER: () => string;
    OBJECTION: () => string;
  };
  newsletter: {
    lang: string;
    /** Shown above the button that confirms the subscription, and stored. */
    consent: (newsletter: string, business: string, email: string) => string;
    free: string;
    /** The lowest of several prices. */
    from: (price: string) => string;
    soldOut: string;
    unitPrice: (price: string, quantity: number, unit: string) => string;
    insteadOf: (price: string) => string;
    lowestPrice: (price: string) => string;
    /** Why the reader gets the newsletter. The names may be equal. */
    reason: (newsletter: string, business: string) => string;
    unsubscribe: string;
    view: string;
    /** Says what is tracked, before the link to opt out. */
    counted: Record<'opens' | 'clicks' | 'both', string>;
    optOut: string;
    /** The plan that is paid for with the link. */
    toPay: (plan: string, price: string) => string;
    price: Record<'WEEKLY' | 'MONTHLY' | 'YEARLY', (amount: string) => string>;
  };
  /** Why a webhook was disabled. */
  webhookDisabled: Record<'GONE' | 'FAILING', string>;
  someone: string;
  /** Shown in previews. */
  example: { items: [string, string]; instructions: string; reason: string };
};

export const en: MailTexts = {
  mails: {
    RECEIVED: {
      subject: 'Order #{{order.number}} confirmed',
      body: '<h1>Thank you for your order</h1><p>{{business.name}} received your order. Your order number is #{{order.number}}.</p>',
      button: 'View your order',
    },
    AWAITING_PAYMENT: {
      subject: 'Order #{{order.number}} received',
      body: "<h1>Thank you for your order</h1><p>{{business.name}} received your order #{{order.number}}. We'll email you as soon as we receive your payment.</p>",
      button: 'View your order',
    },
    CONFIRMED: {
      subject: 'Order #{{order.number}} confirmed',
      body: '<h1>Thank you for your order</h1><p>{{business.name}} received your payment of {{payment.amount}}. Your order number is #{{order.number}}.</p>',
      button: 'View your order',
    },
    PAID: {
      subject: 'Payment received for order #{{order.number}}',
      body: '<h1>We received your payment</h1><p>Thank you. We received your payment of {{payment.amount}} for order #{{order.number}}.</p>',
      button: 'View your order',
    },
    SHIPPED: {
      subject: 'Order #{{order.number}} is on its way',
      body: '<h1>Your order is on its way</h1><p>Your order #{{order.number}} from {{business.name}} is on its way.</p>',
      button: 'View your order',
    },
    PARTLY_SHIPPED: {
      subject: 'A shipment from order #{{order.number}} is on its way',
      body: '<h1>A shipment is on its way</h1><p>Part of your order #{{order.number}} from {{business.name}} is on its way.</p>',
      button: 'View your order',
    },
    CANCELLED: {
      subject: 'Order #{{order.number}} canceled',
      body: '<h1>Your order was canceled</h1><p>Your order #{{order.number}} from {{business.name}} was canceled.</p>',
      button: 'View your order',
    },
    REFUNDED: {
      subject: 'Refund for order #{{order.number}}',
      body: '<h1>Your refund is on its way</h1><p>We refunded {{refund.amount}} for order #{{order.number}}. It can take a few days to appear in your account.</p>',
      button: 'View your order',
    },
    RETURN_REQUESTED: {
      subject: 'Return requested for order #{{order.number}}',
      body: "<h1>We received your return request</h1><p>Thank you. We'll email you as soon as we've reviewed your return request for order #{{order.number}}.</p>",
      button: 'View your order',
    },
    RETURN_APPROVED: {
      subject: 'Return approved for order #{{order.number}}',
      body: '<h1>Your return is approved</h1><p>Your return for order #{{order.number}} is approved. Send these items back to us.</p>',
      button: 'View your order',
    },
    RETURN_REJECTED: {
      subject: 'Return declined for order #{{order.number}}',
      body: "<h1>We can't accept your return</h1><p>We're sorry, but we can't accept the return of these items from order #{{order.number}}.</p>",
      button: 'View your order',
    },
    RETURN_RECEIVED: {
      subject: 'Return received for order #{{order.number}}',
      body: '<h1>Your return has arrived</h1><p>We received the items you returned from order #{{order.number}}.</p>',
      button: 'View your order',
    },
    WITHDRAWAL_RECEIVED: {
      subject: 'Withdrawal received for order #{{order.number}}',
      body: '<h1>We received your withdrawal</h1><p>This confirms that we received your withdrawal from the contract for these items from order #{{order.number}}.</p>',
      button: 'View your order',
    },
    EXCHANGED: {
      subject: 'Exchange for order #{{exchange.order}}',
      body: '<h1>Your exchange</h1><p>We are exchanging items from your order #{{exchange.order}} from {{business.name}}. Your new order number is #{{order.number}}.</p>',
      button: 'View your new order',
    },
    CONFIRM_SUBSCRIPTION: {
      subject: 'Confirm your subscription to {{newsletter.name}}',
      body: '<h1>Confirm your subscription</h1><p>You signed up for the newsletter “{{newsletter.name}}” from {{business.name}}. To start receiving it, confirm your subscription.</p>',
      button: 'Confirm subscription',
      note: "This link expires in 7 days. If you didn't sign up, you can ignore this email. You won't be subscribed.",
    },
    PLAN_RENEWED: {
      subject: 'Your plan for {{newsletter.name}} was renewed',
      body: '<h1>Your plan was renewed</h1><p>We received your payment of {{plan.amount}} for “{{newsletter.name}}” from {{business.name}}. Your plan is paid until {{plan.paidUntil}}.</p>',
      button: 'Manage plan',
      note: "This link expires in 30 days. Don't share it.",
    },
    PLAN_PAST_DUE: {
      subject: 'Your payment for {{newsletter.name}} failed',
      body: "<h1>Your payment failed</h1><p>Your payment of {{plan.amount}} for “{{newsletter.name}}” from {{business.name}} failed. You won't get new issues until the payment goes through. Update your card or cancel your plan.</p>",
      button: 'Manage plan',
      note: "This link expires in 30 days. Don't share it.",
    },
    PLAN_CANCELLED: {
      subject: 'Your plan for {{newsletter.name}} is canceled',
      body: "<h1>Your plan is canceled</h1><p>Your plan for “{{newsletter.name}}” is canceled. You'll get every issue until {{plan.paidUntil}}, and you won't be charged again. If you didn't cancel or changed your mind, you can keep your plan.</p>",
      button: 'Manage plan',
      note: "This link expires in 30 days. Don't share it.",
    },
    PLAN_ENDED: {
      subject: 'Your plan for {{newsletter.name}} has ended',
      body: "<h1>Your plan has ended</h1><p>Your plan for “{{newsletter.name}}” from {{business.name}} has ended. You won't get new issues, and you won't be charged again.</p>",
      button: 'View plan',
      note: "This link expires in 30 days. Don't share it.",
    },
    PLAN_LINK: {
      subject: 'Your plan for {{newsletter.name}}',
      body: "<h1>Manage your plan</h1><p>Here's the link to manage your plan for “{{newsletter.name}}”. You can see your payments, update your card, or cancel.</p>",
      button: 'Manage plan',
      note: "This link expires in 30 days. Don't share it.",
    },
    CART_REMINDER: {
      subject: 'You left something in your cart',
      body: "<h1>Your cart is waiting</h1><p>You asked us to remind you about your cart at {{business.name}}. It's still here. Today's prices apply.</p>",
      button: 'View your cart',
    },
    INVITATION: {
      subject: 'Invitation to join {{business.name}}',
      body: "<h1>You're invited</h1><p>{{invitedBy}} invited you to join {{business.name}}. Accept or decline the invitation within 7 days.</p>",
      button: 'View invitation',
      note: "If you weren't expecting this invitation, you can ignore this email.",
    },
    CONFIRM_ACCOUNT: {
      subject: 'Confirm your email address',
      body: '<h1>Confirm your email address</h1><p>Confirm your email address to finish creating your account. This link expires in 1 hour.</p>',
      button: 'Confirm email address',
      note: "If you didn't create an account, you can ignore this email. The account stays inactive.",
    },
    CONFIRM_ACCOUNT_AGAIN: {
      subject: 'Confirm your email address',
      body: '<h1>Confirm your email address</h1><p>Confirm your email address to finish creating your account. This link expires in 1 hour.</p>',
      button: 'Confirm email address',
      note: "Someone already registered this email address but hasn't confirmed it. Each link activates only its own registration and password. Use this link only if you just registered.",
    },
    RESET_PASSWORD: {
      subject: 'Reset your password',
      body: '<h1>Reset your password</h1><p>We received a request to reset your password. Choose a new one within 1 hour.</p>',
      button: 'Choose a new password',
      note: "If you didn't request this, you can ignore this email. Your password won't change.",
    },
    LOGIN_CODE: {
      subject: 'Your login code: {{code}}',
      body: '<h1>Your login code</h1><p>Enter this code in the browser where you requested it:</p><h2>{{code}}</h2><p>It expires in 10 minutes and works once.</p>',
      button: 'Log in',
      note: "You can log in with this email only in the browser where you requested the code. If you didn't request it, you can ignore this email. Never share the code.",
    },
    NEW_DEVICE: {
      subject: 'New login to your account',
      body: "<h1>New login to your account</h1><p>Someone logged in to your account from a device that you haven't used before: {{device}}, IP address {{address}}.</p><p>If this was you, you don't need to do anything. If not, log this device out and change your password.</p>",
      button: 'Review sessions',
    },
    NEW_API_KEY: {
      subject: 'New API key: {{key}}',
      body: "<h1>New API key</h1><p>The API key “{{key}}” was created in your account from IP address {{address}}.</p><p>If this wasn't you, revoke the key and change your password.</p>",
      button: 'Review API keys',
    },
    KEYS_UNCONFIRMED: {
      subject: 'Confirm your API keys',
      body: "<h1>Confirm your API keys</h1><p>You added the first second factor to your account. API keys that were created before don't work until you confirm them.</p><p>Confirm the keys you use and revoke the others.</p>",
      button: 'Review API keys',
    },
    KEYS_UNCONFIRMED_IN: {
      subject: 'Confirm your API keys for {{business.name}}',
      body: "<h1>Confirm your API keys</h1><p>{{business.name}} turned on a security policy. API keys that were created before don't work for this business until you confirm them. If the business requires single sign-on, log in with it to confirm them.</p><p>Confirm the keys you use and revoke the others.</p>",
      button: 'Review API keys',
    },
    PASSKEY_ADDED: {
      subject: 'Passkey added',
      body: '<h1>Passkey added</h1><p>The passkey “{{passkey}}” was added to your account. You can now use it to log in.</p><p>The request came from IP address {{address}}.</p>',
      button: 'Review security settings',
      note: "If this wasn't you, change your password and end your other sessions right away.",
    },
    PASSKEY_REMOVED: {
      subject: 'Passkey removed',
      body: '<h1>Passkey removed</h1><p>The passkey “{{passkey}}” was removed from your account. It can no longer be used to log in.</p><p>The request came from IP address {{address}}.</p>',
      button: 'Review security settings',
      note: "If this wasn't you, change your password and end your other sessions right away.",
    },
    TOTP_ADDED: {
      subject: 'Authenticator app added',
      body: '<h1>Authenticator app added</h1><p>An authenticator app was added to your account. From now on, you need a code from the app when you log in without a passkey.</p><p>The request came from IP address {{address}}.</p>',
      button: 'Review security settings',
      note: "If this wasn't you, change your password and end your other sessions right away.",
    },
    TOTP_REMOVED: {
      subject: 'Authenticator app removed',
      body: '<h1>Authenticator app removed</h1><p>The authenticator app was removed from your account. Logging in no longer requires a code from the app.</p><p>The request came from IP address {{address}}.</p>',
      button: 'Review security settings',
      note: "If this wasn't you, change your password and end your other sessions right away.",
    },
    RECOVERY_CODES_CREATED: {
      subject: 'New recovery codes',
      body: '<h1>New recovery codes</h1><p>New recovery codes were created for your account. The previous codes no longer work.</p><p>The request came from IP address {{address}}.</p>',
      button: 'Review security settings',
      note: "If this wasn't you, change your password and end your other sessions right away.",
    },
    RECOVERY_CODE_USED: {
      subject: 'Recovery code used',
      body: '<h1>Recovery code used</h1><p>One of your recovery codes was used. It no longer works.</p><p>The request came from IP address {{address}}.</p>',
      button: 'Review security settings',
      note: "If this wasn't you, change your password and end your other sessions right away.",
    },
    FACTORS_RESET: {
      subject: 'Two-factor authentication was reset',
      body: '<h1>Two-factor authentication was reset</h1><p>An administrator removed the passkeys and the authenticator app from your account. You were logged out everywhere. Log in with your password and set up two-factor authentication again.</p>',
      button: 'Review security settings',
      note: "If you didn't ask for this, contact your administrator and change your password.",
    },
    ACCOUNT_DELETED: {
      subject: 'Your account was deleted',
      body: "<h1>Your account was deleted</h1><p>Someone who was logged in to your account deleted it. You've been logged out everywhere.</p><p>We're now erasing your personal data. We'll email you when it's done.</p>",
    },
    ACCOUNT_ERASED: {
      subject: 'Your personal data was erased',
      body: '<h1>Your personal data was erased</h1><p>We erased the personal data we stored about you.</p>',
      note: 'This is the last email about your request.',
    },
    STAFF_REFUND_MADE: {
      subject: '{{business.name}}: Order #{{order.number}} refunded through the payment provider',
      body: "<h1>Order #{{order.number}} refunded</h1><p>A refund of {{amount}} for order #{{order.number}} was made in your payment provider's dashboard. The order shows the refund.</p>",
      button: 'Open the order',
    },
    STAFF_REFUND_FAILED: {
      subject: '{{business.name}}: Refund for order #{{order.number}} failed',
      body: '<h1>Refund failed</h1><p>The refund of {{amount}} for order #{{order.number}} failed, and your payment provider returned the money to you. Contact the customer to refund them another way.</p>',
      button: 'Open the order',
    },
    STAFF_DISPUTE_OPEN: {
      subject: '{{business.name}}: Dispute opened for order #{{order.number}}',
      body: "<h1>Dispute opened</h1><p>A customer disputed a payment of {{amount}} for order #{{order.number}}. Respond in your payment provider's dashboard before the deadline shown there.</p>",
      button: 'Open the order',
    },
    STAFF_DISPUTE_WON: {
      subject: '{{business.name}}: Dispute won for order #{{order.number}}',
      body: '<h1>Dispute won</h1><p>The {{amount}} dispute for order #{{order.number}} was closed in your favor.</p>',
      button: 'Open the order',
    },
    STAFF_DISPUTE_LOST: {
      subject: '{{business.name}}: Dispute lost for order #{{order.number}}',
      body: "<h1>Dispute lost</h1><p>The {{amount}} dispute for order #{{order.number}} was decided in the customer's favor. The order shows the amount as refunded.</p>",
      button: 'Open the order',
    },
    BACK_IN_STOCK: {
      subject: '{{product.name}} is back in stock',
      body: "<h1>{{product.name}} is back in stock</h1><p>You asked {{business.name}} to email you when it's available again. We can't reserve it for you.</p>",
      button: 'View the product',
      note: "This is a one-time email. We've deleted your request.",
    },
    STAFF_MENTION: {
      subject: '{{business.name}}: {{author}} mentioned you in order #{{order.number}}',
      body: '<h1>{{author}} mentioned you</h1><p>{{author}} mentioned you in a note on order #{{order.number}}.</p>',
      button: 'Open the order',
    },
    STAFF_WEBHOOK_DISABLED: {
      subject: 'Webhook disabled for {{business.name}}',
      body: "<h1>Webhook disabled</h1><p>We disabled the webhook {{webhook.url}} for {{business.name}}. {{reason}}</p><p>When you enable it again, it receives the events that occurred in the meantime and haven't expired.</p>",
    },
    STAFF_SENDER_LOST: {
      subject: 'DNS records of {{sender.domain}} are missing',
      body: '<h1>DNS records missing</h1><p>The DNS records that verify {{sender.domain}} are missing or wrong. {{business.name}} now sends emails from {{service.address}} instead.</p><p>Restore the records listed under Settings › Sender address. We check them every day, and you can check them there at any time.</p>',
    },
  },
  order: {
    number: (number) => `Order #${number}`,
    payment: (business) => `Your order from ${business}`,
    inShipment: 'In this shipment',
    stillToCome: 'Still to come',
    returned: 'Items',
    subtotal: 'Subtotal',
    shipping: 'Shipping',
    discount: 'Discount',
    reverseCharge: 'VAT (reverse charge)',
    taxDeduction: 'Less included tax',
    vat: 'VAT',
    tax: 'Tax',
    total: 'Total',
    includes: (amount, name) => `Includes ${amount} ${name}`,
    refunded: 'Refunded',
    exchanged: 'Applied to exchange',
    credit: 'Value of returned items',
    difference: 'Refunded difference',
    exchange: 'Exchange',
    exchangeRequested: 'You asked for an exchange instead of a refund.',
    exchangedItems: 'Returned items',
    newItems: 'New items',
    amountDue: 'Amount due',
    payNow: 'Pay now',
    shippingAddress: 'Shipping address',
    pickupLocation: 'Pickup location',
    shippingMethod: 'Shipping method',
    tracking: 'Tracking',
    transfer: {
      title: 'Pay by bank transfer',
      text: 'Transfer the amount to this account and include the reference.',
      scan: 'Or scan the QR code with your banking app.',
      received: 'Already received',
      amount: 'Amount',
      holder: 'Account holder',
      iban: 'IBAN',
      bic: 'BIC',
      bank: 'Bank',
      reference: 'Reference',
      payBy: 'Pay by',
      qrCode: 'QR code for your banking app',
    },
    notPaid: (dueDay) => `We didn't receive your payment by ${dueDay}.`,
    trackShipment: 'Track your shipment',
    printLabel: 'Print the return label',
    documents: { INVOICE: 'Invoice', CREDIT_NOTE: 'Credit note' },
    instructions: 'How to return your items',
    reason: 'Reason',
    requestedAt: 'Request received',
    withdrawnAt: 'Withdrawal received',
    questions: 'Questions? Reply to this email.',
  },
  cart: {
    total: 'Total',
    reason: "You're receiving this email because you asked for a reminder about this cart. We won't send another one.",
    stop: 'Stop reminders',
  },
  kept: {
    none: 'Nothing was kept.',
    title: 'What we kept',
    TAX_LAW: ({ count }) =>
      `${count} ${count === 1 ? 'invoice or credit note' : 'invoices and credit notes'}. Tax law requires us to keep ${count === 1 ? 'it' : 'them'} unchanged.`,
    ACCOUNTING: ({ what, count }) =>
      `${count} ${count === 1 ? what.replace(/s$/, '') : what}, for accounting. Only the amounts are kept, without your name and address.`,
    ORDER_OPEN: ({ count }) =>
      `${count} open ${count === 1 ? 'order' : 'orders'}. Contact the shop about deliveries or refunds.`,
    PAYMENT_OPEN: ({ count }) =>
      count === 1
        ? '1 pending payment. It expires automatically.'
        : `${count} pending payments. They expire automatically.`,
    MEMBER: () => 'Your team membership in a business.',
    PAYMENT_PROVIDER: () => 'Data held by the payment provider. Contact the shop or the provider.',
    OBJECTION: () => "Your email address on the suppression list, so that you don't get any more newsletters.",
  },
  newsletter: {
    lang: 'en',
    consent: (newsletter, business, email) =>
      `I want to receive the newsletter “${newsletter}” from ${business} at ${email}. I can unsubscribe at any time with the link in each email.`,
    free: 'Free',
    from: (price) => `From ${price}`,
    soldOut: 'Sold out',
    unitPrice: (price, quantity, unit) =>
      `${price} / ${quantity === 1 ? '' : `${quantity} `}${unit.replace('m2', 'm²')}`,
    insteadOf: (price) => `(was ${price})`,
    lowestPrice: (price) => `Lowest price in the 30 days before the sale: ${price}`,
    reason: (newsletter, business) =>
      `You're receiving this email because you subscribed to ${newsletter === business ? business : `${newsletter}, a newsletter from ${business}`}.`,
    unsubscribe: 'Unsubscribe',
    view: 'View in browser',
    counted: {
      opens: 'We track whether you open this email.',
      clicks: 'We track clicks in this email.',
      both: 'We track whether you open this email and click its links.',
    },
    optOut: 'Turn off tracking',
    toPay: (plan, price) => `Your plan: ${plan}, ${price}. You pay on the next page.`,
    price: {
      WEEKLY: (amount) => `${amount} per week`,
      MONTHLY: (amount) => `${amount} per month`,
      YEARLY: (amount) => `${amount} per year`,
    },
  },
  webhookDisabled: {
    GONE: 'The endpoint responded with 410 Gone.',
    FAILING: 'All deliveries have failed for three days.',
  },
  someone: 'Someone',
  example: {
    items: ['Linen shirt, M', 'Ceramic mug'],
    instructions:
      'Print the label from your order page and attach it to the package.\nDrop the package off within 14 days.',
    reason: 'The items were worn.',
  },
};
