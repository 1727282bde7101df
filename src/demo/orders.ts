import { Done, type Steps } from '../context/index.ts';
import { type AccountServices, insertUser } from '../domains/accounts/index.ts';
import type { Product } from '../domains/catalog/index.ts';
import {
  type CheckoutInput,
  changeStatus,
  checkout,
  type OrderServices,
  refundOrder,
} from '../domains/orders/index.ts';
import { actOnPayment } from '../domains/payments/index.ts';
import { createPromo } from '../domains/pricing/index.ts';
import type { Caller } from '../shared/caller.ts';
import { newId } from '../shared/ids.ts';

type Ctx = Steps<AccountServices & OrderServices>;

/**
 * A promo code to try, and three orders, placed as customers do and handled as staff do: one is on its way, one waits for
 * cash, one was refunded in part. Returns the id of the first.
 */
export async function seedOrders(ctx: Ctx, products: readonly Product[]): Promise<string> {
  await ctx.transaction((tx) =>
    createPromo(tx, {
      code: 'WELCOME10',
      discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
      conditions: [{ type: 'MAX_USES_PER_USER', value: 1 }],
    }),
  );
  const [first, second, third] = products.map(({ id, variants }) => ({ productId: id, variantId: variants[0]!.id }));
  // Without the sandbox nobody can play a card payment: then staff note that the cash has come.
  const paymentMethod = ctx.config.paymentSandbox ? 'CREDIT_CARD' : 'CASH';
  const address = (value: string) => [{ id: 'address', type: 'TEXT', value }];

  const shipped = await place(ctx, {
    ...{ market: 'us', paymentMethod, shippingMethodId: 'standard', items: [{ ...first!, quantity: 2 }] },
    blocks: address('1 Market Street, San Francisco'),
  });
  await pay(ctx, shipped);
  const tracking = { carrier: 'Demo Post', number: 'DP 0042 1187', url: 'https://post.example/track/DP00421187' };
  await ctx.transaction((tx) =>
    changeStatus(tx, { id: shipped.orderId, history: 'statuses', entry: { status: 'SHIPPED', tracking } }),
  );

  await place(await asGuest(ctx, 'Ada'), {
    ...{ market: 'eu', paymentMethod: 'CASH', shippingMethodId: 'pickup', items: [{ ...second!, quantity: 1 }] },
    email: 'ada@example.com',
  });

  const returned = await place(await asGuest(ctx, 'Grace'), {
    ...{ market: 'us', paymentMethod, shippingMethodId: 'express', promoCode: 'WELCOME10' },
    ...{ items: [{ ...third!, quantity: 1 }], email: 'grace@example.com' },
    blocks: address('7 Harbor Road, Portland'),
  });
  await pay(ctx, returned);
  await refund(ctx, returned.orderId, 500);
  return shipped.orderId;
}

type Placed = { orderId: string; checkoutUrl?: string };

async function place(ctx: Ctx, input: CheckoutInput): Promise<Placed> {
  const prepared = await checkout.prepare(ctx, input);
  const { queue, statements, result } = checkout.trip(prepared, input);
  await ctx.oneTrip(queue, statements);
  return result instanceof Done ? result.answer : checkout.afterCommit(ctx, result, input);
}

async function pay(ctx: Ctx, { orderId, checkoutUrl }: Placed): Promise<void> {
  const token = checkoutUrl?.split('/').at(-1);
  if (token) await actOnPayment(ctx, { token, action: 'pay' });
  else {
    const change = { id: orderId, history: 'paymentStatus' as const, entry: { status: 'PAID' } };
    await ctx.transaction((tx) => changeStatus(tx, change));
  }
}

async function refund(ctx: Ctx, orderId: string, amount: number): Promise<void> {
  const asked = { orderId, amount, reason: 'A button was missing.' };
  const reserved = await ctx.transaction((tx) => refundOrder.execute(tx, asked, undefined));
  if (!(reserved instanceof Done)) await refundOrder.afterCommit!(ctx, reserved, asked);
}

async function asGuest(ctx: Ctx, name: string): Promise<Ctx> {
  const caller: Caller = {
    ...{ userId: newId('usr'), provider: 'GUEST', email: null, isGuest: true, isConfirmed: false },
    ...{ sessionId: null, keyId: null },
    permissions: new Map(),
  };
  const guest = { id: caller.userId, email: null, name, isConfirmed: false, isGuest: true };
  await ctx.transaction((tx) => insertUser(tx.db, { ...guest, createdAt: tx.now }));
  return ctx.within(ctx.businessId, caller);
}
