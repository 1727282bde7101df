import { oneLine } from '../../../shared/mail/template.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { businessLanguage, getBusiness, localePrefix, siteUrl, writeBusinessMail } from '../../businesses/index.ts';
import { pagePath } from '../../redirects/index.ts';
import type { Command, Steps } from '../context.ts';
import { findProduct } from '../products/queries.ts';
import type { Product } from '../products/schemas.ts';
import { translated } from '../translations/translate.ts';
import { type AlertRow, takeDueAlerts } from './queries.ts';

const BATCH = 50;

/** Sends one email for each alert, which it deletes in the same transaction. Suppressed addresses get none. */
export async function sendAlerts(ctx: Steps, { productId }: { productId: string }): Promise<void> {
  for (;;) {
    const sent = await ctx.transaction((tx) => sendBatch(tx, productId));
    if (sent < BATCH) return;
    if (ctx.signal.aborted)
      throw new Error('The process is shutting down. The next attempt will pick up where this one left off.');
  }
}

async function sendBatch(ctx: Command, productId: string): Promise<number> {
  const { db: tx, businessId } = ctx;
  const alerts = await takeDueAlerts(tx, businessId, productId, BATCH);
  const found = alerts.length > 0 && (await findProduct(tx, businessId, productId));
  if (!found) return 0;
  const suppressed = await ctx.catalog.findSuppressed(
    tx,
    businessId,
    alerts.map(({ email }) => email),
  );
  const wanted = alerts.filter(({ email }) => !suppressed.has(emailKey(email)));
  for (const alert of wanted) await ctx.mail(await write(ctx, found.product, alert));
  for (const [variantId, each] of Map.groupBy(wanted, (alert) => alert.variantId))
    ctx.emit({
      type: 'stock_alert.sent',
      entity: `product:${productId}`,
      data: { productId, variantId, count: each.length },
    });
  return alerts.length;
}

async function write(ctx: Command, product: Product, { email: to, locale, variantId }: AlertRow) {
  const business = await getBusiness(ctx, ctx.businessId);
  const language = businessLanguage(business, locale);
  const shown = translated(product, locale ?? '');
  const variant = product.variants.length > 1 ? product.variants.find(({ id }) => id === variantId)?.name : '';
  const prefix = localePrefix(business, locale);
  const path = pagePath('products', prefix === null ? product.slug : translated(product, prefix).slug, prefix);
  const mail = writeBusinessMail(business, {
    kind: 'BACK_IN_STOCK',
    language,
    values: { 'product.name': oneLine([shown.name, variant].filter(Boolean).join(', ')) },
    ...(business.configs.storefront?.enabled ? { link: { url: siteUrl(ctx, business) + path } } : {}),
    publicUrl: ctx.publicUrl(),
  });
  return { to, ...mail, headers: { 'Auto-Submitted': 'auto-generated' } };
}
