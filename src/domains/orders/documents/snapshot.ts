/** Composes the content of an invoice or a credit note, which never changes afterward. Pure. */
import type { Address } from '../../../shared/schemas.ts';
import { type BusinessRow, invoicingOf, sellerOf } from '../../businesses/index.ts';
import { displayOf, lineId, type StoredLine, showLine, taxRowsOf, withTaxDetails } from '../../pricing/index.ts';
import { sumParts } from '../money/refund-parts.ts';
import type { RefundParts } from '../money/schemas.ts';
import type { NewOrder } from '../order.ts';
import { linesToShip, shipmentsOf } from '../shipments/fulfillment.ts';
import { languageOf } from './languages.ts';
import { textsIn } from './render/texts.ts';
import type { Snapshot, SnapshotLine, SnapshotRow } from './snapshot-schemas.ts';
import { lineShares, namedTaxes, shippingPart, shippingShares } from './tax-shares.ts';

type Seller = Pick<BusinessRow, 'name' | 'configs'>;

/** The invoice of the whole order. */
export function invoiceSnapshot(order: NewOrder, business: Seller): Snapshot {
  const { doc } = order;
  const display = displayOf(doc);
  const { taxIncluded, subtotal, shipping, discount } = display;
  const { lines, taxLines } = withTaxDetails(doc);
  const items = lines.reduce((sum, line) => sum + line.totalPrice, 0);
  const shares = lineShares(doc);
  const rows: SnapshotRow[] = [
    { kind: 'SUBTOTAL', amount: items },
    { kind: doc.taxExempt ? 'REVERSE_CHARGE' : 'DEDUCTION', amount: subtotal - items },
    { kind: 'DISCOUNT', amount: -discount },
    { kind: 'SHIPPING', amount: shipping },
    ...(taxIncluded ? [] : taxRowsOf(display, taxLines)).map((row): SnapshotRow => ({ kind: 'TAX', ...row })),
  ];
  return {
    ...commonParts(order, business),
    lines: lines.map((line, i) => ({
      ...described(line),
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      amount: line.totalPrice,
      discount: line.discount,
      share: shares[i]!,
    })),
    rows: rows.filter(({ kind, amount }) => kind === 'SUBTOTAL' || amount !== 0),
    shipping: shippingShares(doc),
    taxLines,
    corrects: null,
    reason: null,
    parts: null,
  };
}

type Correction = Pick<Snapshot, 'corrects' | 'reason'> & { parts: RefundParts };

/** The credit note for a refund, or the invoice that reverses one. */
export function partSnapshot(order: NewOrder, business: Seller, { parts, ...correction }: Correction): Snapshot {
  const { doc } = order;
  const { taxIncluded } = displayOf(doc);
  const { lines: orderLines, taxLines } = withTaxDetails(doc);
  const shown = ({ amount, tax }: { amount: number; tax: number }) => (taxIncluded ? amount : amount - tax);
  const lines = parts.lines.flatMap((part): SnapshotLine[] => {
    const i = orderLines.findIndex((line, position) => lineId(line, position) === part.lineId);
    const line = orderLines[i];
    if (!line) return [];
    const share = { bps: line.taxBps ?? 0, net: part.amount - part.tax, tax: part.tax };
    const { quantity } = part;
    return [{ ...described(line), quantity, unitPrice: null, amount: shown(part), discount: 0, share }];
  });
  const common = commonParts(order, business);
  const shippingRates = shippingPart(doc, parts.shipping);
  // An e-invoice needs a line, so shipping is one if nothing else was refunded.
  const isShippingOnly = lines.length === 0;
  const name = textsIn(common.language).shipping;
  if (isShippingOnly) {
    for (const share of shippingRates) {
      const amount = shown({ amount: share.net + share.tax, tax: share.tax });
      lines.push({ name, details: '', sku: '', quantity: 1, unitPrice: null, amount, discount: 0, share });
    }
  }
  const shipping = isShippingOnly ? [] : shippingRates;
  const taxes = namedTaxes([...lines.map(({ share }) => share), ...shipping], taxLines);
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
  const items = lines.reduce((sum, { amount }) => sum + amount, 0);
  const rows: SnapshotRow[] = [
    { kind: 'SUBTOTAL', amount: items },
    { kind: 'SHIPPING', amount: isShippingOnly ? 0 : shown(parts.shipping) },
    ...(taxIncluded ? [] : taxRowsOf({ ...displayOf(doc), tax }, taxes)).map(
      (row): SnapshotRow => ({ kind: 'TAX', ...row }),
    ),
  ];
  return {
    ...common,
    lines,
    rows: rows.filter(({ kind, amount }) => kind === 'SUBTOTAL' || amount !== 0),
    shipping,
    taxLines: taxes,
    ...correction,
    parts,
  };
}

export const totalOf = ({ parts }: Snapshot, order: NewOrder) => (parts ? sumParts(parts) : order.doc.total);

function described(line: StoredLine) {
  const { name, variantName, options, sku } = showLine(line, 0);
  const values = options.map(({ name: option, value }) => `${capital(option)}: ${value}`).join(', ');
  const variant = variantName && variantName !== name ? variantName : '';
  return { name, details: values || variant, sku };
}

/** Names of options are shown as in the shop. */
const capital = (text: string) => text.replace(/^./u, (first) => first.toUpperCase());

function commonParts(order: NewOrder, business: Seller) {
  const { id, doc, customerEmail, createdAt } = order;
  const { configs } = business;
  const { legalText, format, paperSize } = invoicingOf(configs);
  const seller = sellerOf(business);
  const { shippingAddress = null, billingAddress = null } = doc;
  const buyer = billingAddress ?? shippingAddress;
  return {
    legalText,
    format,
    paperSize,
    seller,
    buyer,
    language: languageOf(doc, seller.address.country),
    timeZone: configs.profile?.timeZone ?? 'UTC',
    buyerEmail: format.startsWith('XRECHNUNG') ? customerEmail : null,
    shipTo:
      billingAddress && shippingAddress && isDifferentAddress(billingAddress, shippingAddress) ? shippingAddress : null,
    order: { id, placedAt: createdAt },
    ...supplyOf(order),
    paymentMethod: doc.paymentMethod,
    taxIncluded: displayOf(doc).taxIncluded,
    taxExempt: doc.taxExempt ?? null,
  };
}

/** Items that don't require shipping are supplied at payment, and others when they are shipped. */
function supplyOf(order: NewOrder): Pick<Snapshot, 'suppliedAt' | 'isSupplyOpen'> {
  const { lines, paymentStatus } = order.doc;
  if (lines.every(({ requiresShipping }) => requiresShipping === false)) {
    return { suppliedAt: paymentStatus.find(({ status }) => status === 'PAID')?.timestamp ?? null };
  }
  const suppliedAt = shipmentsOf(order).at(-1)?.createdAt ?? null;
  return { suppliedAt, isSupplyOpen: suppliedAt === null || linesToShip(order).length > 0 };
}

const isDifferentAddress = ({ vatId: _, phone: __, ...a }: Address, { vatId: ___, phone: ____, ...b }: Address) =>
  JSON.stringify(Object.entries(a).sort()) !== JSON.stringify(Object.entries(b).sort());
