import { newId } from '../../shared/ids.ts';
import { requestLanguage } from '../../shared/mail/service-mail.ts';
import { deleteAccount, leaveBusinesses, verifyOwner } from '../accounts/index.ts';
import { type Command, command } from './context.ts';
import { ERASE_ACCOUNT_JOB, type EraseAccountJob } from './erase-account.ts';
import { accountDeletedMail } from './mails.ts';
import { insertAccountErasure } from './queries.ts';
import { EMPTY } from './report.ts';
import type { DeleteAccountInput, DeletedAccount } from './schemas.ts';
import type { Subject } from './subject.ts';

/** Longer than any request takes, and longer than other processes cache a token. */
const LATE_WRITES_SECONDS = 60;

/** Deletes the account immediately. A job erases the personal data that businesses hold. */
export const deleteOwnAccount = command({
  async prepare(ctx, { password }: DeleteAccountInput) {
    await verifyOwner(ctx, password);
    await leaveBusinesses(ctx);
  },
  async execute(ctx): Promise<DeletedAccount> {
    const { userId } = ctx.caller;
    const { email, isConfirmed } = await deleteAccount(ctx, userId);
    const emails = email && isConfirmed ? [email.toLowerCase()] : [];
    const language = requestLanguage(ctx);
    const erasureId = await startErasure(ctx, { userId, emails, email, language }, 0);
    // The second erasure covers requests that were running during the first. It uses only the ID, because the email may
    // belong to another account by then.
    const since = ctx.now - LATE_WRITES_SECONDS;
    await startErasure(ctx, { userId, emails: [], email: null, since }, LATE_WRITES_SECONDS);
    if (email) await ctx.mail(accountDeletedMail(email, language));
    return { success: true, erasureId };
  },
});

async function startErasure(ctx: Command, subject: Subject, startAfterSeconds: number): Promise<string> {
  const id = newId('ers');
  await insertAccountErasure(ctx.db, {
    id,
    status: 'RUNNING',
    person: ctx.privacy.seal(id, subject),
    after: '',
    report: EMPTY,
    createdAt: ctx.now,
    completedAt: null,
  });
  await ctx.enqueue(ERASE_ACCOUNT_JOB, { erasureId: id } satisfies EraseAccountJob, { startAfterSeconds });
  return id;
}
