import { MailRefused } from './port.ts';

type SmtpError = NodeJS.ErrnoException & { responseCode?: number; response?: string; command?: string };

/**
 * Classifies the server's response. Only a 5xx about the recipient or the message is permanent: one about the sender
 * or the login is our configuration error.
 */
export function refusalOf(error: SmtpError, { inDoubt = false } = {}): MailRefused {
  const code = error.responseCode ?? 0;
  const aboutMail = error.command === 'RCPT TO' || error.command === 'DATA';
  const permanent = aboutMail && code >= 500 && code < 600;
  const hardBounce = permanent && error.command === 'RCPT TO' && isUnknownMailbox(error.response ?? '');
  return new MailRefused(error.message, {
    permanent,
    hardBounce,
    inDoubt: inDoubt && code === 0,
    serverDown: isServerDown(error),
  });
}

/** Not if the connection was closed later: some servers do that over a single message. */
function isServerDown({ code, command, responseCode, syscall }: SmtpError): boolean {
  if (code === 'EAUTH' || code === 'EDNS') return true;
  return command === 'CONN' && (syscall === 'connect' || code === 'ETIMEDOUT' || responseCode !== undefined);
}

/** 5.1.x means a bad address, 5.2.1 a disabled mailbox. Without an enhanced code, 550, 551 and 553 mean the same. */
function isUnknownMailbox(response: string): boolean {
  const detail = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  return detail ? /^5\.(1\.\d{1,3}|2\.1)$/.test(detail) : /^55[013]/.test(response);
}
