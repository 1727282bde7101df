import type { StepsOf } from '../../context/index.ts';
import { newId } from '../../shared/ids.ts';
import { deleteAccount, leaveBusinesses, proveOwner } from '../accounts/index.ts';
import type { PrivacyServices } from './context.ts';
import { ERASE_ACCOUNT_JOB, type EraseAccountJob } from './erase-account.ts';
import { accountDeletedMail } from './mails.ts';
import { insertAccountErasure } from './queries.ts';
import { EMPTY } from './report.ts';
import type { DeleteAccountInput, DeletedAccount } from './schemas.ts';
import type { Subject } from './subject.ts';

/** The account is gone with the answer. What businesses hold of its owner is erased by a job. */
export const deleteOwnAccount: StepsOf<PrivacyServices, DeleteAccountInput, void, DeletedAccount, DeletedAccount> = {
  async prepare(ctx, { password }) {
    await proveOwner(ctx, password);
    await leaveBusinesses(ctx);
  },
  async execute(ctx) {
    const { userId } = ctx.caller;
    const id = newId('ers');
    const { email, isConfirmed } = await deleteAccount(ctx, userId);
    const subject: Subject = { userId, emails: email && isConfirmed ? [email.toLowerCase()] : [], email };
    await insertAccountErasure(ctx.db, {
      ...{ id, status: 'RUNNING', person: ctx.privacy.seal(id, subject), after: '', report: EMPTY },
      ...{ createdAt: ctx.now, completedAt: null },
    });
    await ctx.enqueue(ERASE_ACCOUNT_JOB, { erasureId: id } satisfies EraseAccountJob);
    if (email) await ctx.mail(accountDeletedMail(email));
    return { success: true, erasureId: id };
  },
};
