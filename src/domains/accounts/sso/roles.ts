import { listRoleIdsOf, listRolesOf, setRole } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import type { Connection } from './queries.ts';

/**
 * Gives the user the roles that the connection maps to these values, or the default role. Roles that an ADMIN assigned and the
 * connection doesn't map are kept. `acceptedAt`: if the user agrees to the roles by logging in. False if the user has no role.
 */
export async function applyMappedRoles(
  ctx: Command,
  connection: Connection,
  userId: string,
  values: readonly string[],
  acceptedAt?: number,
): Promise<boolean> {
  const { businessId } = connection;
  const current = await listRoleIdsOf(ctx.db, businessId, userId);
  const roleIds = mapRoles(connection, current, values);
  const existing = (await listRolesOf(ctx.db, businessId, roleIds)).map(({ id }) => id);
  await setRole(ctx.within(businessId), {
    businessId,
    userId,
    roleIds: existing,
    ...(acceptedAt === undefined ? {} : { acceptedAt }),
  });
  return existing.length > 0;
}

/** Pure. */
function mapRoles(
  { roleMappings, defaultRoleId }: Pick<Connection, 'roleMappings' | 'defaultRoleId'>,
  current: readonly string[],
  values: readonly string[],
): string[] {
  const managed = new Set([...roleMappings.map(({ roleId }) => roleId), defaultRoleId]);
  const mapped = roleMappings.filter(({ value }) => values.includes(value)).map(({ roleId }) => roleId);
  const granted = mapped.length > 0 || defaultRoleId === null ? mapped : [defaultRoleId];
  return [...new Set([...current.filter((id) => !managed.has(id)), ...granted])];
}

/** The values of a claim. Values of other types are ignored. */
export const claimValues = (claim: unknown): string[] =>
  [claim].flat().filter((value): value is string => typeof value === 'string');
