import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { notSetUp } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';
import { maskKey } from '../keys/api-keys.ts';
import { openSecret } from './providers.ts';
import { type Connection, type DomainRow, findConnection, listDomains } from './queries.ts';
import type { Sso } from './schemas.ts';

type Reader = Pick<Query, 'config' | 'publicUrl' | 'businessId'> & { db: Db };

export const recordName = (domain: string) => `_souk.${domain}`;
export const recordValue = ({ token }: DomainRow) => `souk-verification=${token}`;

export async function readSso(ctx: Reader): Promise<Versioned<Sso>> {
  const connection = await getConnection(ctx);
  return { record: await showSso(ctx, connection), version: connection.version };
}

/** Throws 404 if the business has no single sign-on. */
export async function getConnection({ db, businessId }: Pick<Reader, 'db' | 'businessId'>): Promise<Connection> {
  const connection = await findConnection(db, businessId);
  if (!connection) throw notSetUp('Single sign-on');
  return connection;
}

export async function showSso(ctx: Reader, connection: Connection): Promise<Sso> {
  const { businessId, issuer, clientId, roleClaim, roleMappings, defaultRoleId, createdAt, updatedAt } = connection;
  const secret = openSecret(ctx.config.secretKey, connection);
  const domains = await listDomains(ctx.db, businessId);
  return {
    businessId,
    issuer,
    clientId,
    clientSecret: secret && maskKey(secret.slice(-4)),
    redirectUrl: `${ctx.publicUrl()}/admin/login/sso/${businessId}`,
    domains: domains.map((row) => ({
      domain: row.domain,
      recordName: recordName(row.domain),
      recordValue: recordValue(row),
      verifiedAt: row.verifiedAt,
    })),
    roleClaim,
    roleMappings,
    defaultRoleId,
    enforced: connection.isEnforced,
    scim: {
      url: `${ctx.publicUrl()}/scim/v2/${businessId}`,
      lastFour: connection.scimLastFour,
      createdAt: connection.scimCreatedAt,
    },
    createdAt,
    updatedAt,
  };
}
