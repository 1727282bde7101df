import type { Tx } from '../db/sql.ts';
import { type Mail, type Mailer, MailRefused } from '../providers/mail/port.ts';
import type { Sms, SmsSender } from '../providers/sms/port.ts';
import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import { deriveKey, seal, unseal } from '../shared/secrets.ts';
import { traced } from '../shared/tracing.ts';
import type { Jobs } from './index.ts';

export type MessageOptions = {
  mailer: Mailer;
  smsSender: SmsSender;
  log: Logger;
  /** What a Message-ID ends in. */
  mailDomain: string;
  secretKey: string;
};

type Sealed = { sealed: string };

/**
 * Mail and SMS that leave after the transaction that caused them, and only if it commits. A mail has its Message-ID from the
 * beginning: when a process dies while it is sending, it goes out again as the same message. Messages hold codes and links
 * that open accounts, so the rows of their jobs hold them sealed.
 */
export function createMessages(jobs: Jobs, { mailer, smsSender, log, mailDomain, secretKey }: MessageOptions) {
  const key = deriveKey(secretKey, 'messages');
  const sealed = (queue: string, message: object): Sealed => ({ sealed: seal(key, JSON.stringify(message), queue) });
  const open = <Message>(queue: string, job: Sealed): Message => JSON.parse(unseal(key, job.sealed, queue));

  jobs.register<Sealed>({
    name: 'mail',
    urgent: true,
    concurrency: 2,
    async handle(job) {
      try {
        await traced('send mail', { kind: 'client' }, () => mailer.send(open<Mail>('mail', job)));
      } catch (error) {
        if (!(error instanceof MailRefused && error.permanent)) throw error;
        log.warn({ err: error }, 'the mail server refused a mail for good');
      }
    },
  });
  jobs.register<Sealed>({
    name: 'sms',
    urgent: true,
    retryLimit: 4,
    handle: (job) => traced('send sms', { kind: 'client' }, () => smsSender.send(open<Sms>('sms', job))),
  });

  return {
    mail: (tx: Tx, mail: Mail): Promise<void> =>
      jobs.enqueue(tx, 'mail', sealed('mail', { messageId: `${newId('mail')}@${mailDomain}`, ...mail })),
    sms: (tx: Tx, sms: Sms): Promise<void> => jobs.enqueue(tx, 'sms', sealed('sms', sms)),
  };
}

export type Messages = ReturnType<typeof createMessages>;
