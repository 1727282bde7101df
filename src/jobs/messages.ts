import type { Tx } from '../db/sql.ts';
import { type Mail, type Mailer, MailRefused } from '../providers/mail/port.ts';
import type { Sms, SmsSender } from '../providers/sms/port.ts';
import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import type { Jobs } from './index.ts';

/**
 * Mail and SMS that leave after the transaction that caused them, and only if it commits. A mail has its Message-ID, which
 * ends in `domain`, from the beginning: when a process dies with it on its way, it goes out again as the same message.
 */
export function createMessages(jobs: Jobs, mailer: Mailer, smsSender: SmsSender, log: Logger, domain: string) {
  jobs.register<Mail>({
    name: 'mail',
    urgent: true,
    concurrency: 2,
    async handle(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        if (!(error instanceof MailRefused && error.permanent)) throw error;
        log.warn({ err: error }, 'the mail server refused a mail for good');
      }
    },
  });
  jobs.register<Sms>({ name: 'sms', urgent: true, retryLimit: 4, handle: (sms) => smsSender.send(sms) });

  return {
    mail: (tx: Tx, mail: Mail): Promise<void> =>
      jobs.enqueue(tx, 'mail', { messageId: `${newId('mail')}@${domain}`, ...mail }),
    sms: (tx: Tx, sms: Sms): Promise<void> => jobs.enqueue(tx, 'sms', sms),
  };
}

export type Messages = ReturnType<typeof createMessages>;
