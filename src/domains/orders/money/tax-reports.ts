/** Reports paid and refunded orders to the tax provider of the business. */
import { type Configs, getBusiness, TAX_PROVIDER } from '../../businesses/index.ts';
import { taxAddressOf } from '../../pricing/index.ts';
import type { PaymentCommand, Steps } from '../context.ts';
import type { OrderRow } from '../order.ts';
import { findOrder } from '../queries.ts';

export const TAX_REPORT = 'tax-report';

type Refund = { id: string; amount: number };
export type TaxReportTask = { orderId: string; refund: Refund | null };

/** Call it in the transaction of the payment or refund. */
export async function reportTax(ctx: PaymentCommand, orderId: string, refund: Refund | null = null): Promise<void> {
  const { configs } = await getBusiness(ctx, ctx.businessId);
  if (!configs.tax?.provider) return;
  const task: TaxReportTask = { orderId, refund };
  await ctx.enqueue(TAX_REPORT, task, { cause: `tax-report ${reportId(task)}` });
}

/** The provider counts each ID once, however often it is sent. */
const reportId = ({ orderId, refund }: TaxReportTask) => (refund ? `${orderId}.${refund.id}` : orderId);

/** Throws if the provider fails. The task is then retried. */
export async function sendTaxReport(ctx: Steps, task: TaxReportTask): Promise<void> {
  const { businessId } = ctx;
  const order = await findOrder(ctx.db, businessId, task.orderId);
  const { configs } = await getBusiness(ctx, businessId);
  const receiver = ctx.businesses.vault.endpoint(businessId, configs, TAX_PROVIDER);
  if (!order || !receiver) return;
  const type = task.refund ? 'tax.refund' : 'tax.commit';
  const payload = task.refund
    ? { orderId: order.id, refundId: task.refund.id, amount: task.refund.amount, currency: order.doc.currency }
    : saleOf(order, configs);
  await ctx.pricing.taxProvider.report(receiver, { id: reportId(task), type, payload }, ctx.now);
}

function saleOf({ id: orderId, number, doc, createdAt }: OrderRow, configs: Configs): object {
  const { market, currency, subtotal, tax, shipping, shippingTax = 0, discount, total, taxLines = [] } = doc;
  return {
    orderId,
    number,
    createdAt,
    market,
    currency,
    address: taxAddressOf(configs, doc),
    lines: doc.lines.map((line) => ({
      productId: line.productId,
      variantId: line.variantId,
      taxClassId: line.taxClassId ?? 'standard',
      quantity: line.quantity,
      amount: line.totalPrice - line.discount,
      tax: line.tax ?? 0,
    })),
    subtotal,
    tax,
    shipping,
    shippingTax,
    discount,
    total,
    taxLines,
  };
}
