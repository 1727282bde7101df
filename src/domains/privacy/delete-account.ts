import type { StepsOf } from '../../context/index.ts';
import { newId } from '../../shared/ids.ts';
import { deleteAccount, leaveBusinesses, proveOwner } from '../accounts/index.ts';
import type { Command, PrivacyServices } from './context.ts';
import { ERASE_ACCOUNT_JOB, type EraseAccountJob } from './erase-account.ts';
import { accountDeletedMail } from './mails.ts';
import { insertAccountErasure } from './queries.ts';
import { EMPTY } from './report.ts';
import type { DeleteAccountInput, DeletedAccount } from './schemas.ts';
import type { Subject } from './subject.ts';

/** Longer than a request lasts, and than other processes take a token for good. */
const LATE_SECONDS = 60;

/** The account is gone with the answer. What businesses hold of its owner is erased by a job. */
export const deleteOwnAccount: StepsOf<PrivacyServices, DeleteAccountInput, void, DeletedAccount, DeletedAccount> = {
  async prepare(ctx, { password }) {
    await proveOwner(ctx, password);
    await leaveBusinesses(ctx);
  },
  async execute(ctx) {
    const { userId } = ctx.caller;
    const { email, isConfirmed } = await deleteAccount(ctx, userId);
    const emails = email && isConfirmed ? [email.toLowerCase()] : [];
    const erasureId = await beginErasure(ctx, { userId, emails, email }, 0);
    // By the id alone: the e-mail may be another account's by then.
    await beginErasure(ctx, { userId, emails: [], email: null, since: ctx.now - LATE_SECONDS }, LATE_SECONDS);
    if (email) await ctx.mail(accountDeletedMail(email));
    return { success: true, erasureId };
  },
};

/** The second one finds what requests that were under way have written behind the first. */
async function beginErasure(ctx: Command, subject: Subject, startAfterSeconds: number): Promise<string> {
  const id = newId('ers');
  await insertAccountErasure(ctx.db, {
    ...{ id, status: 'RUNNING', person: ctx.privacy.seal(id, subject), after: '', report: EMPTY },
    ...{ createdAt: ctx.now, completedAt: null },
  });
  await ctx.enqueue(ERASE_ACCOUNT_JOB, { erasureId: id } satisfies EraseAccountJob, { startAfterSeconds });
  return id;
}
