import { randomUUID } from 'node:crypto';
import type { Listener as Connection } from './listener.ts';
import type { Tx } from './sql.ts';

const CHANNEL = 'souk_changes';
const HEARTBEAT_MS = 400;
const STALE_MS = 900;
/** A transaction that published and then failed sends nothing: after this long it is not waited for any more. */
const UNSETTLED_MS = 30_000;

type Listener = (subject: string) => void;

/**
 * News between the processes on one database, for the caches they hold: a subject such as `user:usr_…` says "what you
 * remember of this may be wrong". It is published in the transaction that makes the change and arrives when that commits.
 *
 * The channel proves itself with a heartbeat through the whole path (to PostgreSQL and back to the listening connection). When a
 * heartbeat is late, `isLive` turns false: caches must then be emptied and go unused, so that news lost in between cannot
 * leave anything stale for longer than a second.
 *
 * The process that publishes does not wait for its own news: from then on until they come back it remembers nothing of that
 * subject, so that a caller who has just changed something never meets the state before.
 */
export function createBroadcast(connection: Connection) {
  const self = randomUUID();
  const listeners = new Set<Listener>();
  const resets = new Set<() => void>();
  /** Subjects published here whose news have not come back yet, with the moments of publishing. */
  const unsettled = new Map<string, number[]>();
  let lastBeat = 0;
  let live = false;
  let timer: NodeJS.Timeout | undefined;
  let subscription: { unlisten(): Promise<void> } | undefined;

  function receive(payload: string) {
    if (payload.startsWith('beat:')) {
      if (payload === `beat:${self}`) {
        lastBeat = performance.now();
        live = true;
      }
      return;
    }
    const [from, ...rest] = payload.split('|');
    const subject = rest.join('|');
    if (from === self) settle(subject);
    for (const listener of listeners) listener(subject);
  }

  function settle(subject: string) {
    const moments = unsettled.get(subject);
    moments?.shift();
    if (moments?.length === 0) unsettled.delete(subject);
  }

  function giveUpOldOnes() {
    const limit = performance.now() - UNSETTLED_MS;
    for (const [subject, moments] of unsettled)
      if (moments.every((moment) => moment < limit)) unsettled.delete(subject);
  }

  function lose() {
    live = false;
    for (const reset of resets) reset();
  }

  function beat() {
    if (live && performance.now() - lastBeat > STALE_MS) lose();
    giveUpOldOnes();
    connection.notify(CHANNEL, `beat:${self}`).catch(() => {});
  }

  return {
    async start(): Promise<void> {
      const subscribed = await connection.listen(CHANNEL, receive, lose);
      subscription = subscribed;
      timer = setInterval(beat, HEARTBEAT_MS);
      timer.unref();
      beat();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      live = false;
      await subscription?.unlisten().catch(() => {});
    },
    /** False while news may be getting lost: do not answer from a cache. A blocked event loop counts as lost too. */
    isLive: () => live && performance.now() - lastBeat <= STALE_MS,
    /** Returns how to end it. */
    subscribe(onNews: Listener): () => void {
      listeners.add(onNews);
      return () => void listeners.delete(onNews);
    },
    /** Called when news may have been lost, or the database itself: forget everything. */
    onReset(forget: () => void): void {
      resets.add(forget);
    },
    isUnsettled: (subject: string) => unsettled.has(subject),
    /** Takes effect here at once, and everywhere when the transaction commits. */
    async publish(tx: Tx, subject: string): Promise<void> {
      unsettled.set(subject, [...(unsettled.get(subject) ?? []), performance.now()]);
      for (const listener of listeners) listener(subject);
      await tx`select pg_notify(${CHANNEL}, ${`${self}|${subject}`})`;
    },
  };
}

export type Broadcast = ReturnType<typeof createBroadcast>;

/**
 * A cache of rows that other processes may change. It answers only while the broadcast is live, and never keeps a value
 * whose reading began before news of it arrived.
 */
export function createCache<V>(broadcast: Broadcast, options: { subjectOf: (value: V) => string; maxEntries: number }) {
  const values = new Map<string, V>();
  const keysBySubject = new Map<string, Set<string>>();
  let generation = 0;

  function forget(key: string) {
    const value = values.get(key);
    if (value === undefined) return;
    values.delete(key);
    const subject = options.subjectOf(value);
    const keys = keysBySubject.get(subject);
    keys?.delete(key);
    if (keys?.size === 0) keysBySubject.delete(subject);
  }

  function clear() {
    generation++;
    values.clear();
    keysBySubject.clear();
  }

  broadcast.onReset(clear);
  broadcast.subscribe((subject) => {
    generation++;
    for (const key of [...(keysBySubject.get(subject) ?? [])]) forget(key);
  });

  function store(key: string, value: V) {
    forget(key);
    const oldest = values.size >= options.maxEntries ? values.keys().next().value : undefined;
    if (oldest !== undefined) forget(oldest);
    values.set(key, value);
    const subject = options.subjectOf(value);
    const keys = keysBySubject.get(subject);
    if (keys) keys.add(key);
    else keysBySubject.set(subject, new Set([key]));
  }

  /** Call it before reading; what it returns stores the value that was read, unless news arrived in between. */
  function beginReading(): (key: string, value: V) => void {
    const before = generation;
    return (key, value) => {
      const isSure = broadcast.isLive() && generation === before && !broadcast.isUnsettled(options.subjectOf(value));
      if (isSure) store(key, value);
    };
  }

  return {
    /** The cached value, without any reading: undefined when there is none that can be trusted now. */
    peek: (key: string): V | undefined => (broadcast.isLive() ? values.get(key) : undefined),
    async get(key: string, read: () => Promise<V | null>): Promise<V | null> {
      const known = broadcast.isLive() ? values.get(key) : undefined;
      if (known !== undefined) return known;
      const add = beginReading();
      const value = await read();
      if (value !== null) add(key, value);
      return value;
    },
    beginReading,
    forget,
  };
}

export type Cache<V> = ReturnType<typeof createCache<V>>;
