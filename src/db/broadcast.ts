import { randomUUID } from 'node:crypto';
import type { DatabaseClock } from './clock.ts';
import type { Listener as Connection } from './listener.ts';
import type { Tx } from './sql.ts';

const CHANNEL = 'souk_changes';
const HEARTBEAT_MS = 400;
const STALE_MS = 900;
/** A transaction that publishes and then rolls back sends no notification, so stop waiting for it after this time. */
const PENDING_MS = 30_000;

type Listener = (subject: string) => void;

/**
 * Cache invalidation between the processes on one database (all nodes of a cluster): a subject such as `user:usr_…` means "your cached values for this may be
 * stale". It is published in the transaction that makes the change and delivered when that commits.
 *
 * A heartbeat through the whole path (to PostgreSQL and back to the listening connection) proves that the channel works. If a heartbeat
 * is late, `isLive` becomes false: caches are cleared and bypassed, so that lost notifications can't leave anything stale for longer
 * than a second.
 *
 * The heartbeat also corrects the clock of the process.
 *
 * The publishing process does not wait for its own notification. Until it comes back, the process caches nothing for that subject, so
 * that callers always read their own writes.
 */
export function createBroadcast(connection: Connection, clock?: Pick<DatabaseClock, 'observe'>) {
  const self = randomUUID();
  const listeners = new Set<Listener>();
  const resets = new Set<() => void>();
  /** Subjects published here whose notification has not come back yet, and when they were published. */
  const pending = new Map<string, number[]>();
  /** When each server last returned a heartbeat. */
  const beats = Array.from({ length: connection.servers }, () => Number.NEGATIVE_INFINITY);
  let live = false;
  let timer: NodeJS.Timeout | undefined;
  let subscription: { unlisten(): Promise<void> } | undefined;

  const isOnTime = () => performance.now() - Math.min(...beats) <= STALE_MS;

  function receive(payload: string, server: number) {
    if (payload.startsWith('beat:')) {
      if (payload === `beat:${self}`) {
        beats[server] = performance.now();
        live ||= isOnTime();
      }
      return;
    }
    const [from, ...rest] = payload.split('|');
    const subject = rest.join('|');
    if (from === self) removePending(subject);
    for (const listener of listeners) listener(subject);
  }

  function removePending(subject: string) {
    const times = pending.get(subject);
    times?.shift();
    if (times?.length === 0) pending.delete(subject);
  }

  function dropOldPending() {
    const limit = performance.now() - PENDING_MS;
    for (const [subject, times] of pending) if (times.every((time) => time < limit)) pending.delete(subject);
  }

  function lose() {
    live = false;
    beats.fill(Number.NEGATIVE_INFINITY);
    for (const reset of resets) reset();
  }

  function beat() {
    if (live && !isOnTime()) lose();
    dropOldPending();
    const sentAt = performance.now();
    connection.notify(CHANNEL, `beat:${self}`).then(
      (databaseMs) => clock?.observe(databaseMs, sentAt),
      () => {},
    );
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
    /** False while notifications may be lost: don't use caches. A blocked event loop counts as lost too. */
    isLive: () => live && isOnTime(),
    /** Returns a function that unsubscribes. */
    subscribe(onNews: Listener): () => void {
      listeners.add(onNews);
      return () => void listeners.delete(onNews);
    },
    /** Calls `forget` when notifications may have been lost or the database was replaced: clear all caches. Returns a function that unsubscribes. */
    onReset(forget: () => void): () => void {
      resets.add(forget);
      return () => void resets.delete(forget);
    },
    isPending: (subject: string) => pending.has(subject),
    /** Takes effect in this process immediately, and in others when the transaction commits. */
    async publish(tx: Tx, subject: string): Promise<void> {
      pending.set(subject, [...(pending.get(subject) ?? []), performance.now()]);
      for (const listener of listeners) listener(subject);
      await tx`select pg_notify(${CHANNEL}, ${`${self}|${subject}`})`;
    },
  };
}

export type Broadcast = ReturnType<typeof createBroadcast>;

export type Cache<V> = ReturnType<typeof createCache<V>>;

/**
 * A cache of rows that other processes may change. It returns values only while the broadcast is live, and never
 * stores a value whose read started before a notification about it arrived.
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

  /** Call this before reading. The returned function stores the value, unless a notification arrived in between. */
  function beginReading(): (key: string, value: V) => void {
    const before = generation;
    return (key, value) => {
      const isCurrent = broadcast.isLive() && generation === before && !broadcast.isPending(options.subjectOf(value));
      if (isCurrent) store(key, value);
    };
  }

  return {
    /** The cached value without a read; undefined if there is none or it can't be trusted. */
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
