import type { Kept, KeptReason } from '../../context/index.ts';
import type { Mail } from '../../providers/mail/port.ts';
import type { Report } from './report.ts';

const KEPT: Record<KeptReason, (kept: Kept) => string> = {
  ACCOUNTING: ({ what, count }) => `${count} ${what}: the figures alone, without name and address, for accounting.`,
  ORDER_OPEN: ({ count }) => `${count} orders are not finished. Ask the shop when you expect goods or money.`,
  PAYMENT_OPEN: ({ count }) => `${count} payments are open. They end by themselves.`,
  MEMBER: () => 'Your role in the team of a business.',
  PAYMENT_PROVIDER: () => 'What the payment provider holds itself. Ask the shop, or the provider.',
};

/** To the address that the account had. */
export const accountDeletedMail = (to: string): Mail => ({
  to,
  subject: 'Your account is deleted',
  text: [
    'Your account was deleted on request of somebody who was logged in to it. All sessions have ended.',
    'Your personal data is being erased now. You get one more mail when that is done.',
    '',
  ].join('\n\n'),
});

export const accountErasedMail = (to: string, { kept }: Report): Mail => ({
  to,
  subject: 'Your personal data is erased',
  text: [
    'What we held of you is erased.',
    kept.length === 0
      ? 'Nothing was kept.'
      : `This was kept:\n${kept.map((each) => `- ${KEPT[each.reason](each)}`).join('\n')}`,
    'This is the last mail to you about it.',
    '',
  ].join('\n\n'),
});
