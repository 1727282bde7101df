import { conflict, notFound } from '../../../shared/errors.ts';
import { type Configs, getBusiness } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { restoreUnstocked } from '../money/unstocked.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder } from '../queries.ts';
import { returnItems } from '../stock.ts';
import { findReturn } from './queries.ts';
import { moveReturn, type ReturnRow, viewReturn } from './return.ts';
import type { ApproveInput, ReceiveInput, RejectInput, Return } from './schemas.ts';
import { finishChange, saveReturn } from './write-return.ts';

type Path = { id: string };

/** Locks the order, like every change to a return, and then reads the return again. */
export async function lockReturn(ctx: Command, id: string): Promise<{ row: ReturnRow; order: OrderRow }> {
  const found = await findReturn(ctx.db, ctx.businessId, id);
  const order = found && (await lockOrder(ctx.db, ctx.businessId, found.orderId));
  const row = order && (await findReturn(ctx.db, ctx.businessId, id));
  if (!row) throw notFound('Return');
  return { row, order };
}

const byCaller = ({ caller, now }: Command) => ({ userId: caller.userId, now });

/** The customer gets the instructions by email. */
export async function approveReturn(
  ctx: Command,
  { id, instructions, labelUrl = null }: ApproveInput & Path,
): Promise<Return> {
  const { row, order } = await lockReturn(ctx, id);
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const moved = moveReturn(row, ['REQUESTED'], 'APPROVED', byCaller(ctx));
  const given = instructions?.trim() || defaultInstructions(configs);
  const next = await saveReturn(ctx, { ...moved, doc: { ...moved.doc, instructions: given, labelUrl } }, order);
  return viewReturn(next, await finishChange(ctx, order, { row: next, mail: 'RETURN_APPROVED' }), ctx.caller);
}

function defaultInstructions({ returns = {} }: Configs): string | null {
  return [returns.instructions, returns.address].filter(Boolean).join('\n\n') || null;
}

export async function rejectReturn(ctx: Command, { id, reason }: RejectInput & Path): Promise<Return> {
  const { row, order } = await lockReturn(ctx, id);
  if (!row.doc.rejectable) throw conflict("A withdrawal within the withdrawal period can't be rejected.");
  if (row.doc.refundId !== null) throw conflict('This return is being refunded. Wait until the refund completes.');
  const moved = moveReturn(row, ['REQUESTED', 'APPROVED'], 'REJECTED', byCaller(ctx));
  const next = await saveReturn(ctx, { ...moved, doc: { ...moved.doc, rejection: reason.trim() } }, order);
  const doc = order.holds ? restoreUnstocked(order.doc, row.doc.lines) : order.doc;
  return viewReturn(next, await finishChange(ctx, order, { row: next, mail: 'RETURN_REJECTED', doc }), ctx.caller);
}

/** Items that were never shipped return to stock in any case, unless they are in stock already. */
export async function receiveReturn(ctx: Command, { id, restock }: ReceiveInput & Path): Promise<Return> {
  const { row, order } = await lockReturn(ctx, id);
  const moved = moveReturn(row, ['REQUESTED', 'APPROVED'], 'RECEIVED', byCaller(ctx));
  const next = await saveReturn(ctx, { ...moved, doc: { ...moved.doc, restocked: restock } }, order);
  const items = row.doc.lines.map(({ lineId, quantity, unshipped, returned = 0 }) => ({
    lineId,
    quantity: (restock ? quantity : unshipped) - returned,
  }));
  await returnItems(ctx, order, items, ctx.caller.userId);
  return viewReturn(next, await finishChange(ctx, order, { row: next, mail: 'RETURN_RECEIVED' }), ctx.caller);
}
