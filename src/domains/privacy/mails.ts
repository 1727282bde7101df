import type { Mail } from '../../providers/mail/port.ts';
import { type Language, textsIn } from '../../shared/mail/languages.ts';
import type { MailPart } from '../../shared/mail/parts.ts';
import { serviceMail } from '../../shared/mail/service-mail.ts';
import type { Report } from './report.ts';

/** Sent to the email of the deleted account. */
export const accountDeletedMail = (to: string, language: Language): Mail => ({
  to,
  ...serviceMail('ACCOUNT_DELETED', language, {}),
});

export function accountErasedMail(to: string, { kept }: Report, language: Language): Mail {
  const texts = textsIn(language).kept;
  const part: MailPart =
    kept.length === 0
      ? { type: 'note', text: texts.none }
      : {
          type: 'columns',
          columns: [{ title: texts.title, lines: kept.map((each) => `- ${texts[each.reason](each)}`) }],
        };
  return { to, ...serviceMail('ACCOUNT_ERASED', language, { parts: [part] }) };
}
