/** Sends emails and SMS messages, and receives bounce reports from mail servers. */
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { AppServices, Steps } from './context/index.ts';
import { findOwnSender } from './domains/businesses/index.ts';
import { createBounceAddresses, receiveBounce } from './domains/newsletters/index.ts';
import type { Jobs } from './jobs/index.ts';
import { createMessages } from './jobs/messages.ts';
import { mailDomain } from './providers/mail/sender.ts';
import type { BounceServer } from './providers/mail-events/bounce-server.ts';
import { createOutbox } from './providers/outbox.ts';
import { httpSms, twilioSms } from './providers/sms/http.ts';
import type { Clock } from './shared/clock.ts';
import type { Logger } from './shared/logger.ts';
import { deriveKey } from './shared/security/secrets.ts';

type MessagingOptions = {
  config: Config;
  clock: Clock;
  log: Logger;
  jobs: Jobs;
  system: () => Steps<AppServices>;
};

export async function createMessaging({ config, clock, log, jobs, system }: MessagingOptions) {
  const bounces =
    config.bounces &&
    createBounceAddresses(deriveKey(config.secretKey, 'bounces'), config.bounces.domain, clock.seconds);
  const outbox = createOutbox(join(config.dataDir, 'outbox'));
  const mailer = config.smtpUrl
    ? (await import('./providers/mail/smtp.ts')).smtpMailer(config.smtpUrl, config.mailFrom, {
        findOwn: (businessId) => findOwnSender(system(), businessId),
        bounceAddress: bounces?.addressOf,
      })
    : outbox.mailer;
  const smsSender = config.smsUrl
    ? (config.smsUrl.startsWith('twilio:') ? twilioSms : httpSms)(config.smsUrl)
    : outbox.smsSender;
  let bounceServer: BounceServer | undefined;

  return {
    outbox,
    mailer,
    messages: createMessages(jobs, {
      mailer,
      smsSender,
      log,
      mailDomain: mailDomain(config.mailFrom),
      secretKey: config.secretKey,
    }),
    /** Listens for reports from mail servers and returns the port. Null without BOUNCE_DOMAIN. */
    async receiveBounces(): Promise<number | null> {
      if (!bounces) return null;
      const { startBounceServer } = await import('./providers/mail-events/bounce-server.ts');
      bounceServer = await startBounceServer({
        host: config.host,
        port: config.bounces!.port,
        accepts: bounces.accepts,
        receive: (to, raw) => receiveBounce(system(), { addresses: bounces, to, raw }),
      });
      return bounceServer.port;
    },
    stopReceiving: async () => bounceServer?.close(),
  };
}
