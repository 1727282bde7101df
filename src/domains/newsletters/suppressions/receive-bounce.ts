import { createHash } from 'node:crypto';
import { readBounceReport } from '../../../providers/mail-events/bounce-report.ts';
import { isEmail } from '../../../shared/text/email.ts';
import { businessExists } from '../../businesses/index.ts';
import type { Steps } from '../context.ts';
import { applyEvent } from './apply-event.ts';
import type { BounceAddresses } from './bounce-address.ts';

/** Mail servers give up after about five days. Handled reports are remembered for longer. */
const MAX_AGE_SECONDS = 14 * 86_400;

type Message = { addresses: BounceAddresses; to: string; raw: Buffer };

/**
 * Handles a report that a mail server sent by email. It has an effect only if its token was issued for one of its recipients. A bounce
 * is dated by when the reported email was sent, so a removed suppression is not restored by earlier emails.
 */
export async function receiveBounce(ctx: Steps, { addresses, to, raw }: Message): Promise<void> {
  const report = await readBounceReport(raw).catch(() => null);
  if (!report) return;
  for (const address of [to, ...report.senders]) {
    const token = addresses.read(address);
    const email = token && report.recipients.find((each) => addresses.verify(token, each));
    if (!email || !isEmail(email) || token.atSeconds < ctx.now - MAX_AGE_SECONDS) continue;
    const { businessId, atSeconds } = token;
    if (!(await businessExists(ctx, businessId))) return;
    const { kind, detail } = report;
    const id = createHash('sha256').update(`${token.token} ${kind}`).digest('base64url');
    await ctx.within(businessId).transaction((tx) => applyEvent(tx, null, { id, kind, email, atSeconds, detail }));
    return;
  }
}
