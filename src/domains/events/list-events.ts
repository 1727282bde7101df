import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { type EventRow, eventId, eventJson, likePatterns, positionOf } from './event.ts';
import { listAccountEvents, listEvents } from './queries.ts';
import type { AccountEvent, AuditEntry, EventQuery } from './schemas.ts';

/** What a business has to tell, each event as JSON. A reader that goes on from the last id it saw misses nothing. */
export const readFeed = (ctx: Query, query: EventQuery): Promise<Page<Buffer>> =>
  readPage(ctx, query, (row) => Buffer.from(eventJson(row)));

/** The same as people read it: who changed what when, and from where. */
export async function readAudit(ctx: Query, query: EventQuery): Promise<Page<AuditEntry>> {
  const { items, cursor } = await readPage(ctx, query, (row) => row);
  const actors = items.map((row) => JSON.parse(row.actor) as AuditEntry['actor']);
  const names = await ctx.events.namesOf(
    ctx.db,
    actors.flatMap(({ userId }) => userId ?? []),
  );
  const entries = items.map(({ businessId, position, type, entity, address, changes, createdAt }, i) => ({
    ...{
      id: eventId(businessId, position),
      type,
      entity,
      actor: actors[i]!,
      actorName: names.get(actors[i]!.userId ?? '') ?? null,
    },
    ...{ address: address || null, changes: changes === null ? null : JSON.parse(changes), createdAt },
  }));
  return { items: entries, cursor };
}

async function readPage<Item>(ctx: Query, query: EventQuery, item: (row: EventRow) => Item) {
  const { db, businessId, cursors } = ctx;
  const isFeed = query.after !== undefined;
  const scope = `events:${businessId}:${isFeed ? 'oldest' : 'newest'}`;
  const [position = null] = (cursors.decode(scope, query.cursor) ?? []) as number[];
  const limit = pageLimit(query.limit);
  const rows = await listEvents(db, businessId, {
    types: query.types && likePatterns(query.types),
    entity: query.entity,
    actor: query.actor,
    from: query.from,
    to: query.to,
    after: isFeed ? (position ?? positionOf(businessId, query.after!)) : null,
    before: isFeed ? null : position,
    limit: limit + 1,
  });
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.position],
    item,
    (row) => row.bytes,
  );
}

/** What happened to the caller's own account, newest first. */
export async function readAccountAudit(
  { db, caller, cursors }: Query,
  query: { limit?: number; cursor?: string },
): Promise<Page<AccountEvent>> {
  const scope = `account-events:${caller.userId}`;
  const limit = pageLimit(query.limit);
  const [before = null] = (cursors.decode(scope, query.cursor) ?? []) as string[];
  const rows = await listAccountEvents(db, caller.userId, before, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    ({ id }) => [id],
    ({ actor, data, address, ...row }) => ({
      ...{ ...row, actor: JSON.parse(actor), data: JSON.parse(data), address: address || null },
    }),
  );
}
