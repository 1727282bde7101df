import { invalidField } from '../../../shared/errors.ts';
import { getBusiness } from '../../businesses/index.ts';
import type { Command, Steps } from '../context.ts';
import type { NewOrder } from '../order.ts';
import { accountFor, BANK_TRANSFER } from './instructions.ts';

/** Adds the account to an order that is paid by bank transfer. Throws 422 if the business has none. */
export async function withAccount<T extends NewOrder>(ctx: Command | Steps, order: T): Promise<T> {
  const { paymentMethod, bankTransfer, total } = order.doc;
  if (paymentMethod !== BANK_TRANSFER || bankTransfer || total === 0) return order;
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const account = accountFor(order.doc, configs, ctx.now);
  if (!account) {
    const message = 'Add the account holder and IBAN in configs.bankTransfer before you use bank transfer.';
    throw invalidField('paymentMethod', 'INVALID_VALUE', message);
  }
  return { ...order, doc: { ...order.doc, bankTransfer: account } };
}
