import { consumeCallLimit } from '../../../db/call-limits.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import { invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { isMemberEmail } from '../../accounts/index.ts';
import { command, type Steps } from '../context.ts';
import { findSuppressed } from '../suppressions/queries.ts';
import { exampleMail } from './example-mail.ts';

type Input = { entryId: string; email: string };

/**
 * Sends the entry, published or not, to a member of the business or to the caller, so that it can't be used to spam others. Suppressed
 * addresses don't get test emails.
 */
export const sendTestMail = command({
  async prepare(ctx, { entryId, email }: Input): Promise<Mail> {
    await consumeCallLimit(ctx, 'mail');
    const name = email.slice(0, email.lastIndexOf('@'));
    const mail = await exampleMail(ctx, entryId, { name, email });
    if (!(await isAllowed(ctx, email))) {
      const message = 'Test emails can only be sent to members of the business or to your own email address.';
      throw invalidField('email', 'NOT_ALLOWED', message);
    }
    if ((await findSuppressed(ctx.db, ctx.businessId, [email])).size > 0) {
      const message = 'This address is on the suppression list. Remove it from the list to send test emails to it.';
      throw invalidField('email', 'NOT_ALLOWED', message);
    }
    return { to: email, ...mail };
  },
  async execute(ctx, mail) {
    await ctx.mail(mail);
    return SUCCESS;
  },
});

async function isAllowed({ db, businessId, caller }: Steps, email: string): Promise<boolean> {
  if (caller.isConfirmed && caller.email !== null && emailKey(caller.email) === emailKey(email)) return true;
  return isMemberEmail(db, businessId, email);
}
