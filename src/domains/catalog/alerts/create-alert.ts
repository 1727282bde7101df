import { consumeCallLimit } from '../../../db/call-limits.ts';
import { conflict, invalidField, notFound } from '../../../shared/errors.ts';
import { acceptedLocales } from '../../../shared/mail/languages.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey } from '../../../shared/text/email.ts';
import { command } from '../context.ts';
import { findProduct, findProductId } from '../products/queries.ts';
import { countAlerts, insertAlert } from './queries.ts';
import type { StockAlertInput } from './schemas.ts';

/** Per email address: anyone can enter any address, and each alert sends an email. */
const MAX_ALERTS = 50;

/** Requests one email for when a variant is back in stock. */
export const createStockAlert = command({
  async prepare(ctx, input: StockAlertInput & { idOrSlug: string }) {
    await consumeCallLimit(ctx, 'subscribe');
    return input;
  },
  async execute(ctx, { idOrSlug, email, variantId, locale }) {
    const { db: tx, businessId, now: createdAt } = ctx;
    const productId = await findProductId(tx, businessId, idOrSlug);
    const found = productId && (await findProduct(tx, businessId, productId));
    if (!productId || !found || found.row.status !== 'ACTIVE') throw notFound('Product');
    const variant = found.product.variants.find(({ id }) => id === variantId);
    if (!variant) throw invalidField('variantId', 'NOT_FOUND', 'variantId does not exist.');
    const { tracked, quantity } = variant.inventory;
    if (!tracked || quantity > 0) throw invalidField('variantId', 'IN_STOCK', 'This variant is in stock.');
    const key = emailKey(email);
    if ((await countAlerts(tx, businessId, key)) >= MAX_ALERTS)
      throw conflict(`This email address already has ${MAX_ALERTS} back-in-stock requests.`);
    const [requested] = acceptedLocales(ctx.acceptLanguage);
    const alert = { productId, variantId, email, locale: locale ?? requested ?? null, createdAt };
    if (await insertAlert(tx, businessId, key, alert))
      ctx.emit({ type: 'stock_alert.created', entity: `product:${productId}`, data: { productId, variantId } });
    return SUCCESS;
  },
});
