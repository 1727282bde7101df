import { readMailgun } from '../../../providers/mail-events/mailgun.ts';
import type { ReadReport } from '../../../providers/mail-events/port.ts';
import { readPostmark } from '../../../providers/mail-events/postmark.ts';
import { readSendgrid } from '../../../providers/mail-events/sendgrid.ts';
import { createSesReader } from '../../../providers/mail-events/ses.ts';
import type { Outbound } from '../../../providers/outbound/index.ts';
import { createJsonCalls } from '../../../providers/outbound/json-call.ts';
import type { MailEventsSettings } from '../../businesses/index.ts';

type Readers = Readonly<Record<MailEventsSettings['type'], ReadReport>>;

export function createReportReaders(outbound: Outbound): Readers {
  const calls = createJsonCalls(outbound);
  return {
    SES: createSesReader((url) => calls.get('amazon-sns', url)),
    POSTMARK: readPostmark,
    SENDGRID: readSendgrid,
    MAILGUN: readMailgun,
  };
}
