import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createBound } from '../../shared/bound.ts';
import { forbidden, unavailable } from '../../shared/errors.ts';
import { type Caller, may, type Permission, userSubject } from '../../shared/security/caller.ts';
import { createSemaphore } from '../../shared/semaphore.ts';
import type { Steps } from './context.ts';
import { eventId, eventJson, likePatterns, positionOf } from './event.ts';
import { findHead, listEvents } from './queries.ts';
import type { StreamQuery } from './schemas.ts';
import { eventsSubject } from './sequencer.ts';

const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 15 * 60_000;
/** Per process. Each stream uses a timer and a socket. */
const MAX_STREAMS = 2000;
const MAX_PER_BUSINESS = 200;
/** Enough for all open browser tabs of a user. */
const MAX_PER_ACCOUNT = 25;
const PAGE = 50;
/** Maximum number of streams that read at once. The others wait, so that hundreds of streams leave connections for other requests. */
const MAX_READING = 4;

/** The events that callers without ADMIN may read, by permission. */
export const READABLE_BY: [Permission, string[]][] = [
  ['ORDER_READ', ['order.*', 'shipment.*', 'bank_statement.*']],
  ['ORDER_WRITE', ['order.*', 'shipment.*', 'bank_statement.*']],
  ['CATALOG_WRITE', ['product.*', 'inventory.*', 'stock_alert.*', 'category.*', 'redirect.*']],
  ['CONTENT_READ', ['entry.*', 'collection.*']],
  ['CONTENT_WRITE', ['entry.*', 'collection.*']],
  ['NEWSLETTER_SEND', ['newsletter.*', 'automation.*']],
  ['SUBSCRIBER_READ', ['subscription.*', 'segment.*', 'suppression.*']],
  ['CUSTOMER_READ', ['customer.*']],
  ['PROMO_WRITE', ['promo_code.*']],
  ['MEDIA_WRITE', ['media.*']],
];

const streams = createBound({
  max: MAX_STREAMS,
  maxPer: { business: MAX_PER_BUSINESS, account: MAX_PER_ACCOUNT },
  fairBy: 'account',
});
const reading = createSemaphore({
  max: MAX_READING,
  maxWaiting: MAX_STREAMS,
  maxWaitMs: Number.POSITIVE_INFINITY,
});

type StreamInput = StreamQuery & {
  ending: AbortController;
  /** Reads the caller again. Throws if the session or key has ended. */
  recheck: () => Promise<Caller>;
};

/**
 * Streams events as server-sent events. Reads a page from the database when there are new events and the client has consumed the
 * previous page, so a slow client uses at most one page of memory.
 */
export async function openStream(ctx: Steps, { after, types, ending, recheck }: StreamInput): Promise<Readable> {
  const readable = readableTypes(ctx, types);
  const isAllowed = async (): Promise<boolean> => {
    const current = await recheck()
      .then((caller) => readableTypes({ caller, businessId }, types))
      .catch(() => []);
    return isDeepStrictEqual(current, readable);
  };
  const { db, businessId, caller } = ctx;
  const given = after === undefined ? null : positionOf(businessId, after);
  const leave = streams.enter({ business: businessId, account: caller.userId }, () => ending.abort());
  if (!leave) throw unavailable('Too many open streams. Close one or try again later.');
  // A client that disconnects leaves immediately, even while this waits for the database.
  ending.signal.addEventListener('abort', leave, { once: true });
  const start = await (given ??
    reading
      .run(async () => (ending.signal.aborted ? 0 : findHead(db, businessId)))
      .catch((error) => {
        ending.abort();
        throw error;
      }));
  const stream = Readable.from(frames(ctx, { types: likePatterns(readable), start, isAllowed }, ending.signal), {
    objectMode: false,
  });
  // A client that does not read never reaches the time check in `frames`.
  const timeout = setTimeout(() => ending.abort(), MAX_AGE_MS + 2 * HEARTBEAT_MS);
  ending.signal.addEventListener('abort', () => stream.destroy());
  stream.once('close', () => {
    clearTimeout(timeout);
    ending.abort();
  });
  return stream;
}

/** The requested types that the caller may read. */
function readableTypes(
  { caller, businessId }: Pick<Steps, 'caller' | 'businessId'>,
  requested: string[] = ['*'],
): string[] {
  if (may(caller, businessId, 'ADMIN')) return requested;
  const allowed = READABLE_BY.flatMap(([permission, types]) => (may(caller, businessId, permission) ? types : []));
  if (allowed.length === 0) throw forbidden('This requires permission to read events in this business.');
  const types = requested.flatMap((type) => {
    if (type === '*') return allowed;
    return allowed.some((each) => type.startsWith(each.slice(0, -1))) ? [type] : [];
  });
  if (types.length === 0) throw forbidden("You don't have permission to read any of these event types.");
  return types;
}

type Frames = {
  types: string[];
  start: number;
  /** Whether the caller may still read these types. False also when it may read more: the client reconnects. */
  isAllowed: () => Promise<boolean>;
};

async function* frames(ctx: Steps, { types, start, isAllowed }: Frames, signal: AbortSignal) {
  const { db, businessId, events } = ctx;
  const notifier = createNotifier(ctx, signal);
  const endsAt = performance.now() + MAX_AGE_MS;
  let position = start;
  // A client that reconnects before the first event continues here.
  yield `: connected\nid: ${eventId(businessId, start)}\n\n`;
  // Some rights end without a broadcast, for example when a session expires. So access is checked before each page, too.
  while (!signal.aborted && !notifier.isOver() && performance.now() < endsAt && (await isAllowed())) {
    const [head, rows] = await reading.run(
      async () =>
        [
          await findHead(db, businessId),
          await listEvents(db, businessId, { types, after: position, before: null, limit: PAGE }),
        ] as const,
    );
    for (const row of rows) {
      if (notifier.isOver()) return;
      yield `id: ${eventId(businessId, row.position)}\nevent: ${row.type}\ndata: ${eventJson(events, row)}\n\n`;
    }
    position = rows.at(-1)?.position ?? Math.max(position, head);
    if (rows.length === 0 && !(await notifier.within(HEARTBEAT_MS))) yield ': \n\n';
  }
}

/** Waits for new events. `isOver` is true once the permissions of the caller may have changed. */
function createNotifier({ broadcast, businessId, caller }: Steps, signal: AbortSignal) {
  let isOver = false;
  let isNotified = false;
  let notify = () => {};
  const unsubscribe = broadcast.subscribe((subject) => {
    if (subject === userSubject(caller.userId)) isOver = true;
    else if (subject !== eventsSubject(businessId)) return;
    isNotified = true;
    notify();
  });
  // Broadcasts may have been lost.
  const stopListening = broadcast.onReset(() => {
    isNotified = true;
    notify();
  });
  signal.addEventListener('abort', () => {
    unsubscribe();
    stopListening();
    notify();
  });
  return {
    isOver: () => isOver,
    async within(ms: number): Promise<boolean> {
      if (!isNotified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          notify = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const result = isNotified;
      isNotified = false;
      return result;
    },
  };
}
