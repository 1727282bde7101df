/**
 * A read replica: a physical standby that serves reads that no decision depends on. Before each read it is asked, in the same packet,
 * whether it has replayed the write-ahead log up to a position: the last write of the client, or of everyone a second ago. The read sees
 * at least that. If the replica is behind, busy or unavailable, the primary serves the read instead.
 */
import pg from 'pg';
import type { Logger } from '../shared/logger.ts';
import { beginOf, type Client, type ConnectionTarget } from './client.ts';
import { isConnectionLost, isFull, isTimeout } from './errors.ts';
import { createPool, type Pool, type Reserved } from './pool.ts';
import { createPositions, laterOf, type Position } from './positions.ts';
import { send } from './send.ts';
import { createDb, type Db } from './sql.ts';

/** A replica that doesn't report its position within this time is unavailable. */
const RESPONSE_MS = 1000;
/** How long an unavailable replica is skipped. Then one read tries it again. */
const RETRY_MS = 5000;

const IDENTITY = "concat_ws('/', system_identifier, timeline, current_database(), current_schema())";

/** On the primary. */
const READ_POSITION = `
  select lsn::text as lsn, ${IDENTITY} as server
  from (select pg_current_wal_insert_lsn() as lsn) w
  cross join lateral (select ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline) t
  cross join pg_control_system()`;

/**
 * On the replica. After a promotion, a replica of the old primary may have replayed more than the new primary has, but different changes,
 * so the timeline must match too. Vacuum on the primary cancels long reads, unless the replica reports them (`hot_standby_feedback`).
 */
const CHECK = `
  select pg_is_in_recovery() and ${IDENTITY} = $2 as is_standby, pg_last_wal_replay_lsn() >= $1::pg_lsn as is_fresh,
    current_setting('hot_standby_feedback') = 'on' as allows_long_reads
  from (select timeline_id as timeline from pg_control_checkpoint()) t cross join pg_control_system()`;

type State = { isStandby: boolean; isFresh: boolean | null; allowsLongReads: boolean };

/** The position that the client has seen, or null. */
export type Seen = string | null;

type ReplicaOptions = {
  primary: Pick<Pool, 'db' | 'transaction'> & { quick: Db };
  /** Connections for lists and for exports. */
  max: number;
  maxExports: number;
  log: Pick<Logger, 'info' | 'warn'>;
  nowMs?: () => number;
};

type Connections = { pool: Pool; max: number; inUse: number };
type Opened = Pick<Reserved, 'client' | 'release'> & { check(): Promise<State> };

export type Replica = ReturnType<typeof createReplica>;

export function createReplica(target: ConnectionTarget, options: ReplicaOptions) {
  const { primary, max, maxExports, log, nowMs = () => performance.now() } = options;
  const positions = createPositions(async () => (await primary.quick.text<[Position]>(READ_POSITION))[0], nowMs);
  // Each transaction sets its own time limits, so it makes no difference whether there is a pooler.
  const server = { ...target, isPooled: true };
  const connections = (name: string, size: number): Connections => ({
    pool: createPool(server, { max: size, applicationName: name }),
    max: size,
    inUse: 0,
  });
  const lists = connections('souk-replica', max);
  const exports = connections('souk-replica-snapshots', maxExports);
  const reads = { replica: 0, primary: 0 };
  /** When to try the replica again. Null while it is available. */
  let retryAtMs: number | null = null;

  /** While the replica is unavailable, one read at a time tries it. */
  function isAvailable(): boolean {
    if (retryAtMs === null) return true;
    if (nowMs() < retryAtMs) return false;
    retryAtMs = nowMs() + RETRY_MS;
    return true;
  }

  function noteFailure(error: unknown): null {
    if (retryAtMs === null) log.warn({ err: error }, 'The read replica is unavailable, falling back to the primary');
    retryAtMs = nowMs() + RETRY_MS;
    return null;
  }

  function noteState({ isStandby }: State): void {
    if (!isStandby) return void noteFailure(new Error('The server is not a standby of the primary.'));
    if (retryAtMs !== null) log.info({}, 'The read replica is available again');
    retryAtMs = null;
  }

  /** Takes a connection to the replica. Null if the primary has to serve the read. */
  async function open(from: Connections, seen: Seen): Promise<Opened | null> {
    const position = positions.recent();
    if (!position || from.inUse >= from.max || !isAvailable()) return null;
    const lsn = seen === null ? position.lsn : laterOf(seen, position.lsn);
    const deadline = createDeadline();
    const leave = () => {
      deadline.end();
      from.inUse--;
    };
    from.inUse++;
    try {
      const { client, release } = await deadline.open(from.pool);
      return {
        client,
        async check() {
          const [state] = (await send(client, CHECK, [lsn, position.server])) as [State];
          deadline.end();
          noteState(state);
          return state;
        },
        release(isBroken) {
          leave();
          release(isBroken);
        },
      };
    } catch (error) {
      leave();
      return noteFailure(error);
    }
  }

  /**
   * Null if the primary has to serve the read. Throws if the primary would fail in the same way. Releases the connection unless `read` returns it.
   */
  async function attempt<T>(from: Connections, seen: Seen, read: (opened: Opened) => Promise<T | null>) {
    const opened = await open(from, seen);
    if (!opened) return null;
    try {
      const result = await read(opened);
      if (result !== opened) opened.release();
      return result;
    } catch (error) {
      opened.release(isConnectionLost(error));
      if (isConnectionLost(error) || isFull(error)) return noteFailure(error);
      if (error instanceof pg.DatabaseError && !isTimeout(error)) return null;
      throw error;
    }
  }

  function counted<T>(result: T | null): T | null {
    reads[result === null ? 'primary' : 'replica']++;
    return result;
  }

  return {
    onCommit: positions.note,
    /** A position after all commits of this process so far. */
    latest: positions.latest,
    /** The number of reads that each server has served. */
    reads,
    db: (seen: Seen): Db =>
      createDb(async (text, values) => {
        const rows = await attempt(lists, seen, async ({ client, check }) => {
          client.corkUntil(process.nextTick);
          const begin = client.query(beginOf(client));
          const [, state, rows] = await settled([begin, check(), send(client, text, values), client.query('commit')]);
          return isUsable(state) ? rows : null;
        });
        return counted(rows) ?? primary.db.text<object[]>(text, values).execute();
      }),
    poolFor: (seen: Seen) => ({
      /** If the replica fails, `work` runs again on the primary. */
      async transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
        const done = await attempt(lists, seen, async ({ client, check }) => {
          client.corkUntil(process.nextTick);
          try {
            const [, state] = await settled([client.query(beginOf(client)), check()]);
            if (!isUsable(state)) return null;
            return { result: await work(createDb((text, values) => send(client, text, values, false))) };
          } finally {
            await client.query('rollback');
          }
        });
        return counted(done) ? done!.result : primary.transaction(work);
      },
    }),
    /** A connection for an export, or null. A snapshot taken on it now is recent enough. */
    async reserve(seen: Seen): Promise<Reserved | null> {
      const opened = await attempt<Opened>(exports, seen, async (opened) => {
        const state = await opened.check();
        return isUsable(state) && state.allowsLongReads ? opened : null;
      });
      if (!counted(opened)) return null;
      return Object.assign(
        createDb((text, values) => send(opened!.client, text, values, false)),
        opened,
      );
    },
    async end(): Promise<void> {
      await Promise.all([lists, exports].map(({ pool }) => pool.end()));
    },
  };
}

const isUsable = ({ isStandby, isFresh }: State) => isStandby && isFresh === true;

/** The time limit for a replica to report its position, including the time to connect. */
function createDeadline() {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});
  let client: Client | null = null;
  const timer = setTimeout(() => {
    const error = new Error('Connection terminated: the replica is not responding');
    reject(error);
    client?.socket.destroy(error);
  }, RESPONSE_MS);
  return {
    async open(pool: Pool): Promise<Reserved> {
      const opening = pool.reserve();
      try {
        const reserved = await Promise.race([opening, late]);
        client = reserved.client;
        return reserved;
      } catch (error) {
        opening.then(
          ({ release }) => release(),
          () => {},
        );
        throw error;
      }
    },
    end: () => clearTimeout(timer),
  };
}

type Results<Sent extends readonly unknown[]> = { [Key in keyof Sent]: Awaited<Sent[Key]> };

/** Waits for all, then returns the results. Throws the error of a lost connection if there is one, otherwise the first error. */
async function settled<Sent extends readonly unknown[]>(sent: readonly [...Sent]): Promise<Results<Sent>> {
  const outcomes = await Promise.allSettled(sent);
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find(isConnectionLost) ?? errors[0];
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Results<Sent>;
}
