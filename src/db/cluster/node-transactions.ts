import type { Pool } from '../pool.ts';
import { createTx, type Tx } from '../sql.ts';

/** First statements of transactions known to need the coordinator. */
const MAX_STARTS = 1000;

class NeedsCoordinator extends Error {}

/**
 * Runs transactions on a node. A transaction that uses a table on the coordinator is rolled back and runs there instead, because the
 * coordinator reaches all tables, and two transactions on two servers would not see each other's changes. Transactions that start with the
 * same statement then don't try the node first.
 */
export function createNodeTransactions(coordinator: Pool, isCoordinatorStatement: (text: string) => boolean) {
  const coordinatorStarts = new Set<string>();

  return async function transactOnNode<T>(node: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
    let needsCoordinator = false;
    const refuse = (): never => {
      needsCoordinator = true;
      throw new NeedsCoordinator();
    };
    try {
      return await node.transaction(async (tx) => {
        let first: string | undefined;
        const result = await work(
          createTx(async (text, values) => {
            first ??= text;
            if (coordinatorStarts.has(first)) refuse();
            if (isCoordinatorStatement(text)) {
              if (coordinatorStarts.size < MAX_STARTS) coordinatorStarts.add(first);
              refuse();
            }
            return tx.text(text, values);
          }),
        );
        // `work` may have caught the error.
        return needsCoordinator ? refuse() : result;
      });
    } catch (error) {
      if (needsCoordinator) return coordinator.transaction(work);
      throw error;
    }
  };
}
