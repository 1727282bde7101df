import type { Db, Tx } from '../../../db/sql.ts';
import { type CredentialRow, credentials } from '../passwords/queries.ts';

type RoleMapping = { value: string; roleId: string };
export type Connection = {
  businessId: string;
  issuer: string;
  clientId: string;
  /** Encrypted. */
  clientSecret: string | null;
  roleClaim: string;
  roleMappings: RoleMapping[];
  defaultRoleId: string | null;
  isEnforced: boolean;
  scimHash: Buffer | null;
  scimLastFour: string | null;
  scimCreatedAt: number | null;
  version: number;
  createdAt: number;
  updatedAt: number;
};
export type DomainRow = { domain: string; token: string; verifiedAt: number | null };

export async function findConnection(db: Db, businessId: string): Promise<Connection | null> {
  const [row] = await db<Connection[]>`select * from sso_connections where business_id = ${businessId}`;
  return row ?? null;
}

export async function upsertConnection(tx: Tx, row: Connection): Promise<void> {
  await tx`insert into sso_connections ${tx({ ...row, roleMappings: tx.json(row.roleMappings) })}
    on conflict (business_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, role_claim = excluded.role_claim, role_mappings = excluded.role_mappings,
      default_role_id = excluded.default_role_id, is_enforced = excluded.is_enforced, scim_hash = excluded.scim_hash,
      scim_last_four = excluded.scim_last_four, scim_created_at = excluded.scim_created_at, version = excluded.version,
      updated_at = excluded.updated_at`;
}

/** Also deletes the domains and identities. SCIM users and groups are kept, in case the business connects again. */
export async function deleteConnection(tx: Tx, businessId: string): Promise<void> {
  await tx`delete from sso_connections where business_id = ${businessId}`;
  await tx`delete from sso_domains where business_id = ${businessId}`;
  await deleteIdentities(tx, businessId);
}

export async function deleteIdentities(tx: Tx, businessId: string): Promise<void> {
  await tx`delete from sso_identities where business_id = ${businessId}`;
}

export const listDomains = (db: Db, businessId: string) => db<DomainRow[]>`
  select domain, token, verified_at from sso_domains where business_id = ${businessId} order by domain`;

/** Domains that are already stored keep their tokens and verifications. */
export async function replaceDomains(tx: Tx, businessId: string, domains: readonly DomainRow[]): Promise<void> {
  const names = domains.map(({ domain }) => domain);
  await tx`delete from sso_domains where business_id = ${businessId} and not domain = any(${names})`;
  for (const { domain, token } of domains) {
    await tx`insert into sso_domains (business_id, domain, token) values (${businessId}, ${domain}, ${token})
      on conflict do nothing`;
  }
}

/** Has no effect if the token of the domain has changed. */
export async function updateVerified(tx: Tx, businessId: string, row: DomainRow, now: number): Promise<void> {
  await tx`update sso_domains set verified_at = ${now}
    where business_id = ${businessId} and domain = ${row.domain} and token = ${row.token} and verified_at is null`;
}

/** The businesses with single sign-on for this email domain. */
export const listBusinessesOfDomain = (db: Db, domain: string) => db<{ businessId: string; name: string }[]>`
  select d.business_id, b.name from sso_domains d join sso_connections c on c.business_id = d.business_id
    join businesses b on b.id = d.business_id and b.deleted_at is null
  where d.domain = ${domain} and d.verified_at is not null order by b.name, b.id`;

export async function findSsoIdentity(db: Db, businessId: string, subject: string): Promise<CredentialRow | null> {
  const [row] = await db<CredentialRow[]>`
    select ${credentials(db)} from sso_identities i join users u on u.id = i.user_id
    where i.business_id = ${businessId} and i.subject = ${subject}`;
  return row ?? null;
}

type IdentityRow = { businessId: string; subject: string; userId: string; createdAt: number };

export async function insertSsoIdentity(tx: Tx, identity: IdentityRow): Promise<void> {
  await tx`insert into sso_identities ${tx(identity)}`;
}

export async function listMembersOf(db: Db, businessId: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select distinct user_id from members where business_id = ${businessId} order by user_id`;
  return rows.map((row) => row.userId);
}

/** Ends the sessions started with the single sign-on of the business: of one user, or of all. Returns their users. */
export async function deleteSsoSessions(tx: Tx, businessId: string, userId: string | null): Promise<string[]> {
  const rows = await tx<{ userId: string }[]>`
    delete from sessions where sso_business = ${businessId} and (${userId}::text is null or user_id = ${userId})
    returning user_id`;
  return [...new Set(rows.map((row) => row.userId))].sort();
}
