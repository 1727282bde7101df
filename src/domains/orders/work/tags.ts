import { isDeepStrictEqual } from 'node:util';
import { invalidField, notFound } from '../../../shared/errors.ts';
import type { Page } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import type { Command, Query } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import { type OrderRow, viewOrder } from '../order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import type { Order } from '../schemas.ts';
import { deleteTags, insertTags, listTags } from './queries.ts';
import { MAX_TAGS, type OrderTagsItem } from './schemas.ts';

/** Trimmed, without duplicates. */
export function tidyTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) {
    const trimmed = tag.trim();
    if (trimmed !== '' && !byKey.has(keyOf(trimmed))) byKey.set(keyOf(trimmed), trimmed);
  }
  return [...byKey.values()];
}

/** The rows of `order_tags`. */
export const tagRows = ({ id, doc }: Pick<OrderRow, 'id' | 'doc'>) =>
  (doc.tags ?? []).map((tag) => ({ orderId: id, key: keyOf(tag), tag }));

const keyOf = (tag: string) => tag.trim().toLowerCase();

/** Writes the tags of a locked order for search. */
export function replaceTags(ctx: Pick<Command, 'db' | 'issue'>, order: OrderRow): void {
  const { businessId, id } = order;
  const rows = tagRows(order);
  ctx.issue(deleteTags(ctx.db, businessId, id));
  if (rows.length > 0) ctx.issue(insertTags(ctx.db, businessId, rows));
}

/** For bulk requests. */
export async function changeTags(ctx: Command, { orderId, add = [], remove = [] }: OrderTagsItem): Promise<Order> {
  const order = await lockOrder(ctx.db, ctx.businessId, orderId);
  if (!order) throw notFound('Order');
  const { tags: before = [] } = order.doc;
  const removed = new Set(remove.map(keyOf));
  const tags = tidyTags([...before.filter((tag) => !removed.has(keyOf(tag))), ...add]);
  if (tags.length > MAX_TAGS) throw invalidField('add', 'TOO_LONG', `An order can have at most ${MAX_TAGS} tags.`);
  const isSame = isDeepStrictEqual(tags, before);
  const next = isSame ? order : updateOrderRow(ctx, { ...order, doc: { ...order.doc, tags } });
  if (!isSame) {
    replaceTags(ctx, next);
    emitChanges(ctx, order, next);
  }
  return { ...viewOrder(next, ctx.caller), etag: etagOf(next.version) };
}

/** The tags in use, for suggestions. */
export async function readTags({ replica, businessId }: Query): Promise<Page<{ tag: string }>> {
  return { items: await listTags(replica, businessId, 200), cursor: null };
}
