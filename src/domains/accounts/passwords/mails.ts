import type { Mail } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';

// These emails contain no user input except the recipient. Otherwise, anyone could register someone else's email and use us
// to send them arbitrary text.

/** `hasEarlier`: an earlier registration with this email is still open. */
export const confirmMail = (to: string, link: string, hasEarlier: boolean): Mail =>
  mail(to, 'Confirm your email address', [
    'Confirm your email address to finish creating your account. This link expires in 1 hour:',
    link,
    hasEarlier
      ? 'There is an earlier unconfirmed registration for this email address. Each link confirms only its own registration, with the password you chose at that time. Use this link only if you just registered. If you registered earlier, use the link in the earlier email.'
      : "If you didn't create an account, you can ignore this email. The account stays inactive.",
  ]);

export const resetMail = (to: string, link: string): Mail =>
  mail(to, 'Reset your password', [
    'We received a request to reset your password. To choose a new one, open this link within 1 hour:',
    link,
    "If you didn't request this, you can ignore this email. Your password won't change.",
  ]);

function mail(to: string, subject: string, [before, link, after]: [string, string, string]): Mail {
  const url = escapeHtml(link);
  return {
    to,
    subject,
    text: `${before}\n\n${link}\n\n${after}\n`,
    html: `<p>${before}</p><p><a href="${url}">${url}</a></p><p>${after}</p>`,
  };
}
