import type { FieldError } from '../../../shared/errors.ts';
import { listRolesOf } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { MASK } from '../keys/api-keys.ts';
import { sealSecret } from './providers.ts';
import type { Connection } from './queries.ts';
import type { SsoInput } from './schemas.ts';

/** The connection after the change. Omitted fields keep their value. */
export function composeConnection(ctx: Command, input: SsoInput, previous: Connection | null): Connection {
  const { businessId, now } = ctx;
  const { clientSecret } = input;
  const isKept = clientSecret === undefined || clientSecret?.startsWith(MASK);
  const sealed = clientSecret ? sealSecret(ctx.config.secretKey, businessId, clientSecret) : null;
  return {
    scimHash: null,
    scimLastFour: null,
    scimCreatedAt: null,
    createdAt: now,
    ...previous,
    businessId,
    issuer: input.issuer ?? previous?.issuer ?? '',
    clientId: input.clientId ?? previous?.clientId ?? '',
    clientSecret: isKept ? (previous?.clientSecret ?? null) : sealed,
    roleClaim: input.roleClaim ?? previous?.roleClaim ?? 'groups',
    roleMappings: input.roleMappings ?? previous?.roleMappings ?? [],
    defaultRoleId: input.defaultRoleId === undefined ? (previous?.defaultRoleId ?? null) : input.defaultRoleId,
    isEnforced: input.enforced ?? previous?.isEnforced ?? false,
    version: (previous?.version ?? 0) + 1,
    updatedAt: now,
  };
}

/** Checks what the schema can't. */
export async function findConnectionErrors(
  ctx: Command,
  connection: Connection,
  input: SsoInput,
  previous: Connection | null,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const add = (field: string, error: string, message: string) => errors.push({ field, error, message });
  for (const field of ['issuer', 'clientId'] as const) {
    if (connection[field] === '') add(field, 'REQUIRED', `${field} is required.`);
  }
  if (input.issuer !== undefined && !isIssuer(input.issuer, ctx.config.production)) {
    add('issuer', 'INVALID_FORMAT', 'issuer must be an https URL without a query.');
  }
  // Otherwise an ADMIN, who never sees the secret, could have it sent to their own server.
  const isOther = previous !== null && connection.issuer !== previous.issuer;
  if (isOther && connection.clientSecret !== null && connection.clientSecret === previous.clientSecret) {
    add('clientSecret', 'REQUIRED', 'clientSecret is required for a new issuer.');
  }
  const roleIds = [...connection.roleMappings.map(({ roleId }) => roleId), connection.defaultRoleId];
  const wanted = roleIds.filter((id) => id !== null);
  const known = new Set((await listRolesOf(ctx.db, ctx.businessId, wanted)).map(({ id }) => id));
  for (const [i, { roleId }] of (input.roleMappings ?? []).entries()) {
    if (!known.has(roleId)) add(`roleMappings[${i}].roleId`, 'NOT_FOUND', `roleMappings[${i}].roleId does not exist.`);
  }
  if (input.defaultRoleId && !known.has(input.defaultRoleId)) {
    add('defaultRoleId', 'NOT_FOUND', 'defaultRoleId does not exist.');
  }
  // Otherwise a wrong setting would lock out every ADMIN in the domain.
  if (connection.isEnforced && !previous?.isEnforced && ctx.caller.limits?.kind !== 'SSO') {
    add('enforced', 'NOT_ALLOWED', 'Log in with single sign-on first, to make sure that it works.');
  }
  return errors;
}

function isIssuer(text: string, production: boolean): boolean {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && !production);
  return url !== null && isSecure && !url.search && !url.hash && !url.username;
}
