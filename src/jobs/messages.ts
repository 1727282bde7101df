import { createHmac } from 'node:crypto';
import type { Tx } from '../db/sql.ts';
import { type Mail, type Mailer, MailRefused } from '../providers/mail/port.ts';
import type { Sms, SmsSender } from '../providers/sms/port.ts';
import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import { deriveKey, seal, unseal } from '../shared/secrets.ts';
import { traced } from '../shared/tracing.ts';
import type { Jobs } from './index.ts';

type MessageOptions = {
  mailer: Mailer;
  smsSender: SmsSender;
  log: Logger;
  /** What a Message-ID ends in. */
  mailDomain: string;
  secretKey: string;
};

/** `to`: whose it is, for `drop`; it tells nobody who that is. */
type Sealed = { sealed: string; to?: string };

/**
 * Mail and SMS that leave after the transaction that caused them, and only if it commits. A mail has its Message-ID from the
 * beginning: when a process dies while it is sending, it goes out again as the same message. Messages hold codes and links
 * that open accounts, so the rows of their jobs hold them sealed.
 */
export function createMessages(jobs: Jobs, { mailer, smsSender, log, mailDomain, secretKey }: MessageOptions) {
  const key = deriveKey(secretKey, 'messages');
  const recipientKey = deriveKey(secretKey, 'message-recipients');
  const recipient = (businessId: string, to: string) =>
    createHmac('sha256', recipientKey).update(`${businessId} ${to.toLowerCase()}`).digest('base64url');
  const sealed = (queue: string, businessId: string, message: { to: string }): Sealed => ({
    sealed: seal(key, JSON.stringify(message), queue),
    to: recipient(businessId, message.to),
  });
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
    /** `businessId`: whose message it is; empty: the service's own. */
    mail: (tx: Tx, businessId: string, mail: Mail, cause?: string): Promise<void> =>
      jobs.enqueue(
        tx,
        'mail',
        sealed('mail', businessId, { messageId: `${newId('mail')}@${mailDomain}`, ...mail }),
        cause === undefined ? {} : { cause },
      ),
    sms: (tx: Tx, businessId: string, sms: Sms): Promise<void> =>
      jobs.enqueue(tx, 'sms', sealed('sms', businessId, sms)),
    /** Those to these recipients that wait, were sent in the last hour or have failed for good. One that is being sent goes out. */
    async drop(tx: Tx, businessId: string, recipients: readonly string[]): Promise<void> {
      const keys = recipients.map((to) => recipient(businessId, to));
      await tx`delete from jobs.job where data ->> 'to' = any(${keys}) and state <> 'active'`;
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
