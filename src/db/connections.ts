/** All database connections of a process. `DATABASE_POOL` is their total to each server, or to a pooler and the server behind it. */
import { unavailable } from '../shared/errors.ts';
import type { Logger } from '../shared/logger.ts';
import { type BusinessConnections, createNodes } from './cluster/index.ts';
import { readCluster } from './cluster/placement.ts';
import { createListener, joinListeners } from './listener.ts';
import { createPipeline } from './pipeline.ts';
import { type ConnectionTarget, createPool } from './pool.ts';
import { createReplica } from './replica.ts';
import { createSharedConnections } from './shared-connections.ts';
import { createSnapshots } from './snapshots.ts';

/**
 * One connection listens, one or two are shared by quick statements, and up to three are for exports, which can take
 * minutes. All other requests and jobs share the rest. Behind a pooler in transaction mode, pipelines get
 * separate, direct connections. Each part has at least one, so the minimum total is 4 (5 behind a pooler).
 */
export function divideConnections(total: number, isPooled = false) {
  const listener = 1;
  const shared = total < 8 ? 1 : 2;
  const exports = Math.min(Math.max(Math.floor(total / 5), 1), 3);
  const pipelines = isPooled ? Math.min(Math.max(Math.floor(total / 4), 1), 4) : 0;
  const pool = Math.max(total - listener - shared - exports - pipelines, 1);
  return { listener, shared, exports, pipelines, pool };
}

type WithReplica = { target: ConnectionTarget; log: Pick<Logger, 'info' | 'warn'> };

/**
 * Connections to the database and its read replica or, on a Citus cluster, to its nodes. Behind a pooler in transaction mode, all statements
 * go through it.
 */
export async function connect(
  target: ConnectionTarget,
  direct: ConnectionTarget,
  total: number,
  withReplica: WithReplica | null = null,
) {
  const main = createConnections(target, direct, total, withReplica);
  const cluster = target.isPooled && !withReplica ? null : await readCluster(main.pool);
  if (cluster && withReplica) {
    await main.end();
    throw new Error("DATABASE_REPLICA_URL can't be used with Citus: each node has its own write-ahead log.");
  }
  if (cluster === null) {
    const connections: BusinessConnections = main;
    return { ...main, warning: null, connectionsFor: () => connections };
  }
  const nodes = new Map(
    cluster.nodes.map((name) => {
      const node = targetOf(target, name);
      return [name, createConnections(node, node, total)];
    }),
  );
  const all = [main, ...nodes.values()];
  return {
    ...main,
    warning: isMissingPlanCache(cluster.version) ? NO_PLAN_CACHE : null,
    connectionsFor: createNodes(cluster, main, nodes),
    listener: joinListeners(all.map(({ listener }) => listener)),
    async end(): Promise<void> {
      await Promise.all(all.map((each) => each.end()));
    },
  };
}

/** `direct`: the server itself, if `target` is a pooler in transaction mode. Connections are opened on first use. */
export function createConnections(
  target: ConnectionTarget,
  direct: ConnectionTarget,
  total: number,
  withReplica: WithReplica | null = null,
) {
  const sizes = divideConnections(total, target.isPooled);
  // The replica is created after the pool, but before its first commit.
  const onCommit = withReplica ? (lsn: string) => replica!.onCommit(lsn) : undefined;
  const pool = createPool(target, { max: sizes.pool, onCommit });
  const shared = createSharedConnections(target, { max: sizes.shared });
  const replica =
    withReplica &&
    createReplica(withReplica.target, {
      primary: { db: pool.db, transaction: pool.transaction, quick: shared.db },
      max: sizes.pool,
      maxExports: sizes.exports,
      log: withReplica.log,
    });
  const snapshots = createSnapshots(target, sizes.exports, replica);
  const listener = createListener(direct);
  const pipelinePool = target.isPooled ? createPool(direct, { max: sizes.pipelines }) : pool;

  return {
    pool,
    quick: shared.db,
    snapshots,
    listener,
    pipeline: createPipeline(pipelinePool, onCommit),
    replica,
    /** Rejects unless every kind of connection that requests use works and the server accepts writes. */
    async probe(): Promise<void> {
      const [rows] = await Promise.all([
        shared.db<[{ readOnly: string }]>`select current_setting('transaction_read_only') as read_only`,
        ...[...new Set([pool, pipelinePool])].map((each) => each.probe()),
      ]);
      if (rows[0].readOnly === 'on') throw unavailable('The database is read-only.');
    },
    async end(): Promise<void> {
      await Promise.all([
        listener.stop(),
        ...[...new Set([pool, pipelinePool]), shared, snapshots, replica].map((each) => each?.end()),
      ]);
    },
  };
}

const NO_PLAN_CACHE =
  'This version of Citus replans every statement and uses more memory each time. Use 13.2.0, or a version after 14.0.1.';

/** Whether this version of Citus lacks the local plan cache. */
export function isMissingPlanCache(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const number = major * 10_000 + minor * 100 + patch;
  return number >= 130_201 && number <= 140_001;
}

/** The same database on another host. The parameters of a URL override its host. */
function targetOf(target: ConnectionTarget, node: string): ConnectionTarget {
  const at = node.lastIndexOf(':');
  const [host, port] = [node.slice(0, at), node.slice(at + 1)];
  if (!('url' in target)) return { ...target, host, port: Number(port) };
  const { url } = target;
  return { ...target, url: `${url}${url.includes('?') ? '&' : '?'}host=${encodeURIComponent(host)}&port=${port}` };
}
