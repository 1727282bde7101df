/** Orders and documents without a database, priced like real ones. */
import type { BusinessRow } from '../../../src/domains/businesses/index.ts';
import type { DocumentRow } from '../../../src/domains/orders/documents/queries.ts';
import { invoiceSnapshot, partSnapshot, totalOf } from '../../../src/domains/orders/documents/snapshot.ts';
import { spreadRefund } from '../../../src/domains/orders/money/refund-parts.ts';
import type { OrderRow } from '../../../src/domains/orders/order.ts';
import { priceCart } from '../../../src/domains/pricing/index.ts';
import type { Discount } from '../../../src/domains/pricing/pricing.ts';

const RATES: Record<string, { name: string; bps: number; country: string }> = {
  standard: { name: 'VAT', bps: 1900, country: 'DE' },
  reduced: { name: 'VAT reduced', bps: 700, country: 'DE' },
  none: { name: 'No tax', bps: 0, country: 'DE' },
};

export const SELLER: BusinessRow['configs'] = {
  profile: {
    legalName: 'Leinen & Co GmbH',
    address: { street: 'Rosenheimer Straße 12', zip: '81669', city: 'München', country: 'DE' },
    taxId: '143/123/45678',
    timeZone: 'Europe/Berlin',
  },
  seller: {
    vatId: 'DE123456789',
    registration: 'Amtsgericht München, HRB 12345',
    email: 'hello@leinen.example',
    phone: '+49 89 123456',
    bank: { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
  },
};

export const BUYER = {
  name: 'Jürgen Müller',
  company: 'Weiß & Söhne OHG',
  street: 'Königstraße 5',
  street2: 'Hinterhaus',
  zip: '70173',
  city: 'Stuttgart',
  state: '',
  country: 'DE',
};

export type Sample = {
  taxMode: 'EXCLUSIVE' | 'INCLUSIVE';
  lines: { unitPrice: number; quantity: number; taxClassId: string }[];
  shipping: number;
  shippingClass?: string;
  isShippingTaxed?: boolean;
  discounts: Discount[];
  isReverseCharge?: boolean;
  locale?: string;
  buyer?: object | null;
  name?: string;
  /** What was shipped when the document is issued. Nothing by default. */
  supply?: 'OPEN' | 'PARTLY' | 'SHIPPED' | 'DIGITAL';
};

/** Half a day before the documents are issued. */
const SUPPLIED_AT = 1_792_966_800;

export function sampleOrder(sample: Sample): OrderRow {
  const {
    taxMode,
    lines,
    shipping,
    shippingClass,
    isShippingTaxed = true,
    discounts,
    isReverseCharge = false,
  } = sample;
  const priced = priceCart({
    lines: lines.map((line, i) => ({ ...line, productId: `prod_${i}` })),
    taxMode,
    taxes: {
      rateOf: (classId = 'standard') => RATES[classId]!,
      shipping: shippingClass ? RATES[shippingClass]! : 'PROPORTIONAL',
      isReverseCharge,
    },
    shipping: { amount: shipping, taxable: isShippingTaxed },
    discounts,
    discountedProducts: null,
  });
  const { supply = 'OPEN' } = sample;
  const shipped = { OPEN: 0, PARTLY: 1, SHIPPED: lines.length, DIGITAL: 0 }[supply];
  const buyer = sample.buyer === undefined ? BUYER : sample.buyer;
  const vatId = isReverseCharge ? { vatId: 'FR12345678901', country: 'FR' } : {};
  return {
    businessId: 'biz_1',
    id: 'ord_1',
    number: 1042,
    status: 'PROCESSING',
    paymentStatus: 'PAID',
    customerId: 'usr_1',
    customerEmail: 'buyer@example.com',
    holds: true,
    paid: priced.total,
    refunded: 0,
    doc: {
      ...priced,
      market: 'eu',
      currency: 'eur',
      taxMode,
      locale: sample.locale ?? 'en',
      lines: lines.map((line, i) => ({
        ...line,
        ...priced.lines[i]!,
        type: 'PRODUCT_VARIANT',
        productId: `prod_${i}`,
        variantId: 'main',
        sku: `SKU-${i}`,
        name: sample.name ?? `Linen <shirt> & more ${i}`,
        options: [{ name: 'size', value: 'M' }],
        ...(supply === 'DIGITAL' ? { requiresShipping: false } : {}),
      })),
      shipments: lines.slice(0, shipped).map(({ quantity }, i) => ({
        id: `shp_${i}`,
        lines: [{ lineId: `line_${i + 1}`, quantity }],
        createdAt: SUPPLIED_AT,
        updatedAt: SUPPLIED_AT,
      })),
      promoCode: null,
      promoId: null,
      shippingMethodId: null,
      paymentMethod: 'CREDIT_CARD',
      shippingAddress: buyer && ({ ...buyer, ...vatId } as never),
      billingAddress: null,
      blocks: [],
      statuses: [{ id: 'st_1', status: 'PROCESSING', changedBy: 'SYSTEM', timestamp: 1_793_000_000 }],
      paymentStatus: [{ id: 'st_2', status: 'PAID', changedBy: 'SYSTEM', timestamp: 1_793_000_000 }],
    },
    version: 1,
    createdAt: 1_793_000_000,
    updatedAt: 1_793_000_000,
  };
}

export const businessWith = (invoicing: object, configs = SELLER) => ({
  name: 'Leinen & Co',
  configs: { ...configs, invoicing },
});

type Business = ReturnType<typeof businessWith>;

export function invoiceOf(order: OrderRow, business: Business): DocumentRow {
  return documentOf(order, 'INVOICE', invoiceSnapshot(order, business));
}

export function creditNoteOf(order: OrderRow, business: Business, amount: number): DocumentRow {
  const parts = spreadRefund(order.doc, [], amount);
  const corrects = { number: 'INV-17', issuedAt: 1_793_000_000 };
  return documentOf(order, 'CREDIT_NOTE', partSnapshot(order, business, { parts, corrects, reason: 'Too small' }));
}

function documentOf(
  order: OrderRow,
  type: DocumentRow['type'],
  snapshot: ReturnType<typeof invoiceSnapshot>,
): DocumentRow {
  return {
    businessId: order.businessId,
    id: 'doc_1',
    orderId: order.id,
    type,
    series: type === 'INVOICE' ? 'INV-' : 'CN-',
    sequence: 17,
    refundId: null,
    issuedAt: 1_793_010_000,
    currency: order.doc.currency,
    total: totalOf(snapshot, order),
    snapshot: { ...snapshot, orderNumber: order.number },
  };
}
