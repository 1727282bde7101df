/** SCIM users: the members of one business, as its identity provider manages them. Nothing here changes an account. */
import { conflict, invalidField, notFound } from '../../../shared/errors.ts';
import { domainOf, emailKey, isEmail } from '../../../shared/text/email.ts';
import { listRoleIdsOf, lockBusiness, publishMembers, setRole } from '../../businesses/index.ts';
import type { Command, Query } from '../context.ts';
import { ensureConfirmedUser } from '../oauth/find-or-link.ts';
import { lockByEmail } from '../oauth/queries.ts';
import { type Connection, deleteSsoSessions, listDomains } from '../sso/queries.ts';
import { applyMappedRoles } from '../sso/roles.ts';
import { type Operation, patchUser } from './patch.ts';
import {
  deleteScimUserRow,
  findScimUser,
  listGroupNamesOf,
  listGroupsOf,
  listScimUsers,
  type ScimUserRow,
  upsertScimUser,
} from './queries.ts';
import {
  checkLengths,
  listOf,
  readPage,
  readUser,
  type ScimQuery,
  showUser,
  totalOf,
  type UserFields,
} from './resources.ts';
import { authenticateScim } from './tokens.ts';

/** `token`: the token in the request. */
type Authenticated<T> = T & { token: string | null };
type Resource = Record<string, unknown>;

const baseOf = ({ publicUrl, businessId }: Pick<Query, 'publicUrl' | 'businessId'>) => ({
  base: `${publicUrl()}/scim/v2/${businessId}`,
});

export async function listUsers(ctx: Query, { token, query }: Authenticated<{ query: ScimQuery }>) {
  await authenticateScim(ctx, token);
  const page = readPage(query);
  if (!page) throw invalidField('filter', 'INVALID_VALUE', 'Only userName eq and externalId eq are supported.');
  const list = (range: typeof page) => listScimUsers(ctx.db, ctx.businessId, range);
  const rows = await list(page);
  const shown = await Promise.all(rows.map((row) => show(ctx, row)));
  return listOf(shown, await totalOf(rows, page, list), page);
}

export async function readUserById(ctx: Query, { token, id }: Authenticated<{ id: string }>) {
  await authenticateScim(ctx, token);
  return show(ctx, await getUser(ctx, id));
}

export async function createUser(ctx: Command, { token, resource }: Authenticated<{ resource: Resource }>) {
  const connection = await begin(ctx, token);
  const { db: tx, businessId, now } = ctx;
  const fields = readUser(resource);
  const email = await verifiedEmail(ctx, fields.userName);
  const name = `${fields.givenName ?? ''} ${fields.familyName ?? ''}`.trim().slice(0, 200);
  const { id: userId } = await ensureConfirmedUser(ctx, { email, name }, await lockByEmail(tx, email));
  if (await findScimUser(tx, businessId, userId)) throw conflict('A user with this userName already exists.');
  const row = { businessId, userId, externalId: null, givenName: '', familyName: '', createdAt: now };
  return save(ctx, connection, { ...row, isActive: true, ...fields, userName: email, updatedAt: now });
}

type Change = { id: string } & ({ resource: Resource } | { operations: readonly Operation[] });

export async function changeUser(ctx: Command, { token, id, ...change }: Authenticated<Change>) {
  const connection = await begin(ctx, token);
  const row = await getUser(ctx, id);
  const fields: UserFields = 'resource' in change ? readUser(change.resource) : patchUser(change.operations);
  if (fields.userName !== undefined && emailKey(fields.userName) !== emailKey(row.userName)) {
    fields.userName = await verifiedEmail(ctx, fields.userName);
  }
  return save(ctx, connection, { ...row, ...fields, updatedAt: ctx.now });
}

export async function deleteUser(ctx: Command, { token, id }: Authenticated<{ id: string }>): Promise<void> {
  await begin(ctx, token);
  const row = await getUser(ctx, id);
  await endMembership(ctx, id);
  await deleteScimUserRow(ctx.db, ctx.businessId, id);
  ctx.emit({ type: 'scim.user_deleted', entity: `user:${id}`, data: { userId: id, active: row.isActive } });
}

/** Every change locks the business first, as all changes to its members do. */
export async function begin(ctx: Command, token: string | null): Promise<Connection> {
  await authenticateScim(ctx, token);
  await lockBusiness(ctx.db, ctx.businessId);
  return authenticateScim(ctx, token);
}

async function save(ctx: Command, connection: Connection, row: ScimUserRow) {
  const { externalId, givenName, familyName } = row;
  checkLengths({ externalId, 'name.givenName': givenName, 'name.familyName': familyName });
  await upsertScimUser(ctx.db, row);
  // Saving an active member keeps their roles, which may come from the role claim or from an ADMIN.
  const isMember = (await listRoleIdsOf(ctx.db, row.businessId, row.userId)).length > 0;
  if (!row.isActive || !isMember) await settleMembership(ctx, connection, row);
  const { userId, isActive: active } = row;
  ctx.emit({ type: 'scim.user_saved', entity: `user:${userId}`, data: { userId, active, externalId } });
  return show(ctx, row);
}

/** Gives an active user the roles of their groups. An inactive user is not a member, and is logged out of the business. */
export async function settleMembership(ctx: Command, connection: Connection, row: ScimUserRow): Promise<void> {
  const { businessId, userId } = row;
  if (!row.isActive) return endMembership(ctx, userId);
  await applyMappedRoles(ctx, connection, userId, await listGroupNamesOf(ctx.db, businessId, userId));
}

/** Ends the sessions started with the single sign-on of this business. Other sessions of the account continue without access to it. */
async function endMembership(ctx: Command, userId: string): Promise<void> {
  const { db: tx, businessId } = ctx;
  await setRole(ctx, { businessId, userId, roleIds: [] });
  await deleteSsoSessions(tx, businessId, userId);
  await publishMembers(ctx, [userId]);
}

async function getUser(ctx: Pick<Query, 'businessId'> & { db: Query['db'] }, id: string): Promise<ScimUserRow> {
  const row = await findScimUser(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('User');
  return row;
}

async function show(ctx: Pick<Query, 'publicUrl' | 'businessId'> & { db: Query['db'] }, row: ScimUserRow) {
  return showUser(row, await listGroupsOf(ctx.db, row.businessId, row.userId), baseOf(ctx));
}

/** The provider can only manage email addresses at the verified domains of the business. */
async function verifiedEmail({ db, businessId }: Command, userName = ''): Promise<string> {
  const domains = (await listDomains(db, businessId)).filter(({ verifiedAt }) => verifiedAt !== null);
  if (isEmail(userName) && domains.some(({ domain }) => domain === domainOf(userName))) return userName;
  throw invalidField(
    'userName',
    'INVALID_VALUE',
    'userName must be an email address at a verified domain of the business.',
  );
}
