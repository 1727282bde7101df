import type { Platform } from '../../../context/index.ts';
import type { Command, Steps } from '../context.ts';
import { getBusiness } from '../get-business.ts';
import { businessLanguage, writeBusinessMail } from '../mail-templates/business-mail.ts';
import { emitSender, lookUpSender } from './change-sender.ts';
import { findSender, listSenders, type SenderRow, updateChecked } from './queries.ts';

const PAGE = 20;

/** Looks up the records of all sender domains every day, because domains expire and records get lost. */
export const handleSenderChecks = ({ handleJobs }: Platform): void =>
  handleJobs<object>({ name: 'sender-checks', cron: '37 4 * * *', expireSeconds: 14_400, handle: checkSenders });

export async function checkSenders(ctx: Steps): Promise<void> {
  for (let after = ''; ; ) {
    const businessIds = await listSenders(ctx.db, after, PAGE);
    await Promise.all(businessIds.map((id) => recheck(ctx.within(id))));
    if (businessIds.length < PAGE) return;
    after = businessIds.at(-1)!;
  }
}

async function recheck(ctx: Steps): Promise<void> {
  const row = await findSender(ctx.db, ctx.businessId);
  if (!row) return;
  const checked = await lookUpSender(ctx, row);
  await ctx.transaction(async (tx) => {
    const isStored = await updateChecked(tx.db, checked);
    const isProved = checked.provedAt !== null;
    if (!isStored || isProved === (row.provedAt !== null)) return;
    await emitSender(tx, 'business.sender_checked');
    if (!isProved) await mailLostRecords(tx, checked);
  });
}

/** Emails the admins that emails are now sent from the address of the service. */
async function mailLostRecords(ctx: Command, row: SenderRow): Promise<void> {
  const { businesses, businessId, db } = ctx;
  const business = await getBusiness(ctx, businessId);
  const mail = writeBusinessMail(business, {
    kind: 'STAFF_SENDER_LOST',
    language: businessLanguage(business),
    values: { 'sender.domain': row.domain, 'service.address': businesses.senders.serviceAddress },
    publicUrl: ctx.publicUrl(),
  });
  for (const to of await businesses.listAdmins(db, businessId)) await ctx.mail({ to, ...mail });
}
