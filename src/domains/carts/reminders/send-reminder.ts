import { countCalls } from '../../../db/limits.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import { mailboxKey } from '../../../shared/text/email.ts';
import { type BusinessRow, businessLanguage, findBusinessById, findMailText } from '../../businesses/index.ts';
import { type CartRow, viewCart } from '../cart.ts';
import type { Steps } from '../context.ts';
import { showCart } from '../price-cart.ts';
import { findCart, lockCart, setReminder, updateCart } from '../queries.ts';
import { cartPage } from './cart-page.ts';
import { hashMailbox } from './links.ts';
import { hasOptedOut } from './opt-out-queries.ts';
import { writeReminder } from './write-reminder.ts';

/** Anyone can enter any address, so a mailbox gets one reminder per day across all businesses. */
const PER_MAILBOX = { name: 'cart-reminder', max: 1, windowSeconds: 86_400 };

/**
 * Sends the reminder of a cart, once. Nothing is sent if the customer ordered, opted out or is suppressed, the storefront is closed, or
 * nothing in the cart can be sold.
 */
export async function sendReminder(ctx: Steps, { businessId, id }: { businessId: string; id: string }): Promise<void> {
  const row = await findCart(ctx.db, businessId, id, ctx.now);
  const business = await findBusinessById(ctx, businessId);
  const mail = row && business ? await composeReminder(ctx.within(businessId), business, row) : null;
  await ctx.transaction(async (tx) => {
    const locked = await lockCart(tx.db, businessId, id, ctx.now);
    // A later change has scheduled the reminder again, or the cart was ordered.
    if (!locked || locked.version !== row?.version) return;
    if (!mail) return tx.issue(setReminder(tx.db, locked, null));
    const sent = { ...locked, reminderAt: null, doc: { ...locked.doc, remindedAt: ctx.now } };
    tx.issue(updateCart(tx.db, { ...sent, version: locked.version + 1 }));
    tx.within(businessId).emit({ type: 'cart.reminded', entity: `cart:${id}`, data: viewCart(sent) });
    await tx.within(businessId).mail(mail);
  });
}

async function composeReminder(ctx: Steps, business: BusinessRow, row: CartRow): Promise<Mail | null> {
  const { businessId, email } = row;
  const page = cartPage(ctx, business);
  if (email === null || page === null || !(await canRemind(ctx, business, row, email))) return null;
  const { quote } = await showCart(ctx, row);
  if (quote === null) return null;
  const { count } = await countCalls(ctx, PER_MAILBOX, mailboxKey(email), 1);
  if (count > PER_MAILBOX.max) return null;
  const language = businessLanguage(business, row.doc.locale);
  const optOutUrl = ctx.carts.links.optOutUrl(ctx.publicUrl(), businessId, email);
  const link = `${page}?restore=${ctx.carts.links.restoreToken(businessId, row.id)}`;
  const text = await findMailText(ctx, businessId, 'CART_REMINDER', language);
  const about = { price: quote, name: nameOf(row, email), link, optOutUrl, publicUrl: ctx.publicUrl() };
  return {
    to: email,
    ...writeReminder({ kind: 'CART_REMINDER', business, language, text }, about),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${optOutUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

async function canRemind(ctx: Steps, { configs }: BusinessRow, row: CartRow, email: string): Promise<boolean> {
  const { ownerId: userId, createdAt: since, doc, orderId } = row;
  if (!configs.cartReminder?.enabled || orderId !== null || doc.consentAt === null || doc.remindedAt !== null)
    return false;
  if (await hasOptedOut(ctx.db, ctx.businessId, hashMailbox(email))) return false;
  if ((await ctx.carts.findSuppressed(ctx.db, ctx.businessId, [email])).size > 0) return false;
  return !(await ctx.carts.hasOrdered(ctx.db, ctx.businessId, { userId, email, since }));
}

const nameOf = ({ doc }: CartRow, email: string) =>
  (doc.shippingAddress ?? doc.billingAddress)?.name || email.split('@')[0]!;
