import type { Mail } from '../../../../providers/mail/port.ts';
import { dayOf } from '../../../../shared/day.ts';
import { formatMoney } from '../../../../shared/money.ts';
import { escapeHtml } from '../../../../shared/text/escape.ts';
import type { AgreementRow } from '../../../payments/index.ts';
import { withoutLinks } from '../joining/confirm-mail.ts';

type Failed = {
  newsletter: string;
  business: string;
  agreement: Pick<AgreementRow, 'amount' | 'currency'>;
  link: string;
};

/** For a subscriber whose payment failed. */
export function pastDueMail(to: string, { newsletter, business, agreement, link }: Failed): Mail {
  const [title, owner] = [withoutLinks(newsletter), withoutLinks(business)];
  const money = formatMoney(agreement.amount, agreement.currency);
  const before = `Your payment of ${money} for your subscription to "${title}" from ${owner} failed. You won't get new issues until it's paid. To update your card or cancel, open this link:`;
  return planMail(to, `Your payment for ${title} failed`, before, link);
}

/** Notifies the subscriber of a cancellation, because anyone who gets a forwarded newsletter can cancel with its link. */
export const cancelledMail = (to: string, newsletter: string, paidUntil: number, link: string): Mail =>
  planMail(
    to,
    `Your subscription to ${withoutLinks(newsletter)} is canceled`,
    `Your subscription to "${withoutLinks(newsletter)}" is canceled. You'll get every issue until ${dayOf(paidUntil)}, and you won't be charged again. If you didn't cancel or changed your mind, open this link and select Keep subscription:`,
    link,
  );

/** For a subscriber who requested a link to their plan on the unsubscribe page. */
export const planLinkMail = (to: string, newsletter: string, link: string): Mail =>
  planMail(
    to,
    `Your subscription to ${withoutLinks(newsletter)}`,
    `Here's the link to manage your subscription to "${withoutLinks(newsletter)}". You can see your payments, update your card, or cancel. Don't share this link.`,
    link,
  );

function planMail(to: string, subject: string, text: string, link: string): Mail {
  const address = escapeHtml(link);
  return {
    to,
    subject,
    text: `${text}\n\n${link}\n\nThis link expires in 30 days.\n`,
    html: `<p>${escapeHtml(text)}</p><p><a href="${address}">${address}</a></p><p>This link expires in 30 days.</p>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
