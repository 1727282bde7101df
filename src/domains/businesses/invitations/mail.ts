import type { Mail } from '../../../providers/mail/port.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { businessLanguage, writeBusinessMail } from '../mail-templates/business-mail.ts';
import type { BusinessRow } from '../queries.ts';

type Invited = { invitedBy: string | null; link: string; publicUrl: string };

/**
 * The recipient has not asked for this email. The only user input in it is a short name, stripped of anything that an email
 * client would turn into a link.
 */
export function invitationMail(to: string, business: BusinessRow, { invitedBy, link, publicUrl }: Invited): Mail {
  const language = businessLanguage(business);
  const values = { 'business.name': plainName(business.name), invitedBy: invitedBy ?? textsIn(language).someone };
  const written = { kind: 'INVITATION', language, values, link: { url: link, isRepeated: true } } as const;
  return { to, ...writeBusinessMail(business, { ...written, isPlain: true, publicUrl }) };
}

const plainName = (name: string) =>
  name
    .replaceAll(/[<>@:/\\\s\p{Cc}]+|\.(?=\S)/gu, ' ')
    .trim()
    .slice(0, 80);
