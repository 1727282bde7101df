import type { Kept, KeptReason } from '../../context/personal-data.ts';
import type { Mail } from '../../providers/mail/port.ts';
import type { Report } from './report.ts';

const KEPT: Record<KeptReason, (kept: Kept) => string> = {
  TAX_LAW: ({ count }) =>
    `${count} ${count === 1 ? 'invoice or credit note' : 'invoices and credit notes'}, which tax law requires to be kept unchanged.`,
  ACCOUNTING: ({ what, count }) =>
    `${count} ${count === 1 ? what.replace(/s$/, '') : what}, for accounting. Only the amounts are kept, without your name and address.`,
  ORDER_OPEN: ({ count }) =>
    `${count} open ${count === 1 ? 'order' : 'orders'}. Contact the shop about deliveries or refunds.`,
  PAYMENT_OPEN: ({ count }) =>
    count === 1 ? '1 open payment. It expires automatically.' : `${count} open payments. They expire automatically.`,
  MEMBER: () => 'Your team membership in a business.',
  PAYMENT_PROVIDER: () => 'Data held by the payment provider. Contact the shop or the provider.',
};

/** Sent to the email of the deleted account. */
export const accountDeletedMail = (to: string): Mail => ({
  to,
  subject: 'Your account was deleted',
  text: [
    "Someone who was logged in to your account deleted it. You've been logged out everywhere.",
    "We're now erasing your personal data. We'll email you when it's done.",
    '',
  ].join('\n\n'),
});

export const accountErasedMail = (to: string, { kept }: Report): Mail => ({
  to,
  subject: 'Your personal data was erased',
  text: [
    'We erased the personal data we stored about you.',
    kept.length === 0
      ? 'Nothing was kept.'
      : `We kept:\n${kept.map((each) => `- ${KEPT[each.reason](each)}`).join('\n')}`,
    'This is the last email about your request.',
    '',
  ].join('\n\n'),
});
