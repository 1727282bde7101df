import type { Db, Tx } from '../../../db/sql.ts';
import { requestLanguage, serviceMail } from '../../../shared/mail/service-mail.ts';
import { findBusinessById } from '../../businesses/index.ts';
import type { Command } from '../context.ts';

/** After the first second factor: the keys of the account don't work until their owner confirms them. */
export async function unconfirmOwnKeys(ctx: Command, userId: string): Promise<void> {
  await ctx.db`update users set key_generation = key_generation + 1 where id = ${userId}`;
  const [owner] = await ctx.db<{ email: string }[]>`
    select email from users u where id = ${userId} and email is not null
      and exists (select from api_keys k where k.user_id = u.id)`;
  if (!owner) return;
  const mail = serviceMail('KEYS_UNCONFIRMED', requestLanguage(ctx), { link: keysPage(ctx) });
  await ctx.mail({ to: owner.email, ...mail });
}

/**
 * After a business has turned on a security policy: keys of its members don't work there until their owners confirm them. `domains`: only
 * members with an email in these domains are affected.
 */
export async function unconfirmKeys(
  ctx: Pick<Command, 'db' | 'mail' | 'publicUrl' | 'acceptLanguage' | 'businesses'>,
  businessId: string,
  domains: readonly string[] | null = null,
): Promise<void> {
  await raiseKeyPolicy(ctx.db, businessId);
  await mailKeyOwners(ctx, businessId, domains);
}

/** Emails the members whose keys reach the business. */
export async function mailKeyOwners(
  ctx: Pick<Command, 'db' | 'mail' | 'publicUrl' | 'acceptLanguage' | 'businesses'>,
  businessId: string,
  domains: readonly string[] | null,
): Promise<void> {
  const business = await findBusinessById(ctx, businessId);
  const values = { 'business.name': business?.name ?? '' };
  const mail = serviceMail('KEYS_UNCONFIRMED_IN', requestLanguage(ctx), { link: keysPage(ctx), values });
  for (const to of await listKeyOwners(ctx.db, businessId, domains)) await ctx.mail({ to, ...mail });
}

const keysPage = ({ publicUrl }: Pick<Command, 'publicUrl'>) => `${publicUrl()}/admin/account/keys`;

const raiseKeyPolicy = (tx: Tx, businessId: string) =>
  tx`update businesses set key_policy = key_policy + 1 where id = ${businessId}`;

/** The confirmed emails of members who have acted in the business and have a key that reaches it. */
async function listKeyOwners(db: Db, businessId: string, domains: readonly string[] | null): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select distinct u.email from members m join users u on u.id = m.user_id join api_keys k on k.user_id = u.id
    where m.business_id = ${businessId} and m.used_at is not null and u.is_confirmed and u.email is not null
      and (k.scopes is null or k.scopes -> 'businesses' ? ${businessId}) and coalesce(k.sso_business, ${businessId}) = ${businessId}
      ${domains === null ? db`` : db`and split_part(u.email_key, '@', 2) = any(${domains as string[]})`}
    order by u.email`;
  return rows.map(({ email }) => email);
}
