/** Access to a cart: for the user whose token created it, and for anyone with its secret. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/sql.ts';
import { conflict, notFound } from '../../shared/errors.ts';
import type { Caller } from '../../shared/security/caller.ts';
import type { CartRow } from './cart.ts';
import type { Command } from './context.ts';
import { findCart, lockCart } from './queries.ts';

export type CartKey = { id: string; secret?: string | undefined };

export const newSecret = () => randomBytes(24).toString('base64url');

export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url');

export const canUse = ({ ownerId, secretHash }: CartRow, { userId }: Pick<Caller, 'userId'>, secret?: string) =>
  ownerId === userId || (secret !== undefined && hashSecret(secret) === secretHash);

type Reader = Readonly<{ db: Db; businessId: string; now: number; caller: Caller }>;

/** Null if the cart doesn't exist or belongs to someone else. */
export async function findOwnCart(ctx: Reader, { id, secret }: CartKey): Promise<CartRow | null> {
  const row = await findCart(ctx.db, ctx.businessId, id, ctx.now);
  return row && canUse(row, ctx.caller, secret) ? row : null;
}

/** Throws 404 like `findOwnCart`, 409 if the cart was ordered, and 412 if If-Match names a different version. */
export async function lockOpenCart(ctx: Command, { id, secret }: CartKey): Promise<CartRow> {
  const row = await lockCart(ctx.db, ctx.businessId, id, ctx.now);
  if (!row || !canUse(row, ctx.caller, secret)) throw notFound('Cart');
  if (row.orderId !== null) throw cartOrdered();
  ctx.checkVersion(row.version);
  return row;
}

export const cartOrdered = () => conflict('This cart has already been checked out. Create a new cart.');
