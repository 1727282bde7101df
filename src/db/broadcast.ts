import { randomUUID } from 'node:crypto';
import type { Listener as Connection } from './listener.ts';
import type { Tx } from './sql.ts';

const CHANNEL = 'souk_changes';
const HEARTBEAT_MS = 400;
const STALE_MS = 900;
/** A transaction that published and then failed sends nothing: after this long its news are not waited for any more. */
const PENDING_MS = 30_000;

type Listener = (subject: string) => void;

/**
 * News between the processes on one database, for the caches they hold: a subject such as `user:usr_…` says "what you
 * remember of this may be wrong". It is published in the transaction that makes the change and arrives when that commits.
 *
 * The channel proves itself with a heartbeat through the whole path (to PostgreSQL and back to the listening connection). When a
 * heartbeat is late, `isLive` becomes false: caches must then be emptied and go unused, so that news lost in between cannot
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
  const pending = new Map<string, number[]>();
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
    if (from === self) removePending(subject);
    for (const listener of listeners) listener(subject);
  }

  function removePending(subject: string) {
    const moments = pending.get(subject);
    moments?.shift();
    if (moments?.length === 0) pending.delete(subject);
  }

  function dropOldPending() {
    const limit = performance.now() - PENDING_MS;
    for (const [subject, moments] of pending) if (moments.every((moment) => moment < limit)) pending.delete(subject);
  }

  function lose() {
    live = false;
    for (const reset of resets) reset();
  }

  function beat() {
    if (live && performance.now() - lastBeat > STALE_MS) lose();
    dropOldPending();
    connection.notify(CHANNEL, `beat:${self}`).catch(() => {});
  }

  return {
    async start(): Promise<void> {
      subscription = await connection.listen(CHANNEL, receive, lose);
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
    /** `forget` is called when news may have been lost, or the database has been another one: everything cached goes. */
    onReset(forget: () => void): void {
      resets.add(forget);
    },
    isPending: (subject: string) => pending.has(subject),
    /** Takes effect here at once, and everywhere when the transaction commits. */
    async publish(tx: Tx, subject: string): Promise<void> {
      pending.set(subject, [...(pending.get(subject) ?? []), performance.now()]);
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
      const isSure = broadcast.isLive() && generation === before && !broadcast.isPending(options.subjectOf(value));
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
