import { consumeLimit, consumeMailLimit } from '../../../db/limits.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { badReserveDomain, findMailSite } from './mail-links.ts';
import { MAIL_RESET_JOB, type MailResetJob, resetJob } from './mail-reset.ts';
import type { ForgotInput } from './schemas.ts';

/** Does the same work for every email. The job looks up the user later, so timing doesn't reveal who is registered. */
export const forgotPassword = command({
  async prepare(ctx, { email, ...asking }: ForgotInput): Promise<MailResetJob> {
    const { limits } = ctx.accounts;
    const site = await findMailSite(ctx, asking);
    if (!site) throw invalid([badReserveDomain()]);
    await consumeLimit(ctx, limits.address, addressKey(ctx.address));
    await consumeMailLimit(ctx, email);
    return resetJob(ctx, email, site.linkBase);
  },
  async execute(ctx, job) {
    await ctx.enqueue(MAIL_RESET_JOB, job);
    return SUCCESS;
  },
});
