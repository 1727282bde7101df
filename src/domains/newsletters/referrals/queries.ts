import { createHash } from 'node:crypto';
import type { Db, Fragment, Tx } from '../../../db/sql.ts';
import { mailboxKey } from '../../../shared/text/email.ts';
import { escapeLike } from '../../../shared/text/text.ts';
import { isPaid } from '../segments/match.ts';

const hashMailbox = (email: string) => createHash('sha256').update(mailboxKey(email)).digest('base64url');

/** Whether the mailbox, under any of its `+` addresses, has another subscription, is a customer or has paid for an order. */
export async function isKnown(
  db: Db,
  { businessId, email, id }: { businessId: string; email: string; id: string },
): Promise<boolean> {
  const mailbox = mailboxKey(email);
  const [name, domain] = mailbox.split('@').map(escapeLike);
  const isMailbox = (column: Fragment) => db`(${column} = ${mailbox} or ${column} like ${`${name}+%@${domain}`})`;
  const rows = await db`
    select from subscriptions where business_id = ${businessId} and ${isMailbox(db`email_key`)} and id <> ${id}
    union all select from customers where business_id = ${businessId} and ${isMailbox(db`email_key`)}
    union all select from orders o where business_id = ${businessId} and ${isMailbox(db`customer_email`)} and ${isPaid(db)}
    limit 1`;
  return rows.length > 0;
}

/** Counts the mailbox for this referrer, once. */
export async function insertReferral(
  tx: Tx,
  businessId: string,
  { referrerId, email, nowSeconds }: { referrerId: string; email: string; nowSeconds: number },
): Promise<void> {
  await tx`
    with counted as (
      insert into referrals (business_id, mailbox_hash, referrer_id, created_at)
      values (${businessId}, ${hashMailbox(email)}, ${referrerId}, ${nowSeconds})
      on conflict do nothing returning referrer_id
    )
    update subscriptions s set referrals = s.referrals + 1 from counted
    where s.business_id = ${businessId} and s.id = counted.referrer_id`;
}

/** The referral counts of other subscribers don't change. */
export async function deleteReferralsOf(tx: Tx, businessId: string, emails: readonly string[], ids: readonly string[]) {
  await tx`
    delete from referrals where business_id = ${businessId}
      and (mailbox_hash = any(${emails.map(hashMailbox)}) or referrer_id = any(${ids as string[]}))`;
}
