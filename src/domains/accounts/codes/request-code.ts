import { randomBytes } from 'node:crypto';
import { consumeLimit } from '../../../db/limits.ts';
import { invalid } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { mailboxKey } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { hashSecret } from '../oauth/seals.ts';
import { badReserveDomain, findMailSite } from '../passwords/mail-links.ts';
import { newCode } from '../phone/codes.ts';
import { CODE_SECONDS, hashLoginCode } from './codes.ts';
import { codeJob, MAIL_CODE_JOB } from './mail-code.ts';
import { insertLoginCode } from './queries.ts';
import type { CodeLoginInput, CodeLoginResult } from './schemas.ts';

/**
 * Emails a login code. The response and the work are the same for every email: a job decides later whether the email may log in. The
 * code works only with the challenge in the response, so codes that others request neither replace it nor use up its attempts.
 */
export const requestCode = command({
  async prepare(ctx, { email, reserveDomain, businessId, invitationToken }: CodeLoginInput) {
    const { limits } = ctx.accounts;
    const site = await findMailSite(ctx, { reserveDomain, businessId });
    if (!site) throw invalid([badReserveDomain()]);
    const address = addressKey(ctx.address);
    await consumeLimit(ctx, limits.address, address);
    // Checked per client first, so that one client can't use up the mailbox's limit and lock out its owner.
    await consumeLimit(ctx, limits.codeMails, `${mailboxKey(email)} ${address}`);
    await consumeLimit(ctx, limits.codeMailbox, mailboxKey(email));
    const challenge = randomBytes(24).toString('base64url');
    const code = newCode();
    // On another host, the page that the link opens would not find the challenge.
    const linkBase = site.isSameHost ? site.linkBase : '';
    const mail = { email, code, linkBase, name: site.name, invitationToken };
    return { challenge, code, email, job: codeJob(ctx, mail) };
  },
  async execute(ctx, { challenge, code, email, job }): Promise<CodeLoginResult> {
    await insertLoginCode(ctx.db, {
      secretHash: hashSecret(challenge),
      email,
      codeHash: hashLoginCode(ctx, challenge, code),
      expiresAt: ctx.now + CODE_SECONDS,
    });
    await ctx.enqueue(MAIL_CODE_JOB, job);
    return { challenge };
  },
});
