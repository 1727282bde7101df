import type { Mail } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';

type Words = { businessName: string; invitedBy: string | null; link: string };

/**
 * The recipient has not asked for this email. The only user input in it is a short name, stripped of anything that an email
 * client would turn into a link.
 */
export function invitationMail(to: string, { businessName, invitedBy, link }: Words): Mail {
  const name = plainName(businessName);
  const opening = `${invitedBy ?? 'Someone'} invited you to join ${name}.`;
  const ask = 'To accept or decline, open this link. It expires in 7 days:';
  const ending = "If you weren't expecting this invitation, you can ignore this email.";
  return {
    to,
    subject: `Invitation to join ${name}`,
    text: `${opening}\n\n${ask}\n\n${link}\n\n${ending}\n`,
    html: `<p>${escapeHtml(opening)}</p><p>${ask}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${ending}</p>`,
  };
}

const plainName = (name: string) =>
  name
    .replaceAll(/[<>@:/\\\s\p{Cc}]+|\.(?=\S)/gu, ' ')
    .trim()
    .slice(0, 80);
