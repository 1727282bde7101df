/** The token that a business's identity provider uses to call SCIM. Stored as a hash. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { lockAsAdmin, requireStepUp } from '../../businesses/index.ts';
import type { Command, Query } from '../context.ts';
import { hashApiKey } from '../keys/api-keys.ts';
import { type Connection, findConnection, upsertConnection } from '../sso/queries.ts';
import { finishChange } from '../sso/save-sso.ts';
import type { ScimToken } from '../sso/schemas.ts';
import { getConnection, showSso } from '../sso/show-sso.ts';

/** Replaces the previous token. */
export async function createScimToken(ctx: Command): Promise<ScimToken> {
  await requireStepUp(ctx, ctx.businessId);
  await lockAsAdmin(ctx, ctx.businessId);
  const connection = await getConnection(ctx);
  const token = `scim_${randomBytes(32).toString('base64url')}`;
  await setScimToken(ctx, connection, {
    scimHash: hashApiKey(token),
    scimLastFour: token.slice(-4),
    scimCreatedAt: ctx.now,
  });
  return { token };
}

export async function deleteScimToken(ctx: Command): Promise<typeof SUCCESS> {
  await requireStepUp(ctx, ctx.businessId);
  await lockAsAdmin(ctx, ctx.businessId);
  await setScimToken(ctx, await getConnection(ctx), { scimHash: null, scimLastFour: null, scimCreatedAt: null });
  return SUCCESS;
}

type ScimColumns = Pick<Connection, 'scimHash' | 'scimLastFour' | 'scimCreatedAt'>;

async function setScimToken(ctx: Command, previous: Connection, columns: ScimColumns): Promise<void> {
  const before = await showSso(ctx, previous);
  const connection = { ...previous, ...columns, updatedAt: ctx.now };
  await upsertConnection(ctx.db, connection);
  await finishChange(ctx, connection, before);
}

/** Returns the connection of the business. Throws 401 if it is not the token of this business. */
export async function authenticateScim({ db, businessId }: Pick<Query, 'db' | 'businessId'>, token: string | null) {
  const connection = await findConnection(db, businessId);
  const hash = connection?.scimHash;
  if (!connection || !hash || token === null || !timingSafeEqual(hash, hashApiKey(token))) {
    throw unauthenticated('The SCIM token is invalid or was revoked.');
  }
  return connection;
}
