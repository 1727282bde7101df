/**
 * Orders that a whole business brings along: their figures, histories and numbers as they were. Nothing follows from them: no
 * stock is taken, because the products come with what is left of it, no mail goes out, and no payment is begun or known here.
 */
import { checkBlocks, NOTHING_PREPARED, type PreparedTexts } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { usePromosAgain } from '../pricing/index.ts';
import { blocksTooLong } from './blocks.ts';
import type { Command } from './context.ts';
import { insertImported, raiseOrderNumber } from './import-queries.ts';
import { type OrderRow, viewNewOrder } from './order.ts';
import type { OrderExport } from './schemas.ts';

export type OrderImport = {
  /** Of the right shape. */
  input: OrderExport;
  texts?: PreparedTexts;
};

type OrderOutcome = { result: 'CREATED'; id: string } | { errors: FieldError[] };

/** One outcome for each record, in their order. Locks: the orders, the promo codes by their ids, the counter of numbers. */
export async function importOrders(ctx: Command, records: readonly OrderImport[]): Promise<OrderOutcome[]> {
  const { db: tx, businessId } = ctx;
  const composed = records.map((record) => compose(ctx, record));
  const sound = composed.flatMap((each) => ('order' in each ? [each.order] : []));
  const written = new Set(await insertImported(tx, businessId, sound));
  const orders = sound.filter(({ id }) => written.has(id));
  await usePromosAgain(
    tx,
    businessId,
    orders.flatMap(({ holds, doc, customerId }) =>
      holds && doc.promoCode !== null ? [{ code: doc.promoCode, userId: doc.promoUserId ?? customerId }] : [],
    ),
  );
  await raiseOrderNumber(tx, businessId, Math.max(0, ...orders.map(({ number }) => number)));
  await ctx.emit(
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
  message: 'An order of this business has this id or this number.',
};

function compose(
  { businessId }: Command,
  { input, texts = NOTHING_PREPARED }: OrderImport,
): { order: OrderRow } | { errors: FieldError[] } {
  const errors = checkFigures(input);
  if (!isId('ord', input.id))
    errors.push({ field: 'id', error: 'INVALID_FORMAT', message: 'This is not the id of an order.' });
  errors.push(...blocksTooLong(input.blocks));
  // What they refer to may come later in the file, or be gone since the order was made.
  const blocks = errors.length > 0 ? null : checkBlocks(input.blocks, 'blocks', { sanitize: texts.sanitize });
  errors.push(...(blocks?.errors ?? []));
  if (errors.length > 0) return { errors };
  const { id, number, customerId, email, paid, refunded, createdAt, updatedAt, lines, ...content } = input;
  const customerEmail = email?.toLowerCase() ?? null;
  const status = input.statuses.at(-1)!.status;
  return {
    order: {
      ...{ businessId, id, number, status, paymentStatus: input.paymentStatus.at(-1)!.status },
      ...{ customerId, customerEmail, holds: status !== 'CANCELLED', paid, refunded },
      doc: {
        ...content,
        lines: lines.map((line) => ({ discount: 0, name: '', sku: '', type: 'PRODUCT_VARIANT', ...line })),
        taxMode: content.taxMode ?? 'EXCLUSIVE',
        promoCode: content.promoCode ?? null,
        promoId: null,
        shippingMethodId: content.shippingMethodId ?? null,
        paymentMethod: content.paymentMethod ?? null,
        // A file is no proof that the address is its customer's.
        ...(customerEmail === null ? {} : { isEmailTyped: true }),
        blocks: [...blocks!.blocks],
      },
      ...{ version: 1, createdAt, updatedAt },
    },
  };
}

function checkFigures({ lines, subtotal, tax, shipping, discount, total, paid, refunded }: OrderExport): FieldError[] {
  const errors = lines.flatMap(({ unitPrice, quantity, totalPrice }, i): FieldError[] =>
    unitPrice * quantity === totalPrice
      ? []
      : [mismatch(`lines[${i}].totalPrice`, `unitPrice × quantity is ${unitPrice * quantity}.`)],
  );
  const sum = subtotal + tax + shipping - discount;
  if (sum !== total) errors.push(mismatch('total', `subtotal + tax + shipping - discount is ${sum}.`));
  if (refunded > paid)
    errors.push({ field: 'refunded', error: 'OUT_OF_RANGE', message: `No more than ${paid} was paid.` });
  return errors;
}

const mismatch = (field: string, message: string): FieldError => ({ field, error: 'TOTAL_MISMATCH', message });
