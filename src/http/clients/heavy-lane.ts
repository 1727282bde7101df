/**
 * Shares the CPU time of the main thread. Light requests start at once, however many there are. An owner whose requests are heavy, such
 * as a business that saves megabytes, shares one lane with all other such owners: one request at a time, in turns, with pauses as long
 * as the work. So others wait for at most one heavy request, and half of the CPU time stays theirs. While no one else uses the process,
 * nothing waits.
 */
import { rateLimited } from '../../shared/errors.ts';

/** The share of the CPU time that doesn't count, and how much an owner can use at once beyond it. */
const FREE_SHARE = 0.25;
const BURST_MS = 1000;
/** Bounds how long an owner stays slow afterward. */
const MAX_DEBT_MS = 5000;
/** Mean CPU time from which requests count as heavy. */
const HEAVY_MS = 25;
/** How far back use by others counts. */
const RECENT_MS = 1000;
const MAX_WAITING = 50;
/** A request that mostly waits gives up the lane after this time. */
const MAX_LANE_MS = 2000;
/** Beyond this, the owner that has sent nothing for longest is forgotten. */
const MAX_OWNERS = 20_000;

type LaneRequest = { usedMs: number };
type Start = (error?: Error) => void;
type Owner = {
  readonly key: string;
  debtMs: number;
  /** When the debt was computed. */
  atMs: number;
  /** CPU time of its last requests. */
  meanMs: number;
  waiting: { start: Start; request: LaneRequest }[];
};

type Clock = { now: () => number; after: (ms: number, run: () => void) => void };
const REAL: Clock = { now: () => performance.now(), after: (ms, run) => void setTimeout(run, ms).unref() };

export function createHeavyLane({ now, after }: Clock = REAL) {
  /** The one that sent a request last is at the end. */
  const owners = new Map<string, Owner>();
  /** The two owners that used the CPU last. */
  let recent: { key: string; atMs: number }[] = [];
  const waiting = new Set<Owner>();
  let inLane: LaneRequest | null = null;
  let isPaused = false;

  function settle(owner: Owner): number {
    const nowMs = now();
    owner.debtMs = Math.max(0, owner.debtMs - (nowMs - owner.atMs) * FREE_SHARE);
    owner.atMs = nowMs;
    return owner.debtMs;
  }

  function ownerOf(key: string): Owner {
    const owner = owners.get(key) ?? { key, debtMs: 0, atMs: now(), meanMs: 0, waiting: [] };
    owners.delete(key);
    owners.set(key, owner);
    if (owners.size > MAX_OWNERS) owners.delete(owners.keys().next().value!);
    return owner;
  }

  const isHeavy = (owner: Owner) =>
    owner.meanMs > HEAVY_MS &&
    settle(owner) > BURST_MS &&
    recent.some(({ key, atMs }) => key !== owner.key && now() - atMs < RECENT_MS);

  /** Starts the next waiting request, of the owner that waits longest for a turn. */
  function next(): void {
    const [owner] = waiting;
    if (!owner || inLane || isPaused) return;
    waiting.delete(owner);
    const { start, request } = owner.waiting.shift()!;
    if (owner.waiting.length > 0) waiting.add(owner);
    inLane = request;
    after(MAX_LANE_MS, () => leave(request));
    start();
  }

  function leave(request: LaneRequest): void {
    if (inLane !== request) return;
    inLane = null;
    isPaused = true;
    after(Math.min(request.usedMs, MAX_LANE_MS), () => {
      isPaused = false;
      next();
    });
  }

  return {
    ownerOf,
    charge(owner: Owner, ms: number): void {
      owner.debtMs = Math.min(settle(owner) + ms, MAX_DEBT_MS);
      if (recent[0]?.key === owner.key) recent[0].atMs = owner.atMs;
      else recent = [{ key: owner.key, atMs: owner.atMs }, ...recent.slice(0, 1)];
    },
    /** Calls `start` now, or later if the owner's requests are heavy; with an error if too many of them wait. */
    enter(owner: Owner, request: LaneRequest, start: Start): void {
      if (owner.waiting.length === 0 && !isHeavy(owner)) start();
      else if (owner.waiting.length >= MAX_WAITING) start(rateLimited(1));
      else {
        owner.waiting.push({ start, request });
        waiting.add(owner);
        next();
      }
    },
    end(owner: Owner, request: LaneRequest): void {
      owner.meanMs = owner.meanMs * 0.8 + request.usedMs * 0.2;
      leave(request);
      // The client disconnected before its turn.
      owner.waiting = owner.waiting.filter((each) => each.request !== request);
      if (owner.waiting.length === 0) waiting.delete(owner);
    },
  };
}

export type HeavyLane = ReturnType<typeof createHeavyLane>;
