/** The team's notes about an order. Members who are mentioned for the first time get an email. */
import { isDeepStrictEqual } from 'node:util';
import { conflict, forbidden, invalid, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { oneLine } from '../../../shared/mail/template.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { may } from '../../../shared/security/caller.ts';
import { namesOf, type PermittedMember } from '../../accounts/index.ts';
import { businessLanguage, getBusiness, writeBusinessMail } from '../../businesses/index.ts';
import type { Command } from '../context.ts';
import { emitNote } from '../emit-order.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import { MAX_NOTES, type NoteInput, type OrderNote } from './schemas.ts';
import { findStaff } from './staff.ts';

type NotePath = { orderId: string; noteId: string };

export async function createNote(
  ctx: Command,
  { orderId, ...input }: NoteInput & { orderId: string },
): Promise<OrderNote> {
  const order = await lockOrder(ctx.db, ctx.businessId, orderId);
  if (!order) throw notFound('Order');
  const { notes = [] } = order.doc;
  if (notes.length >= MAX_NOTES) throw conflict(`An order can have at most ${MAX_NOTES} notes.`);
  const mentioned = await checkMentions(ctx, input.mentions ?? []);
  const note: OrderNote = {
    id: newId('note'),
    text: input.text,
    userId: ctx.caller.userId,
    mentions: mentioned.map(({ id }) => id),
    createdAt: ctx.now,
  };
  const written = updateOrderRow(ctx, { ...order, doc: { ...order.doc, notes: [...notes, note] } });
  emitNote(ctx, 'created', written, note);
  await mailMentioned(ctx, order, note, mentioned);
  return note;
}

export async function updateNote(
  ctx: Command,
  { orderId, noteId, ...input }: NoteInput & NotePath,
): Promise<OrderNote> {
  const { order, note } = await lockNote(ctx, { orderId, noteId });
  const mentioned = input.mentions ? await checkMentions(ctx, newMentions(input.mentions, note), input.mentions) : [];
  const mentions = input.mentions ? [...new Set(input.mentions)] : note.mentions;
  if (note.text === input.text && isDeepStrictEqual(mentions, note.mentions)) return note;
  const changed = { ...note, text: input.text, mentions, updatedAt: ctx.now };
  emitNote(ctx, 'updated', writeNote(ctx, order, noteId, changed), changed);
  await mailMentioned(ctx, order, changed, mentioned);
  return changed;
}

export async function deleteNote(ctx: Command, path: NotePath): Promise<typeof SUCCESS> {
  const { order, note } = await lockNote(ctx, path);
  emitNote(ctx, 'deleted', writeNote(ctx, order, path.noteId, null), note);
  return SUCCESS;
}

/** Authors and admins can change a note. */
async function lockNote(ctx: Command, { orderId, noteId }: NotePath): Promise<{ order: OrderRow; note: OrderNote }> {
  const { caller, businessId } = ctx;
  const order = await lockOrder(ctx.db, businessId, orderId);
  if (!order) throw notFound('Order');
  const note = order.doc.notes?.find(({ id }) => id === noteId);
  if (!note) throw notFound('Note');
  if (note.userId !== caller.userId && !may(caller, businessId, 'ADMIN'))
    throw forbidden('Only the author of a note or an admin can change it.');
  return { order, note };
}

function writeNote(ctx: Command, order: OrderRow, noteId: string, changed: OrderNote | null): OrderRow {
  const notes = order.doc.notes!.flatMap((note) => (note.id === noteId ? (changed ?? []) : note));
  return updateOrderRow(ctx, { ...order, doc: { ...order.doc, notes } });
}

const newMentions = (mentions: readonly string[], note: OrderNote) =>
  mentions.filter((userId) => !note.mentions.includes(userId));

/** `sent`: the list in the request, in which errors are reported. */
async function checkMentions(
  ctx: Command,
  userIds: readonly string[],
  sent: readonly string[] = userIds,
): Promise<PermittedMember[]> {
  const requested = [...new Set(userIds)];
  const members = requested.length === 0 ? [] : await findStaff(ctx, requested);
  const unknown = requested.filter((userId) => !members.some(({ id }) => id === userId));
  if (unknown.length === 0) return requested.map((userId) => members.find(({ id }) => id === userId)!);
  throw invalid(
    unknown.map((userId) => ({
      field: `mentions[${sent.indexOf(userId)}]`,
      error: 'NOT_FOUND',
      message: 'Only members who can see orders can be mentioned.',
    })),
  );
}

async function mailMentioned(
  ctx: Command,
  { id, number }: OrderRow,
  note: OrderNote,
  mentioned: readonly PermittedMember[],
): Promise<void> {
  const { caller, businessId } = ctx;
  const recipients = mentioned.flatMap((member) => (member.id !== caller.userId && member.email ? [member.email] : []));
  if (recipients.length === 0) return;
  const [business, names] = await Promise.all([getBusiness(ctx, businessId), namesOf(ctx.db, [caller.userId])]);
  const author = oneLine(names.get(caller.userId) || business.name);
  const mail = writeBusinessMail(business, {
    kind: 'STAFF_MENTION',
    language: businessLanguage(business),
    values: { author, 'order.number': String(number) },
    parts: [{ type: 'columns', columns: [{ title: author, lines: note.text.split(/\r?\n/) }] }],
    link: { url: `${ctx.publicUrl()}/admin/${businessId}/orders/${id}` },
    publicUrl: ctx.publicUrl(),
  });
  for (const to of recipients) await ctx.mail({ to, ...mail });
}
