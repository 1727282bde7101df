/** The link to an order in its emails. It works without a login, so that guests can see their order on any device. */

import { deriveKey } from '../../shared/security/secrets.ts';
import { createSigner } from '../../shared/security/signing.ts';
import { getBusiness } from '../businesses/index.ts';
import { displayOf, taxRowsOf } from '../pricing/index.ts';
import { instructionsOf } from './bank-transfer/instructions.ts';
import type { BankTransfer } from './bank-transfer/schemas.ts';
import type { Query } from './context.ts';
import { type DeliveryPart, deliveryParts } from './delivery-parts.ts';
import type { OrderDoc, OrderRow } from './order.ts';
import { findOrder } from './queries.ts';
import { fulfillmentOf, namedLines, shipmentsOf } from './shipments/fulfillment.ts';
import type { Fulfillment, Shipment } from './shipments/schemas.ts';

type Keyed = Pick<Query, 'config' | 'publicUrl'>;

const signerOf = ({ config }: Keyed) => createSigner(deriveKey(config.secretKey, 'order-link'), 16);

export function orderLink(ctx: Keyed, { businessId, id }: Pick<OrderRow, 'businessId' | 'id'>): string {
  const text = `${businessId}.${id}`;
  return `${ctx.publicUrl()}/order/${text}.${signerOf(ctx).sign(text)}`;
}

export type OrderView = Pick<OrderRow, 'number' | 'status' | 'paymentStatus' | 'refunded' | 'createdAt'> &
  Pick<OrderDoc, 'currency' | 'tracking' | 'paymentMethod'> & {
    businessName: string;
    fulfillment: Fulfillment;
    shipments: (Pick<Shipment, 'tracking' | 'createdAt'> & { lines: { name: string; quantity: number }[] })[];
    lines: { name: string; quantity: number; totalPrice: number }[];
    display: ReturnType<typeof displayOf>;
    taxes: ReturnType<typeof taxRowsOf>;
    delivery: DeliveryPart[];
    bankTransfer: BankTransfer | null;
  };

/** Null if the link is invalid or the order no longer exists. */
export async function showOrder(ctx: Query, token: string): Promise<OrderView | null> {
  const [businessId, id, signature, ...rest] = token.split('.');
  if (!businessId || !id || !signature || rest.length > 0) return null;
  if (!signerOf(ctx).verify(`${businessId}.${id}`, signature)) return null;
  const order = await findOrder(ctx.quick, businessId, id);
  if (!order) return null;
  const { number, status, paymentStatus, refunded, createdAt, doc } = order;
  const { name: businessName, configs } = await getBusiness(ctx, businessId);
  const lines = doc.lines.map(({ name, quantity, totalPrice }) => ({ name, quantity, totalPrice }));
  const { currency, tracking, paymentMethod } = doc;
  const shipments = shipmentsOf(order).map(({ tracking, createdAt, lines }) => ({
    ...(tracking ? { tracking } : {}),
    createdAt,
    lines: namedLines(order, lines),
  }));
  const fulfillment = fulfillmentOf(order);
  const shown = { number, status, paymentStatus, refunded, createdAt, businessName, currency, paymentMethod };
  const display = displayOf(doc);
  const taxes = taxRowsOf(display, doc.taxLines);
  const delivery = deliveryParts(doc, configs);
  const bankTransfer = instructionsOf(order);
  return {
    ...shown,
    ...(tracking ? { tracking } : {}),
    fulfillment,
    shipments,
    lines,
    display,
    taxes,
    delivery,
    bankTransfer,
  };
}
