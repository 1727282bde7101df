import type { Db } from '../../../db/sql.ts';
import type { CartServices } from '../context.ts';
import { findCart } from '../queries.ts';
import { hashMailbox } from './links.ts';
import { hasOptedOut } from './opt-out-queries.ts';

type Reading = Readonly<{ db: Db; businessId: string; now: number }> & Pick<CartServices, 'carts'>;

/**
 * The email of the customer who abandoned this cart, under the same conditions as for a reminder: they asked for one, have not opted out,
 * and have not ordered since they created the cart. Null otherwise, or if the cart changed in the last `idleSeconds`.
 */
export async function findAbandonedCartEmail(
  ctx: Reading,
  cartId: string,
  idleSeconds: number,
): Promise<string | null> {
  const { db, businessId, now } = ctx;
  const cart = await findCart(db, businessId, cartId, now);
  if (!cart?.email || cart.orderId !== null || cart.doc.consentAt === null || cart.doc.items.length === 0) return null;
  if (cart.updatedAt + idleSeconds > now || (await hasOptedOut(db, businessId, hashMailbox(cart.email)))) return null;
  const customer = { userId: cart.ownerId, email: cart.email, since: cart.createdAt };
  return (await ctx.carts.hasOrdered(db, businessId, customer)) ? null : cart.email;
}
