/** A sample invoice, to preview the settings of a business. Pure. */
import { systemStatus } from '../../../shared/records/status-history.ts';
import { type BusinessRow, invoicingOf } from '../../businesses/index.ts';
import { priceCart } from '../../pricing/index.ts';
import type { NewOrder } from '../order.ts';
import { languageOf } from './languages.ts';
import type { DocumentRow } from './queries.ts';
import { invoiceSnapshot } from './snapshot.ts';

const NAMES = {
  en: ['Linen shirt', 'Stoneware mug'],
  de: ['Leinenhemd', 'Becher aus Steinzeug'],
};

export function sampleDocument(business: BusinessRow, nowSeconds: number): DocumentRow {
  const order = sampleOrder(business, nowSeconds);
  const { currency, total } = order.doc;
  return {
    businessId: business.id,
    id: 'doc_preview',
    orderId: order.id,
    type: 'INVOICE',
    series: invoicingOf(business.configs).series,
    // No document has this number.
    sequence: 0,
    refundId: null,
    issuedAt: nowSeconds,
    currency,
    total,
    snapshot: { ...invoiceSnapshot(order, business), orderNumber: 0 },
  };
}

function sampleOrder({ id, configs }: BusinessRow, nowSeconds: number): NewOrder {
  const { markets = [], taxRates = [], profile } = configs;
  const { id: market = 'eu', currency = 'eur', taxMode = 'EXCLUSIVE', taxBps = 0 } = markets[0] ?? {};
  const country = profile?.address?.country ?? '';
  const found = taxRates.find((each) => each.country === country && each.classId === 'standard');
  const rate = found ? { name: found.name, bps: found.bps, country } : { name: 'Tax', bps: taxBps };
  const locale = languageOf({ locale: null } as NewOrder['doc'], country);
  const items = NAMES[locale].map((name, i) => ({
    productId: `${i}`,
    unitPrice: 4900 - 2500 * i,
    quantity: i + 1,
    name,
  }));
  const price = priceCart({
    lines: items,
    taxMode,
    taxes: { rateOf: () => rate, shipping: rate, isReverseCharge: false },
    shipping: { amount: 490, taxable: true },
    discounts: [],
    discountedProducts: null,
  });
  const address = {
    name: 'Ada Lovelace',
    street: '1 Main Street',
    city: 'Springfield',
    state: '',
    zip: '12345',
    country,
  };
  const lines = items.map((item, i) => ({
    ...item,
    ...price.lines[i]!,
    type: 'PRODUCT_VARIANT',
    variantId: 'main',
    sku: '',
  }));
  return {
    businessId: id,
    id: 'ord_preview',
    status: 'PROCESSING',
    paymentStatus: 'PAID',
    customerId: '',
    customerEmail: null,
    holds: false,
    paid: price.total,
    refunded: 0,
    doc: {
      ...price,
      market,
      currency,
      taxMode,
      lines,
      locale,
      promoCode: null,
      promoId: null,
      shippingMethodId: null,
      paymentMethod: 'CREDIT_CARD',
      shippingAddress: address,
      blocks: [],
      statuses: [systemStatus('PROCESSING', nowSeconds)],
      paymentStatus: [systemStatus('PAID', nowSeconds)],
    },
    version: 1,
    createdAt: nowSeconds,
    updatedAt: nowSeconds,
  };
}
