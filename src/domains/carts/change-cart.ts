import type { Versioned } from '../../context/index.ts';
import { consumeCallLimit } from '../../db/call-limits.ts';
import { consumeLimit } from '../../db/limits.ts';
import { newId } from '../../shared/ids.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { isMember } from '../../shared/security/caller.ts';
import { addressKey } from '../../shared/text/address-key.ts';
import { type CartKey, hashSecret, lockOpenCart, newSecret } from './access.ts';
import { type CartRow, expiryOf, viewCart } from './cart.ts';
import { type Command, command, type Steps } from './context.ts';
import { showCart } from './price-cart.ts';
import { deleteCart, insertCart } from './queries.ts';
import type { Cart, CartInput, CartUpdate } from './schemas.ts';
import { applyChanges, type Changing, saveCart } from './write-cart.ts';

/** A cart that was just created, with the only copy of its secret. */
type Created = { row: CartRow; secret: string };

export const createCart = command({
  async prepare(ctx, input: CartInput) {
    await consumeCartLimit(ctx);
    return input;
  },
  execute: addCart,
  afterCommit: showCreated,
});

/** Anyone can create carts, so each IP address has a daily limit. Members have none, because they create carts for their customers. */
export async function consumeCartLimit(ctx: Steps): Promise<void> {
  await consumeCallLimit(ctx, 'cart');
  if (isMember(ctx.caller, ctx.businessId)) return;
  const limit = { name: 'new-cart', max: ctx.config.limits.newCarts, windowSeconds: 86_400 };
  await consumeLimit(ctx, limit, addressKey(ctx.address));
}

export async function addCart(ctx: Changing, input: CartInput): Promise<Created> {
  const { businessId, caller, now } = ctx;
  const secret = newSecret();
  const empty: CartRow = {
    businessId,
    id: newId('cart'),
    ownerId: caller.userId,
    secretHash: hashSecret(secret),
    email: null,
    doc: {
      market: input.market,
      items: [],
      currency: null,
      shippingAddress: null,
      billingAddress: null,
      pickupLocationId: null,
      shippingMethodId: null,
      paymentMethod: null,
      promoCode: null,
      locale: null,
      consentAt: null,
      remindedAt: null,
      attribution: null,
    },
    orderId: null,
    reminderAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt: expiryOf(now),
  };
  const row = await applyChanges(ctx, empty, input);
  ctx.issue(insertCart(ctx.db, row));
  ctx.emit({ type: 'cart.created', entity: `cart:${row.id}`, data: viewCart(row) });
  return { row, secret };
}

export async function showCreated(ctx: Steps, { row, secret }: Created): Promise<Versioned<Cart>> {
  return { record: { ...(await showCart(ctx, row)), secret }, version: row.version };
}

export const changeCart = command({
  async prepare(ctx, input: CartKey & { changes: CartUpdate }) {
    await consumeCallLimit(ctx, 'cart');
    return input;
  },
  async execute(ctx, { changes, ...key }): Promise<CartRow> {
    const row = await lockOpenCart(ctx, key);
    return saveCart(ctx, row, await applyChanges(ctx, row, changes));
  },
  afterCommit: showVersioned,
});

export async function showVersioned(ctx: Steps, row: CartRow): Promise<Versioned<Cart>> {
  return { record: await showCart(ctx, row), version: row.version };
}

export async function removeCart(ctx: Command, key: CartKey): Promise<typeof SUCCESS> {
  const row = await lockOpenCart(ctx, key);
  dropCart(ctx, row);
  return SUCCESS;
}

/** Deletes a locked cart. */
export function dropCart(ctx: Command, row: CartRow): void {
  ctx.issue(deleteCart(ctx.db, row));
  ctx.emit({ type: 'cart.deleted', entity: `cart:${row.id}`, data: viewCart(row) });
}
