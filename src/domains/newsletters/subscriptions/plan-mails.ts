import type { Mail } from '../../../providers/mail/port.ts';
import { dayOf } from '../../../shared/day.ts';
import { escapeHtml } from '../../../shared/escape.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { AgreementRow } from '../../payments/index.ts';
import { harmless } from './confirm-mail.ts';

type Failed = {
  newsletter: string;
  business: string;
  agreement: Pick<AgreementRow, 'amount' | 'currency'>;
  link: string;
};

/** To a reader whose card was refused. */
export function pastDueMail(to: string, { newsletter, business, agreement, link }: Failed): Mail {
  const [title, owner] = [harmless(newsletter), harmless(business)];
  const money = formatMoney(agreement.amount, agreement.currency);
  const before = `The payment of ${money} for your subscription to "${title}" of ${owner} could not be taken. Until it is paid, no further issue is sent to you. To change your card, or to cancel, open this link:`;
  return planMail(to, `Your payment for ${title} has failed`, before, link);
}

/** To a reader whose plan is cancelled on a page: a newsletter is passed on with its link, and whoever has it can cancel. */
export const cancelledMail = (to: string, newsletter: string, paidUntil: number, link: string): Mail =>
  planMail(
    to,
    `Your subscription to ${harmless(newsletter)} is cancelled`,
    `Your subscription to "${harmless(newsletter)}" is cancelled. You get every issue until ${dayOf(paidUntil)}; then it ends, and nothing more is charged. If this was not you, or you have changed your mind, open this link and choose "Renew after all":`,
    link,
  );

/** To a reader who has asked, on the page of a newsletter, for the page of their plan. */
export const planLinkMail = (to: string, newsletter: string, link: string): Mail =>
  planMail(
    to,
    `Your subscription to ${harmless(newsletter)}`,
    `Somebody, most likely you, has asked for the page of your subscription to "${harmless(newsletter)}". There you see what is paid, change your card or cancel. It is for you alone: do not pass this link on.`,
    link,
  );

function planMail(to: string, subject: string, text: string, link: string): Mail {
  const address = escapeHtml(link);
  return {
    to,
    subject,
    text: `${text}\n\n${link}\n\nThe link is good for 30 days.\n`,
    html: `<p>${escapeHtml(text)}</p><p><a href="${address}">${address}</a></p><p>The link is good for 30 days.</p>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
