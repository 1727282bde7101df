import type { Mail } from '../../../../providers/mail/port.ts';
import { escapeHtml } from '../../../../shared/text/escape.ts';
import { firstCharacters } from '../../../../shared/text/text.ts';

/** The consent: shown above the button and stored. */
export const consentText = (newsletter: string, business: string, email: string) =>
  `I want to receive the newsletter "${withoutLinks(newsletter)}" from ${withoutLinks(business)} at ${email}. I can unsubscribe at any time with the link in each email.`;

/**
 * The recipient may not have asked for this email. So it contains nothing the visitor typed, and the names of the newsletter and the
 * business are short and contain no links.
 */
export function confirmMail(to: string, newsletter: string, business: string, link: string): Mail {
  const [title, owner] = [withoutLinks(newsletter), withoutLinks(business)];
  const before = `Confirm your subscription to the newsletter "${title}" from ${owner}. Open this link and select Subscribe. It expires in 7 days:`;
  const after = "If you didn't sign up, you can ignore this email. You won't be subscribed.";
  const address = escapeHtml(link);
  return {
    to,
    subject: `Confirm your subscription to ${title}`,
    text: `${before}\n\n${link}\n\n${after}\n`,
    html: `<p>${escapeHtml(before)}</p><p><a href="${address}">${address}</a></p><p>${after}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const SHOWN = 80;

/** The name on one line, without anything that a mail client turns into a link. */
export const withoutLinks = (name: string) =>
  firstCharacters(name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>@"]+/gu, ' '), SHOWN)
    .replaceAll(/:\/\/|(?<=\p{L})\.(?=\p{L})/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
