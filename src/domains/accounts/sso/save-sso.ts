import { randomBytes } from 'node:crypto';
import type { Versioned } from '../../../context/index.ts';
import { invalid } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { lockAsAdmin, publishMembers, requireStepUp } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { unconfirmKeys } from '../keys/unconfirm-keys.ts';
import { composeConnection, findConnectionErrors } from './compose-connection.ts';
import {
  type Connection,
  deleteConnection,
  deleteIdentities,
  deleteSsoSessions,
  findConnection,
  listDomains,
  listMembersOf,
  replaceDomains,
  upsertConnection,
} from './queries.ts';
import type { Sso, SsoInput } from './schemas.ts';
import { getConnection, showSso } from './show-sso.ts';

/** Creates or changes the connection. Subjects of another issuer are other people, so a new issuer starts without identities. */
export async function saveSso(ctx: Command, input: SsoInput): Promise<Versioned<Sso>> {
  const { db: tx, businessId } = ctx;
  await requireStepUp(ctx, businessId);
  await lockAsAdmin(ctx, businessId);
  const previous = await findConnection(tx, businessId);
  if (previous) ctx.checkVersion(previous.version);
  const before = previous && (await showSso(ctx, previous));
  const connection = composeConnection(ctx, input, previous);
  const errors = await findConnectionErrors(ctx, connection, input, previous);
  if (errors.length > 0) throw invalid(errors);
  if (previous && previous.issuer !== connection.issuer) {
    await deleteIdentities(tx, businessId);
    await publishMembers(ctx, await deleteSsoSessions(tx, businessId, null));
  }
  await upsertConnection(tx, connection);
  if (input.domains) {
    const known = new Map((await listDomains(tx, businessId)).map((row) => [row.domain, row]));
    const names = input.domains.map((each) => (typeof each === 'string' ? each : each.domain));
    const rows = [...new Set(names)].map(
      (domain) => known.get(domain) ?? { domain, token: newSecret(), verifiedAt: null },
    );
    await replaceDomains(tx, businessId, rows);
  }
  const isNewlyEnforced = connection.isEnforced && !previous?.isEnforced;
  const isOtherIssuer = previous !== null && previous.issuer !== connection.issuer;
  if (isNewlyEnforced || isOtherIssuer) await unconfirmKeys(ctx, businessId, await verifiedDomains(ctx));
  return finishChange(ctx, connection, before);
}

const verifiedDomains = async ({ db, businessId }: Command): Promise<string[]> =>
  (await listDomains(db, businessId)).filter(({ verifiedAt }) => verifiedAt !== null).map(({ domain }) => domain);

/** Also ends the sessions started with it. Members keep their roles. */
export async function deleteSso(ctx: Command): Promise<typeof SUCCESS> {
  const { db: tx, businessId } = ctx;
  await requireStepUp(ctx, businessId);
  await lockAsAdmin(ctx, businessId);
  const data = await showSso(ctx, await getConnection(ctx));
  await publishMembers(ctx, await deleteSsoSessions(tx, businessId, null));
  await deleteConnection(tx, businessId);
  await publishMembers(ctx, await listMembersOf(tx, businessId));
  ctx.emit({ type: 'sso.deleted', entity: `sso:${businessId}`, data });
  return SUCCESS;
}

/** Enforcement and domains decide who has access, so every cached member is read again. */
export async function finishChange(ctx: Command, connection: Connection, before: Sso | null): Promise<Versioned<Sso>> {
  const { db: tx, businessId } = ctx;
  const record = await showSso(ctx, connection);
  ctx.emit({ type: 'sso.updated', entity: `sso:${businessId}`, data: record, before: before ?? {} });
  await publishMembers(ctx, await listMembersOf(tx, businessId));
  return { record, version: connection.version };
}

const newSecret = () => randomBytes(16).toString('hex');
