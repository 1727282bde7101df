/** SCIM groups. Their names are mapped to roles like the values of the role claim. */
import { invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { Command, Query } from '../context.ts';
import type { Connection } from '../sso/queries.ts';
import { type GroupFields, type Operation, patchGroup } from './patch.ts';
import {
  deleteScimGroupRow,
  findScimGroup,
  findScimUser,
  listGroupMembers,
  listScimGroups,
  replaceGroupMembers,
  type ScimGroupRow,
  upsertScimGroup,
} from './queries.ts';
import { checkLengths, listOf, readMembers, readPage, type ScimQuery, showGroup, totalOf } from './resources.ts';
import { authenticateScim } from './tokens.ts';
import { begin, settleMembership } from './users.ts';

type Authenticated<T> = T & { token: string | null };
type Resource = Record<string, unknown>;
type Reader = Pick<Query, 'publicUrl' | 'businessId'> & { db: Query['db'] };

export async function listGroups(ctx: Query, { token, query }: Authenticated<{ query: ScimQuery }>) {
  await authenticateScim(ctx, token);
  const page = readPage(query);
  if (!page) throw invalidField('filter', 'INVALID_VALUE', 'Only displayName eq and externalId eq are supported.');
  const list = (range: typeof page) => listScimGroups(ctx.db, ctx.businessId, range);
  const rows = await list(page);
  const shown = await Promise.all(rows.map((row) => show(ctx, row, query)));
  return listOf(shown, await totalOf(rows, page, list), page);
}

export async function readGroup(ctx: Query, { token, id, query }: Authenticated<{ id: string; query: ScimQuery }>) {
  await authenticateScim(ctx, token);
  return show(ctx, await getGroup(ctx, id), query);
}

export async function createGroup(ctx: Command, { token, resource }: Authenticated<{ resource: Resource }>) {
  const connection = await begin(ctx, token);
  const { businessId, now } = ctx;
  const row = { businessId, id: newId('grp'), createdAt: now, updatedAt: now };
  return save(ctx, connection, row, readFields(resource), []);
}

type Change = { id: string } & ({ resource: Resource } | { operations: readonly Operation[] });

export async function changeGroup(ctx: Command, { token, id, ...change }: Authenticated<Change>) {
  const connection = await begin(ctx, token);
  const row = await getGroup(ctx, id);
  const members = await listGroupMembers(ctx.db, ctx.businessId, id);
  const { name, externalId } = row;
  const fields =
    'resource' in change ? readFields(change.resource) : patchGroup({ name, externalId, members }, change.operations);
  return save(ctx, connection, { ...row, updatedAt: ctx.now }, fields, members);
}

export async function deleteGroup(ctx: Command, { token, id }: Authenticated<{ id: string }>): Promise<void> {
  const connection = await begin(ctx, token);
  await getGroup(ctx, id);
  const members = await listGroupMembers(ctx.db, ctx.businessId, id);
  await deleteScimGroupRow(ctx.db, ctx.businessId, id);
  await settle(ctx, connection, members);
  ctx.emit({ type: 'scim.group_deleted', entity: `scim_group:${id}`, data: { id } });
}

type NewRow = Omit<ScimGroupRow, 'name' | 'externalId'>;

async function save(ctx: Command, connection: Connection, row: NewRow, fields: GroupFields, before: readonly string[]) {
  const { name, externalId, members } = fields;
  const { businessId, id } = row;
  if (name === '') throw invalidField('displayName', 'REQUIRED', 'displayName is required.');
  checkLengths({ displayName: name, externalId });
  const group = { ...row, name, externalId };
  await upsertScimGroup(ctx.db, group);
  if (!(await replaceGroupMembers(ctx.db, businessId, id, members))) {
    throw invalidField('members', 'INVALID_VALUE', 'members must be users of this business.');
  }
  await settle(ctx, connection, [...before, ...members]);
  ctx.emit({ type: 'scim.group_saved', entity: `scim_group:${id}`, data: { id, name, members } });
  return show(ctx, group, {});
}

async function settle(ctx: Command, connection: Connection, userIds: readonly string[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort()) {
    const user = await findScimUser(ctx.db, ctx.businessId, userId);
    if (user) await settleMembership(ctx, connection, user);
  }
}

const readFields = ({ displayName, externalId, members }: Resource): GroupFields => ({
  name: typeof displayName === 'string' ? displayName : '',
  externalId: typeof externalId === 'string' ? externalId : null,
  members: readMembers(members),
});

async function getGroup({ db, businessId }: Reader, id: string): Promise<ScimGroupRow> {
  const row = await findScimGroup(db, businessId, id);
  if (!row) throw notFound('Group');
  return row;
}

async function show(ctx: Reader, row: ScimGroupRow, { excludedAttributes = '' }: ScimQuery) {
  const isExcluded = excludedAttributes.split(',').some((name) => name.trim() === 'members');
  const members = isExcluded ? null : await listGroupMembers(ctx.db, ctx.businessId, row.id);
  return showGroup(row, members, { base: `${ctx.publicUrl()}/scim/v2/${ctx.businessId}` });
}
