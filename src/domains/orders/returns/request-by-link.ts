import { notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { command } from '../context.ts';
import { readOrderLink } from '../order-link.ts';
import { lockOrder } from '../queries.ts';
import { findReturn } from './queries.ts';
import { addReturn, consumeReturnLimit } from './request-return.ts';
import { viewReturn } from './return.ts';
import type { Return, ReturnInput } from './schemas.ts';

type LinkRequest = ReturnInput & {
  token: string;
  /** From the form, so that submitting it twice adds one return. */
  id: string;
  name: string | null;
};

/** A request by the customer on the order page. The signed link authorizes it. */
export const requestByLink = command({
  async prepare(ctx, input: LinkRequest) {
    await consumeReturnLimit(ctx);
    const link = readOrderLink(ctx, input.token);
    if (!link) throw notFound('Order');
    return { ...input, link };
  },
  async execute(ctx, { link, token: _, id, ...input }): Promise<Return> {
    const within = ctx.within(link.businessId);
    const order = await lockOrder(ctx.db, link.businessId, link.id);
    if (!order) throw notFound('Order');
    const sent = await findReturn(ctx.db, link.businessId, id);
    if (sent?.orderId === order.id) return viewReturn(sent, order, null);
    const free = sent ? newId('ret') : id;
    const request = { ...input, id: free, userId: null, isStaff: false };
    const { row, order: written } = await addReturn(within, order, request);
    return viewReturn(row, written, null);
  },
});
