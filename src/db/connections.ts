/** All database connections of a process. `DATABASE_POOL` is their total. */
import { unavailable } from '../shared/errors.ts';
import { createListener } from './listener.ts';
import { createPipeline } from './pipeline.ts';
import { type ConnectionTarget, createPool } from './pool.ts';
import { createSharedConnections } from './shared-connections.ts';
import { createSnapshots } from './snapshots.ts';

/**
 * One connection listens, one or two are shared by quick statements, and up to three are for exports, which can take
 * minutes. All other requests and jobs share the rest. Behind a pooler in transaction mode, pipelines get direct
 * connections of their own. Each part has at least one, so the minimum total is 4 (5 behind a pooler).
 */
export function divideConnections(total: number, isPooled = false) {
  const listener = 1;
  const shared = total < 8 ? 1 : 2;
  const exports = Math.min(Math.max(Math.floor(total / 5), 1), 3);
  const pipelines = isPooled ? Math.min(Math.max(Math.floor(total / 4), 1), 4) : 0;
  const pool = Math.max(total - listener - shared - exports - pipelines, 1);
  return { listener, shared, exports, pipelines, pool };
}

/** `direct`: the server itself, if `target` is a pooler in transaction mode. Connections are opened on first use. */
export function createConnections(target: ConnectionTarget, direct: ConnectionTarget, total: number) {
  const sizes = divideConnections(total, target.isPooled);
  const pool = createPool(target, { max: sizes.pool });
  const shared = createSharedConnections(target, { max: sizes.shared });
  const snapshots = createSnapshots(target, sizes.exports);
  const listener = createListener(direct);
  const pipelinePool = target.isPooled ? createPool(direct, { max: sizes.pipelines }) : pool;

  return {
    pool,
    quick: shared.db,
    snapshots,
    listener,
    pipeline: createPipeline(pipelinePool),
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
        ...[...new Set([pool, pipelinePool]), shared, snapshots].map((each) => each.end()),
      ]);
    },
  };
}
