import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { type EventRow, eventId, likePatterns, positionOf, viewEvent } from './event.ts';
import { listAccountEvents, listEvents } from './queries.ts';
import type { AccountEvent, AuditEntry, Event, EventQuery } from './schemas.ts';

/** The events of a business. A client that continues after the last ID it received misses no event. */
export const readFeed = (ctx: Query, query: EventQuery): Promise<Page<Event>> =>
  readPage(ctx, query, (row) => viewEvent(ctx.events, row));

/** The audit log: who changed what, when and from where. An import is one entry, unless the query names a record. */
export async function readAudit(ctx: Query, query: EventQuery): Promise<Page<AuditEntry>> {
  const { people, pickDeclared } = ctx.events;
  const { items, cursor } = await readPage(ctx, query, pickDeclared, { withoutImported: query.entity === undefined });
  const { namesOf, filterUsersWithActivity } = people;
  const members = await filterUsersWithActivity(
    ctx,
    items.flatMap(({ entity }) => memberOf(entity) ?? []),
  );
  const actors = items.flatMap(({ actor }) => actor.userId ?? []);
  const names = await namesOf(ctx.db, [...actors, ...members]);
  const entries = items.map(({ businessId, position, type, entity, actor, address, data, changes, createdAt }) => ({
    id: eventId(businessId, position),
    type,
    entity,
    entityName: nameIn(data) ?? names.get(memberOf(entity) ?? '') ?? null,
    actor,
    actorName: names.get(actor.userId ?? '') ?? null,
    address: address || null,
    changes,
    createdAt,
  }));
  return { items: entries, cursor };
}

const MEMBER = 'member:';
const memberOf = (entity: string) => (entity.startsWith(MEMBER) ? entity.slice(MEMBER.length) : null);

/** The record's display name: its name, number, code or email, its file, URL or path. */
function nameIn(data: unknown): string | null {
  const { name, number, code, title, email, blocks, fileName, url, from } = (data ?? {}) as Record<string, unknown>;
  if (typeof number === 'number') return `#${number}`;
  const [text] = [name, title, code, firstText(blocks), number, email, fileName, url, from].filter(
    (each) => typeof each === 'string' && each !== '',
  );
  return (text as string | undefined) ?? null;
}

/** The first text of an entry, in any language. */
function firstText(blocks: unknown): string | null {
  const first = Array.isArray(blocks) ? blocks.find(({ type }) => type === 'TEXT')?.value : null;
  const text = typeof first === 'object' && first !== null ? Object.values(first)[0] : first;
  return typeof text === 'string' && !text.includes('<') ? text.slice(0, 200) : null;
}

async function readPage<Item>(
  ctx: Query,
  query: EventQuery,
  item: (row: EventRow) => Item,
  filter: { withoutImported?: boolean } = {},
) {
  const { replica, businessId, cursors } = ctx;
  const isFeed = query.after !== undefined;
  const scope = `events:${businessId}:${isFeed ? 'oldest' : 'newest'}`;
  const [position = null] = (cursors.decode(scope, query.cursor) ?? []) as number[];
  const limit = pageLimit(query.limit);
  const rows = await listEvents(replica, businessId, {
    types: query.types && likePatterns(query.types),
    entity: query.entity,
    actor: query.actor,
    from: query.from,
    to: query.to,
    after: isFeed ? (position ?? positionOf(businessId, query.after!)) : null,
    before: isFeed ? null : position,
    limit: limit + 1,
    ...filter,
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

/** Events of the caller's own account, newest first. */
export async function readAccountAudit(
  { db, caller, cursors, events }: Query,
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
    ({ address, ...row }) => ({ ...events.pickDeclared(row), address: address || null }),
  );
}
