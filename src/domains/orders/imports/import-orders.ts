/**
 * Imports orders with their amounts, histories and numbers. An import has no side effects: it deducts no stock (imported products
 * already have the remaining quantities), sends no email and starts no payment.
 */
import { checkBlocks, NOTHING_PREPARED, type PreparedTexts } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { isId, newId } from '../../../shared/ids.ts';
import { addressesOf, countImportedUses, lineId } from '../../pricing/index.ts';
import type { Command } from '../context.ts';
import { type OrderRow, viewNewOrder } from '../order.ts';
import { blocksTooLong } from '../order-blocks.ts';
import { withFulfillment } from '../shipments/fulfillment.ts';
import { insertTags } from '../work/queries.ts';
import { tagRows, tidyTags } from '../work/tags.ts';
import {
  type AfterSaleRows,
  checkAfterSale,
  composeAfterSale,
  findTaken,
  insertAfterSale,
} from './import-after-sale.ts';
import { insertImported, raiseOrderNumber } from './queries.ts';
import type { OrderExport } from './schemas.ts';

export type OrderImport = {
  /** Validated against the schema. */
  input: OrderExport;
  texts?: PreparedTexts;
};

type OrderOutcome = { result: 'CREATED'; id: string } | { errors: FieldError[] };

/** Returns one outcome per record, in input order. Lock order: orders, promo codes by ID, number counter. */
export async function importOrders(ctx: Command, records: readonly OrderImport[]): Promise<OrderOutcome[]> {
  const { db: tx, businessId } = ctx;
  const composed = records.map((record) => composeOrder(ctx, record));
  const written = new Set(await insertComposed(ctx, composed, { linksPromos: true }));
  const orders = composed.flatMap((each) => ('order' in each && written.has(each.order.id) ? [each.order] : []));
  await countImportedUses(
    tx,
    businessId,
    orders.flatMap(({ holds, doc, customerId }) =>
      holds && doc.promoCode !== null ? [{ code: doc.promoCode, userId: doc.promoUserId ?? customerId }] : [],
    ),
  );
  await raiseOrderNumber(tx, businessId, Math.max(0, ...orders.map(({ number }) => number)));
  ctx.emit(
    ...orders.map((order) => ({
      type: 'order.imported' as const,
      entity: `order:${order.id}` as const,
      data: { ...viewNewOrder(order), number: order.number },
    })),
  );
  return composed.map((each): OrderOutcome => {
    if ('errors' in each) return each;
    return written.has(each.order.id) ? { result: 'CREATED', id: each.order.id } : { errors: [taken] };
  });
}

const taken: FieldError = {
  field: 'number',
  error: 'DUPLICATE',
  message: 'An order with this ID or number, or a refund or return with the same ID, already exists.',
};

export type Composed = AfterSaleRows & { order: OrderRow };

/** Returns the IDs of inserted orders. Orders whose ID or number is taken are skipped. */
export async function insertComposed(
  ctx: Command,
  composed: readonly (Composed | { errors: FieldError[] })[],
  options: { linksPromos: boolean },
): Promise<string[]> {
  const { db: tx, businessId } = ctx;
  const all = composed.flatMap((each) => ('order' in each ? [each] : []));
  const taken = await findTaken(ctx, all);
  const valid = all.filter(({ order }) => !taken.has(order.id));
  const ids = await insertImported(
    tx,
    businessId,
    valid.map(({ order }) => order),
    options,
  );
  const written = new Set(ids);
  const inserted = valid.filter(({ order }) => written.has(order.id));
  await insertAfterSale(ctx, inserted);
  const tags = inserted.flatMap(({ order }) => tagRows(order));
  if (tags.length > 0) await insertTags(tx, businessId, tags);
  return ids;
}

/** The order to store, or its errors. */
export function composeOrder(
  { businessId }: Command,
  { input, texts = NOTHING_PREPARED }: OrderImport,
): Composed | { errors: FieldError[] } {
  const errors = [...checkAmounts(input), ...repeatedIds(input)];
  if (!isId('ord', input.id)) errors.push({ field: 'id', error: 'INVALID_FORMAT', message: 'id must be an order ID.' });
  errors.push(...blocksTooLong(input.blocks), ...checkShipments(input), ...checkAfterSale(input));
  // References are not checked: their records may come later in the file or may have been deleted.
  const blocks = errors.length > 0 ? null : checkBlocks(input.blocks, 'blocks', { sanitize: texts.sanitize });
  errors.push(...(blocks?.errors ?? []));
  if (errors.length > 0) return { errors };
  const { id, number, customerId, email, paid, refunded, createdAt, updatedAt, lines, refunds, returns, ...content } =
    input;
  const customerEmail = email?.toLowerCase() ?? null;
  const status = input.statuses.at(-1)!.status;
  const order: OrderRow = {
    businessId,
    id,
    number,
    status,
    paymentStatus: input.paymentStatus.at(-1)!.status,
    customerId,
    customerEmail,
    holds: status !== 'CANCELLED',
    paid,
    refunded,
    doc: {
      ...content,
      ...addressesOf(content),
      lines: withIds(lines).map((line) => ({ discount: 0, name: '', sku: '', type: 'PRODUCT_VARIANT', ...line })),
      taxMode: content.taxMode ?? 'EXCLUSIVE',
      promoCode: content.promoCode ?? null,
      promoId: null,
      shippingMethodId: content.shippingMethodId ?? null,
      paymentMethod: content.paymentMethod ?? null,
      // An imported email is not verified.
      ...(customerEmail === null ? {} : { isEmailTyped: true }),
      ...(content.tags ? { tags: tidyTags(content.tags) } : {}),
      blocks: [...blocks!.blocks],
    },
    version: 1,
    createdAt,
    updatedAt,
  };
  const composed = composeAfterSale(order, { refunds, returns });
  return { ...composed, order: { ...order, doc: withFulfillment(composed.order) } };
}

/** In an edited file, some lines can have an ID and others not. The position of a line without an ID may be the ID of another line. */
function withIds(lines: OrderExport['lines']): OrderExport['lines'] {
  const given = new Set(lines.map(({ id }) => id));
  return lines.map((line, i) =>
    line.id === undefined && given.has(lineId(line, i)) ? { ...line, id: newId('line') } : line,
  );
}

function repeatedIds({ lines }: OrderExport): FieldError[] {
  const ids = lines.map(({ id }) => id);
  return ids.flatMap((id, i): FieldError[] =>
    id === undefined || ids.indexOf(id) === i
      ? []
      : [{ field: `lines[${i}].id`, error: 'DUPLICATE', message: `Another line has the ID ${id}.` }],
  );
}

function checkAmounts(order: OrderExport): FieldError[] {
  const { lines, subtotal, tax, shipping, discount, total, paid, refunded, taxLines, shippingTax = 0 } = order;
  const errors = lines.flatMap(({ unitPrice, quantity, totalPrice }, i): FieldError[] =>
    unitPrice * quantity === totalPrice
      ? []
      : [mismatch(`lines[${i}].totalPrice`, `totalPrice must be ${unitPrice * quantity} (unitPrice × quantity).`)],
  );
  const sum = subtotal + tax + shipping - discount;
  if (sum !== total) errors.push(mismatch('total', `total must be ${sum} (subtotal + tax + shipping - discount).`));
  const onLines = lines.reduce((whole, line) => whole + (line.tax ?? 0), shippingTax);
  if (taxLines && (onLines !== tax || taxLines.reduce((whole, { amount }) => whole + amount, 0) !== tax)) {
    errors.push(
      mismatch('taxLines', `The amounts in taxLines must add up to ${tax}, as must the line and shipping taxes.`),
    );
  }
  if (refunded > paid)
    errors.push({
      field: 'refunded',
      error: 'OUT_OF_RANGE',
      message: `refunded must be at most ${paid}, the paid amount.`,
    });
  return errors;
}

/** Every shipped item must be in the order. */
function checkShipments({ lines, shipments = [] }: OrderExport): FieldError[] {
  const left = new Map(lines.map((line, i) => [lineId(line, i), line.quantity]));
  return shipments.flatMap((shipment, n) => {
    const isRepeated = shipments.findIndex(({ id }) => id === shipment.id) < n;
    const errors: FieldError[] = isRepeated
      ? [{ field: `shipments[${n}].id`, error: 'DUPLICATE', message: 'Each shipment needs a unique ID.' }]
      : [];
    for (const [i, { lineId: id, quantity }] of shipment.lines.entries()) {
      const most = left.get(id) ?? 0;
      left.set(id, most - quantity);
      if (quantity <= most) continue;
      const message = `quantity must be at most ${most}, the quantity not yet in another shipment.`;
      errors.push({ field: `shipments[${n}].lines[${i}].quantity`, error: 'OUT_OF_RANGE', message });
    }
    return errors;
  });
}

const mismatch = (field: string, message: string): FieldError => ({ field, error: 'TOTAL_MISMATCH', message });
