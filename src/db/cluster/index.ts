/**
 * A Citus cluster: the coordinator, which is the database of the connection URL, and worker nodes with the rows of businesses. Statements
 * of a business go directly to its node. Through the coordinator each would be planned twice, and the coordinator would take the
 * full load. Statements about accounts and jobs, and all work without a business, run on the coordinator.
 */

import { isConnectionLost } from '../errors.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Pool } from '../pool.ts';
import { retried } from '../retry.ts';
import { createDb, createTx, type Db, type Run } from '../sql.ts';
import { createNodeTransactions } from './node-transactions.ts';
import { type ClusterInfo, createPlacement, type NodeName } from './placement.ts';

/** The connections for the statements of one business. */
export type BusinessConnections = { pool: Pick<Pool, 'db' | 'transaction' | 'write'>; quick: Db; pipeline: Pipeline };

export type PoolOf = (businessId: string) => Pick<Pool, 'write'>;

type Server = BusinessConnections & { pool: Pool };

/** Businesses whose connections are cached. */
const MAX_CACHED = 10_000;

export function createNodes(cluster: ClusterInfo, coordinator: Server, servers: ReadonlyMap<NodeName, Server>) {
  const placement = createPlacement(coordinator.quick);
  const transactOnNode = createNodeTransactions(coordinator.pool, cluster.isCoordinatorStatement);
  const cached = new Map<string, BusinessConnections>();

  function connectionsOf(businessId: string): BusinessConnections {
    /** A node that can't be reached may have been replaced. */
    async function onServer<T>(use: (server: Server) => Promise<T>): Promise<T> {
      const server = servers.get((await placement.nodeOf(businessId)) ?? '') ?? coordinator;
      try {
        return await use(server);
      } catch (error) {
        if (server !== coordinator && isConnectionLost(error)) placement.forget();
        throw error;
      }
    }

    const route =
      (through: (server: Server) => Db): Run =>
      (text, values) =>
        cluster.isCoordinatorStatement(text)
          ? through(coordinator).text(text, values).execute()
          : onServer((server) => through(server).text(text, values).execute());
    const writer = createTx(route(({ pool }) => pool));
    return {
      pool: {
        db: createDb(route(({ pool }) => pool)),
        transaction: (work) =>
          onServer((server) =>
            server === coordinator ? coordinator.pool.transaction(work) : transactOnNode(server.pool, work),
          ),
        write: (statement) => retried(() => Promise.resolve(statement(writer))),
      },
      quick: createDb(route(({ quick }) => quick)),
      pipeline: (queue, statements) => onServer(({ pipeline }) => pipeline(queue, statements)),
    };
  }

  return (businessId: string): BusinessConnections => {
    if (businessId === '') return coordinator;
    let connections = cached.get(businessId);
    if (!connections) {
      if (cached.size >= MAX_CACHED) cached.clear();
      connections = connectionsOf(businessId);
      cached.set(businessId, connections);
    }
    return connections;
  };
}
