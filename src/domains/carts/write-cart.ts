/** Steps shared by every change to a cart: naming its items and scheduling its reminder. */
import { isDeepStrictEqual } from 'node:util';
import type { AppServices } from '../../context/index.ts';
import { invalidField } from '../../shared/errors.ts';
import { getBusiness } from '../businesses/index.ts';
import { listSellables } from '../catalog/index.ts';
import { addressOf, isSameText } from '../pricing/index.ts';
import { type CartDoc, type CartRow, combineItems, expiryOf, viewCart } from './cart.ts';
import type { Command } from './context.ts';
import { updateCart } from './queries.ts';
import { reminderTime } from './reminders/reminder-time.ts';
import type { CartUpdate } from './schemas.ts';

export type Changing = Command & Pick<AppServices, 'carts'>;

/** Applies the fields that were sent. */
export async function applyChanges(ctx: Changing, row: CartRow, sent: CartUpdate): Promise<CartRow> {
  const { doc } = row;
  const { items = doc.items, market = doc.market } = sent;
  const named = sent.items || sent.market ? await nameItems(ctx, market, combineItems(items)) : doc;
  const chosen = <K extends keyof CartDoc & keyof CartUpdate>(key: K) =>
    (sent[key] === undefined ? doc[key] : sent[key]) as CartDoc[K];
  const email = sent.email === undefined ? row.email : (sent.email?.toLowerCase() ?? null);
  const next: CartRow = {
    ...row,
    email,
    doc: {
      ...doc,
      market,
      items: named.items,
      currency: named.currency,
      shippingAddress: sent.shippingAddress === undefined ? doc.shippingAddress : addressOf(sent.shippingAddress),
      billingAddress: sent.billingAddress === undefined ? doc.billingAddress : addressOf(sent.billingAddress),
      pickupLocationId: chosen('pickupLocationId'),
      shippingMethodId: chosen('shippingMethodId') || null,
      paymentMethod: chosen('paymentMethod'),
      promoCode: chosen('promoCode')?.trim() || null,
      locale: chosen('locale'),
      attribution: attributionOf(ctx, sent.soukRef) ?? doc.attribution ?? null,
    },
  };
  return withReminder(ctx, sent.reminder === undefined ? next : withConsent(ctx, next, sent.reminder));
}

const attributionOf = ({ carts, businessId, now }: Changing, reference: string | undefined) =>
  reference ? carts.references.read(businessId, reference, now) : null;

/** The names and prices of the items, for the list of carts. */
export async function nameItems(
  { db, businessId, publicUrl }: Command,
  market: string,
  items: readonly Pick<CartDoc['items'][number], 'productId' | 'variantId' | 'quantity'>[],
): Promise<Pick<CartDoc, 'items' | 'currency'>> {
  const sellables = await listSellables(db, businessId, items, publicUrl());
  let currency: string | null = null;
  const named = items.map(({ productId, variantId, quantity }) => {
    const sold = sellables.find((each) => each.productId === productId && each.variantId === variantId);
    const price = sold?.prices.find(({ marketId }) => isSameText(marketId, market));
    currency ??= price?.currency ?? null;
    const { productName: name = '', variantName = '' } = sold ?? {};
    return { productId, variantId, quantity, name, variantName, unitPrice: price?.price ?? null };
  });
  return { items: named, currency };
}

function withConsent({ caller, now }: Command, row: CartRow, consents: boolean): CartRow {
  if (!consents) return { ...row, doc: { ...row.doc, consentAt: null } };
  const email = row.email ?? (caller.isConfirmed ? (caller.email?.toLowerCase() ?? null) : null);
  if (email === null) throw invalidField('email', 'REQUIRED', 'email is required for a reminder.');
  return { ...row, email, doc: { ...row.doc, consentAt: row.doc.consentAt ?? now } };
}

export async function withReminder(ctx: Command, row: CartRow): Promise<CartRow> {
  const { configs } = await getBusiness(ctx, ctx.businessId);
  return { ...row, reminderAt: reminderTime(row, configs, ctx.now) };
}

/** Writes a locked cart and emits the change. An unchanged cart is not written. */
export function saveCart(ctx: Command, before: CartRow, changed: CartRow): CartRow {
  if (isDeepStrictEqual(before, changed)) return before;
  const { now } = ctx;
  const row = { ...changed, version: before.version + 1, updatedAt: now, expiresAt: expiryOf(now) };
  ctx.issue(updateCart(ctx.db, row));
  ctx.emit({ type: 'cart.updated', entity: `cart:${row.id}`, data: viewCart(row), before: viewCart(before) });
  return row;
}
