/** The link to an order in its emails. It works without a login, so that guests can see their order on any device. */

import type { Language } from '../../shared/mail/languages.ts';
import { deriveKey } from '../../shared/security/secrets.ts';
import { createSigner } from '../../shared/security/signing.ts';
import { addressKey } from '../../shared/text/address-key.ts';
import {
  type BusinessRow,
  businessLanguage,
  getBusiness,
  localePrefix,
  mailedPagesUrl,
  siteUrl,
} from '../businesses/index.ts';
import { displayOf, taxRowsOf } from '../pricing/index.ts';
import { instructionsOf } from './bank-transfer/instructions.ts';
import type { BankTransfer } from './bank-transfer/schemas.ts';
import type { Query, Steps } from './context.ts';
import { type DeliveryPart, deliveryParts } from './delivery-parts.ts';
import { listDocumentRows } from './documents/queries.ts';
import { type DocumentFile, renderDocument, viewDocument } from './documents/read-documents.ts';
import type { OrderDocument } from './documents/schemas.ts';
import type { OrderDoc, OrderRow } from './order.ts';
import { findOrder } from './queries.ts';
import { exchangeBalance } from './returns/exchange-balance.ts';
import { listReturnsOf } from './returns/queries.ts';
import { type ReturnOptions, returnOptions } from './returns/return-options.ts';
import { fulfillmentOf, namedLines, shipmentsOf } from './shipments/fulfillment.ts';
import type { Fulfillment, Shipment } from './shipments/schemas.ts';

type Keyed = Pick<Query, 'config'>;
type Linking = Pick<Query, 'config' | 'businesses' | 'publicUrl'>;

const signerOf = ({ config }: Keyed) => createSigner(deriveKey(config.secretKey, 'order-link'), 16);

export function orderLink(ctx: Linking, business: BusinessRow, { id }: Pick<OrderRow, 'id'>): string {
  const text = `${business.id}.${id}`;
  return `${mailedPagesUrl(ctx, business)}/order/${text}.${signerOf(ctx).sign(text)}`;
}

export type OrderView = Pick<OrderRow, 'number' | 'status' | 'paymentStatus' | 'refunded' | 'createdAt'> &
  Pick<OrderDoc, 'currency' | 'tracking' | 'paymentMethod'> & {
    businessName: string;
    /** The storefront in the order's language, or null if it is not open. */
    shop: { url: string; logo: string | null } | null;
    /** The language of the page. */
    language: Language;
    fulfillment: Fulfillment;
    shipments: (Pick<Shipment, 'tracking' | 'createdAt'> & { lines: { name: string; quantity: number }[] })[];
    lines: { name: string; quantity: number; totalPrice: number }[];
    display: ReturnType<typeof displayOf>;
    taxes: ReturnType<typeof taxRowsOf>;
    delivery: DeliveryPart[];
    returns: ReturnOptions;
    /** Their URLs work without a login. */
    documents: OrderDocument[];
    bankTransfer: BankTransfer | null;
    /** The amount received by bank transfer. */
    received: number;
    /** The part of `refunded` that paid for exchanges. */
    exchanged: number;
    /** The amount still due for an exchange, and the value of the returned items. */
    exchange: { rest: number; credit: number; provider: 'SANDBOX' | 'STRIPE' } | null;
  };

function shopOf(ctx: Linking, business: BusinessRow, locale: string | null): OrderView['shop'] {
  const { storefront, brand } = business.configs;
  if (!storefront?.enabled) return null;
  const prefix = localePrefix(business, locale);
  const logo = storefront.theme?.logo ?? brand?.logo;
  return { url: `${siteUrl(ctx, business)}${prefix === null ? '' : `/${prefix}`}`, logo: logo?.url ?? null };
}

/** The order of a link, or null if the link is invalid. */
export function readOrderLink(ctx: Keyed, token: string): Pick<OrderRow, 'businessId' | 'id'> | null {
  const [businessId, id, signature, ...rest] = token.split('.');
  if (!businessId || !id || !signature || rest.length > 0) return null;
  return signerOf(ctx).verify(`${businessId}.${id}`, signature) ? { businessId, id } : null;
}

type LinkedFile = { token: string; documentId: string; format: 'pdf' | 'xml'; signal?: AbortSignal };

/** Null if the link is invalid. */
export async function downloadLinked(
  ctx: Steps,
  { token, documentId, format, signal }: LinkedFile,
): Promise<DocumentFile | null> {
  const order = readOrderLink(ctx, token);
  if (!order) return null;
  const request = { orderId: order.id, documentId, format, ...(signal ? { signal } : {}) };
  return renderDocument(ctx.within(order.businessId), request, addressKey(ctx.address));
}

/** Null if the link is invalid or the order no longer exists. */
export async function showOrder(ctx: Query, token: string): Promise<OrderView | null> {
  const link = readOrderLink(ctx, token);
  const order = link && (await findOrder(ctx.quick, link.businessId, link.id));
  if (!order) return null;
  const { businessId, id } = order;
  const { number, status, paymentStatus, refunded, createdAt, doc } = order;
  const business = await getBusiness(ctx, businessId);
  const { name: businessName, configs } = business;
  const lines = doc.lines.map(({ name, quantity, totalPrice }) => ({ name, quantity, totalPrice }));
  const { currency, tracking, paymentMethod } = doc;
  const shipments = shipmentsOf(order).map(({ tracking, createdAt, lines }) => ({
    ...(tracking ? { tracking } : {}),
    createdAt,
    lines: namedLines(order, lines),
  }));
  const fulfillment = fulfillmentOf(order);
  const { exchanged = 0 } = doc.afterSale ?? {};
  const shown = {
    number,
    status,
    paymentStatus,
    refunded,
    exchanged,
    createdAt,
    businessName,
    shop: shopOf(ctx, business, doc.locale ?? null),
    currency,
    paymentMethod,
  };
  const display = displayOf(doc);
  const taxes = taxRowsOf(display, doc.taxLines);
  const language = businessLanguage({ configs }, doc.locale);
  const delivery = deliveryParts(doc, configs, language);
  const returns = returnOptions(order, await listReturnsOf(ctx.quick, businessId, id), configs, ctx.now);
  const rows = doc.hasDocuments ? await listDocumentRows(ctx.quick, businessId, id) : [];
  const documents = rows.map((row) => viewDocument(row, `${orderLink(ctx, business, order)}/documents`));
  const bankTransfer = instructionsOf(order);
  const provider = configs.paymentProvider?.type ?? 'SANDBOX';
  const exchange = doc.exchange ? { rest: exchangeBalance(order), credit: doc.exchange.credit, provider } : null;
  return {
    ...shown,
    language,
    ...(tracking ? { tracking } : {}),
    fulfillment,
    shipments,
    lines,
    display,
    taxes,
    delivery,
    returns,
    documents,
    bankTransfer,
    received: doc.received ?? 0,
    exchange,
  };
}
