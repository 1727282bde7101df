import { done, type StepsOf } from '../../../context/index.ts';
import { spendLimit } from '../../../db/call-limits.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import { emailKey } from '../../../shared/email.ts';
import { invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { isMemberAddress } from '../../accounts/index.ts';
import type { NewsletterServices, Steps } from '../context.ts';
import { exampleMail } from './example-mail.ts';

type Input = { entryId: string; email: string };

/** Sends the entry, published or not, to a member of the business or to the caller: nobody else has asked for it. */
export const sendTestMail: StepsOf<NewsletterServices, Input, Mail, never, typeof SUCCESS> = {
  async prepare(ctx, { entryId, email }) {
    await spendLimit(ctx, 'mail');
    const name = email.slice(0, email.lastIndexOf('@'));
    const mail = await exampleMail(ctx, entryId, { name, email });
    if (!(await isAllowed(ctx, email))) {
      const message = 'A test mail goes only to members of the business, or to your own address.';
      throw invalidField('email', 'NOT_ALLOWED', message);
    }
    return { to: email, ...mail };
  },
  async execute(ctx, _input, mail) {
    await ctx.mail(mail);
    return done(SUCCESS);
  },
};

async function isAllowed({ db, businessId, caller }: Steps, email: string): Promise<boolean> {
  if (caller.isConfirmed && caller.email !== null && emailKey(caller.email) === emailKey(email)) return true;
  return isMemberAddress(db, businessId, email);
}
