import { languageOf } from '../../shared/mail/languages.ts';
import { deleteAccountEvents } from '../accounts/index.ts';
import { listBusinessIds } from '../businesses/index.ts';
import type { Steps } from './context.ts';
import { erasePerson, newErasure } from './erase-person.ts';
import { accountErasedMail } from './mails.ts';
import {
  type AccountErasureRow,
  deleteIdempotencyKeys,
  findAccountErasure,
  findErasure,
  insertErasure,
  listStartedIn,
  updateAccountErasure,
} from './queries.ts';
import { addReports } from './report.ts';
import type { Subject } from './subject.ts';

export const ERASE_ACCOUNT_JOB = 'erase-account';
export type EraseAccountJob = { erasureId: string };

const BUSINESSES = 200;

/** A job, safe to repeat after a crash. The account is already deleted. Erases personal data one business at a time. */
export async function eraseAccount(ctx: Steps, { erasureId }: EraseAccountJob): Promise<void> {
  let row = await findAccountErasure(ctx.db, erasureId);
  if (row?.status !== 'RUNNING') return;
  const subject = ctx.privacy.open(row.id, row.person!);
  for (;;) {
    const page = await listBusinessIds(ctx.db, row.after, BUSINESSES);
    for (const businessId of await listAffected(ctx, row, page, subject))
      row = await eraseIn(ctx, row, businessId, subject);
    if (page.length < BUSINESSES) break;
    row = { ...row, after: page.at(-1)! };
  }
  await complete(ctx, row, subject);
}

/** The businesses on this page that hold the person's data, or did at an earlier attempt, in order. */
async function listAffected(ctx: Steps, { id }: AccountErasureRow, page: string[], person: Subject): Promise<string[]> {
  const found = new Set(await listStartedIn(ctx.db, page, id));
  for (const { businessesOf } of ctx.privacy.holders) {
    for (const id of await businessesOf(ctx.db, page, person)) found.add(id);
  }
  return page.filter((businessId) => found.has(businessId));
}

/** Each business sees its own erasure. Retries reuse the ID, so that its report is added only once. */
async function eraseIn(
  ctx: Steps,
  row: AccountErasureRow,
  businessId: string,
  person: Subject,
): Promise<AccountErasureRow> {
  const within = ctx.within(businessId);
  const erasure = newErasure(within, row.id, person.userId ?? row.id, person, null);
  await ctx.write((tx) => insertErasure(tx, erasure));
  await erasePerson(within, { erasureId: row.id });
  const done = await findErasure(ctx.db, businessId, row.id);
  const next = { ...row, after: businessId, report: done ? addReports(row.report, done.report) : row.report };
  await ctx.write((tx) => updateAccountErasure(tx, next));
  return next;
}

async function complete(
  ctx: Steps,
  row: AccountErasureRow,
  { userId, emails, email, language }: Subject,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (userId !== null) {
      await deleteIdempotencyKeys(tx.db, '', userId);
      await deleteAccountEvents(tx.db, userId);
    }
    await tx.dropMessages(emails);
    await updateAccountErasure(tx.db, { ...row, status: 'DONE', person: null, completedAt: tx.now });
    if (email) await tx.mail(accountErasedMail(email, row.report, languageOf(language)));
  });
}
