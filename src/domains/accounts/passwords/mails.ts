import type { Mail } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/escape.ts';

// Nothing that a stranger has typed goes into these mails, except the address they go to: whoever registers somebody else's
// address could otherwise use us to send their own words.

/** `another`: a registration that was made before with this address is still open. */
export const confirmMail = (to: string, link: string, another: boolean): Mail =>
  mail(to, 'Confirm your e-mail address', [
    'Somebody, most likely you, has registered with this e-mail address. To confirm it, open this link within an hour:',
    link,
    another
      ? 'Attention: a registration made earlier with this address is still open, and has a mail of its own. Each link confirms the password that was chosen with it. Open this link only if you have registered just now; if you registered earlier, use the earlier mail.'
      : 'If it was not you, ignore this mail: without the link the account cannot be used.',
  ]);

export const resetMail = (to: string, link: string): Mail =>
  mail(to, 'Reset your password', [
    'Somebody, most likely you, has asked for a new password for this account. To choose one, open this link within an hour:',
    link,
    'If it was not you, ignore this mail: your password stays as it is.',
  ]);

function mail(to: string, subject: string, [before, link, after]: [string, string, string]): Mail {
  const address = escapeHtml(link);
  return {
    to,
    subject,
    text: `${before}\n\n${link}\n\n${after}\n`,
    html: `<p>${before}</p><p><a href="${address}">${address}</a></p><p>${after}</p>`,
  };
}
