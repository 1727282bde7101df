import type { Mail } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/escape.ts';

type Words = { businessName: string; invitedBy: string | null; link: string };

/**
 * Goes to somebody who has not asked for it. What a stranger has typed is in it once, as a short name in which no mail program
 * finds an address to click on.
 */
export function invitationMail(to: string, { businessName, invitedBy, link }: Words): Mail {
  const name = plainName(businessName);
  const opening = `${invitedBy ?? 'Somebody'} invites you to work with them on “${name}”.`;
  const ask = 'To accept or to decline, open this link within 7 days:';
  const ending = 'If you do not know them, ignore this mail: without the link nothing happens.';
  return {
    to,
    subject: `Invitation to ${name}`,
    text: `${opening}\n\n${ask}\n\n${link}\n\n${ending}\n`,
    html: `<p>${escapeHtml(opening)}</p><p>${ask}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${ending}</p>`,
  };
}

const plainName = (name: string) =>
  name
    .replaceAll(/[<>@:/\\\s\p{Cc}]+|\.(?=\S)/gu, ' ')
    .trim()
    .slice(0, 80);
