import type { Mail } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/escape.ts';
import { firstCharacters } from '../../../shared/text.ts';

/** What somebody agrees to: shown above the button, and kept. */
export const consentText = (newsletter: string, business: string, email: string) =>
  `Please send me the newsletter "${harmless(newsletter)}" of ${harmless(business)} to ${email}. I can unsubscribe at any time with the link in each mail.`;

/**
 * It goes to somebody who may not have asked for it. So nothing that the one who asked has typed is in it, and the names of
 * newsletter and business neither lead anywhere nor say much.
 */
export function confirmMail(to: string, newsletter: string, business: string, link: string): Mail {
  const [title, owner] = [harmless(newsletter), harmless(business)];
  const before = `Somebody, most likely you, has asked for the newsletter "${title}" of ${owner} for this address. To get it, open this link within 7 days and press the button:`;
  const after = 'If it was not you, ignore this mail: without the button nothing is sent to you.';
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

/** A name without anything that a mail program makes a link of, on one line. */
export const harmless = (name: string) =>
  firstCharacters(name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>@"]+/gu, ' '), SHOWN)
    .replaceAll(/:\/\/|(?<=\p{L})\.(?=\p{L})/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
