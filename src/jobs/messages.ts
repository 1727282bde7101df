import { createHmac } from 'node:crypto';
import type { Tx } from '../db/sql.ts';
import { type Mail, type Mailer, MailRefused } from '../providers/mail/port.ts';
import type { Sms, SmsSender } from '../providers/sms/port.ts';
import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import { deriveKey, seal, unseal } from '../shared/security/secrets.ts';
import { traced } from '../shared/tracing.ts';
import type { Jobs } from './index.ts';
import { ReceiverDown } from './retries.ts';

type MessageOptions = {
  mailer: Mailer;
  smsSender: SmsSender;
  log: Logger;
  /** The domain part of Message-IDs. */
  mailDomain: string;
  secretKey: string;
};

/** `to`: a hash of the recipient, for `drop`. */
type Sealed = { sealed: string; to?: string };

/**
 * Sends email and SMS after the transaction that caused them commits. An email gets its Message-ID when it is
 * enqueued: if a process dies while sending, the retry sends the same message. Messages contain codes and links that
 * give access to accounts, so they are encrypted in the job rows.
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

  const mailQueue = {
    name: 'mail',
    urgent: true,
    concurrency: 2,
    // Two days, for a mailbox that is full.
    retryLimit: 56,
    retryDelayMaxSeconds: 3600,
    async handle(job: Sealed): Promise<void> {
      try {
        await traced('send mail', { kind: 'client' }, () => mailer.send(open<Mail>('mail', job)));
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        if (error.serverDown) throw new ReceiverDown(error.message);
        if (!error.permanent) throw error;
        log.warn({ err: error }, 'The mail server rejected an email permanently');
      }
    },
  };
  const smsQueue = {
    name: 'sms',
    urgent: true,
    retryLimit: 4,
    handle: (job: Sealed) => traced('send sms', { kind: 'client' }, () => smsSender.send(open<Sms>('sms', job))),
  };
  // Messages of a business are tasks; messages of the service itself are jobs.
  for (const queue of [mailQueue, smsQueue]) {
    jobs.registerTasks<Sealed>(queue);
    jobs.register<Sealed>(queue);
  }

  return {
    /** `businessId`: the business that sends the message; empty for the service itself. */
    mail: (tx: Tx, businessId: string, mail: Mail, cause?: string): Promise<void> =>
      jobs.enqueue(
        tx,
        businessId,
        'mail',
        sealed('mail', businessId, { messageId: `${newId('mail')}@${mailDomain}`, ...mail }),
        cause === undefined ? {} : { cause },
      ),
    sms: (tx: Tx, businessId: string, sms: Sms): Promise<void> =>
      jobs.enqueue(tx, businessId, 'sms', sealed('sms', businessId, sms)),
    /** Deletes the waiting, sent and dead messages to these recipients. A message that is already being sent is still delivered. */
    async drop(tx: Tx, businessId: string, recipients: readonly string[]): Promise<void> {
      const keys = recipients.map((to) => recipient(businessId, to));
      await tx`delete from tasks where business_id = ${businessId} and data ->> 'to' = any(${keys})`;
      await tx`delete from jobs.job where data ->> 'to' = any(${keys}) and state <> 'active'`;
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
