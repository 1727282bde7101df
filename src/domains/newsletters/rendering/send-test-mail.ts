import { done, type StepsOf } from '../../../context/index.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { NewsletterServices } from '../context.ts';
import { exampleMail } from './example-mail.ts';

type Input = { entryId: string; email: string };

/** Sends the entry, published or not, to one address. */
export const sendTestMail: StepsOf<NewsletterServices, Input, Mail, never, typeof SUCCESS> = {
  async prepare(ctx, { entryId, email }) {
    const name = email.slice(0, email.lastIndexOf('@'));
    return { to: email, ...(await exampleMail(ctx, entryId, { name, email })) };
  },
  async execute(ctx, _input, mail) {
    await ctx.mail(mail);
    return done(SUCCESS);
  },
};
