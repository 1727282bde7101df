import type { Mail } from '../../../providers/mail/port.ts';
import type { Language } from '../../../shared/mail/languages.ts';
import { serviceMail } from '../../../shared/mail/service-mail.ts';

// These emails contain no user input except the recipient. Otherwise, anyone could register someone else's email and use us
// to send them arbitrary text.

/** `hasEarlier`: an earlier registration with this email is still open. */
export const confirmMail = (to: string, link: string, hasEarlier: boolean, language: Language): Mail => ({
  to,
  ...serviceMail(hasEarlier ? 'CONFIRM_ACCOUNT_AGAIN' : 'CONFIRM_ACCOUNT', language, { link }),
});

export const resetMail = (to: string, link: string, language: Language): Mail => ({
  to,
  ...serviceMail('RESET_PASSWORD', language, { link }),
});
