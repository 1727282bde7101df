import { Readable } from 'node:stream';
import { createBound } from '../../shared/bound.ts';
import { may, type Permission, userSubject } from '../../shared/caller.ts';
import { forbidden, unavailable } from '../../shared/errors.ts';
import type { Steps } from './context.ts';
import { eventId, eventJson, likePatterns, positionOf } from './event.ts';
import { findHead, listEvents } from './queries.ts';
import type { StreamQuery } from './schemas.ts';
import { eventsSubject } from './sequencer.ts';

const HEARTBEAT_MS = 15_000;
const LIFE_MS = 15 * 60_000;
/** In this process. Each costs a timer and a socket. */
const MAX_STREAMS = 500;
/** More than anybody has tabs. */
const MAX_OF_CALLER = 50;
const PAGE = 50;

/** Who may follow which events without being ADMIN. */
const READERS: [Permission, string[]][] = [
  ['ORDER_READ', ['order.*']],
  ['ORDER_WRITE', ['order.*']],
  ['CATALOG_WRITE', ['product.*', 'inventory.*']],
  ['CONTENT_READ', ['entry.*', 'collection.*']],
  ['CONTENT_WRITE', ['entry.*', 'collection.*']],
  ['NEWSLETTER_SEND', ['newsletter.*']],
  ['SUBSCRIBER_READ', ['subscription.*']],
  ['CUSTOMER_READ', ['customer.*']],
  ['PROMO_WRITE', ['promo_code.*']],
  ['MEDIA_WRITE', ['media.*']],
];

const streams = createBound({ inAll: MAX_STREAMS, ofOwner: MAX_OF_CALLER });

/**
 * Events as server-sent events. A page is read from the database when there is news and the client has taken the former page:
 * a client that does not read costs one page of memory, and no more time than any other.
 */
export async function openStream(
  ctx: Steps,
  { after, types, ending }: StreamQuery & { ending: AbortController },
): Promise<Readable> {
  const patterns = likePatterns(readable(ctx, types));
  const position = after === undefined ? await findHead(ctx.db, ctx.businessId) : positionOf(ctx.businessId, after);
  const leave = streams.enter(ctx.caller.userId);
  if (!leave) throw unavailable('Too many streams are open. Close one, or try again soon.');
  const stream = Readable.from(frames(ctx, patterns, position, ending.signal), { objectMode: false });
  // A client that does not read never gets to the end of its time.
  const life = setTimeout(() => ending.abort(), LIFE_MS + 2 * HEARTBEAT_MS);
  ending.signal.addEventListener('abort', () => stream.destroy());
  stream.once('close', () => {
    clearTimeout(life);
    leave();
    ending.abort();
  });
  return stream;
}

/** The types that the caller asked for and may read. */
function readable({ caller, businessId }: Steps, asked: string[] = ['*']): string[] {
  if (may(caller, businessId, 'ADMIN')) return asked;
  const allowed = READERS.flatMap(([permission, types]) => (may(caller, businessId, permission) ? types : []));
  if (allowed.length === 0) throw forbidden('This needs a permission to read in this business.');
  const types = asked.flatMap((type) => {
    if (type === '*') return allowed;
    return allowed.some((each) => type.startsWith(each.slice(0, -1))) ? [type] : [];
  });
  if (types.length === 0) throw forbidden('None of these events may be read with your permissions.');
  return types;
}

async function* frames(ctx: Steps, types: string[], start: number, signal: AbortSignal) {
  const { db, businessId } = ctx;
  const news = createNews(ctx, signal);
  const endsAt = performance.now() + LIFE_MS;
  let position = start;
  yield ': connected\n\n';
  while (!signal.aborted && !news.isOver() && performance.now() < endsAt) {
    const head = await findHead(db, businessId);
    const rows = await listEvents(db, businessId, { types, after: position, before: null, limit: PAGE });
    for (const row of rows) {
      yield `id: ${eventId(businessId, row.position)}\nevent: ${row.type}\ndata: ${eventJson(row)}\n\n`;
    }
    position = rows.at(-1)?.position ?? Math.max(position, head);
    if (rows.length === 0 && !(await news.within(HEARTBEAT_MS))) yield ': \n\n';
  }
}

/** Tells when there are new events. It is over when the rights of the caller may have changed. */
function createNews({ broadcast, businessId, caller }: Steps, signal: AbortSignal) {
  let isOver = false;
  let hasNews = false;
  let tell = () => {};
  const unsubscribe = broadcast.subscribe((subject) => {
    if (subject === userSubject(caller.userId)) isOver = true;
    else if (subject !== eventsSubject(businessId)) return;
    hasNews = true;
    tell();
  });
  signal.addEventListener('abort', () => {
    unsubscribe();
    tell();
  });
  return {
    isOver: () => isOver,
    async within(ms: number): Promise<boolean> {
      if (!hasNews && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          tell = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const had = hasNews;
      hasNews = false;
      return had;
    },
  };
}
