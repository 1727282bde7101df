import type { Pool } from '../pool.ts';
import type { Db } from '../sql.ts';

/** The name of a node: `host:port`. */
export type NodeName = string;

type Found = NodeName | null;

/** Businesses whose node is remembered. */
const MAX_KNOWN = 100_000;
const MAX_AGE_MS = 60_000;

/**
 * The node of each business. A wrong node only costs time, because every node forwards statements to the node with the rows. So the map may
 * be stale: after the rebalancer has moved a business, its node is found within a minute.
 */
export function createPlacement(coordinator: Db, nowMs: () => number = () => performance.now()) {
  let known = new Map<string, Found | Promise<Found>>();
  let readAtMs = nowMs();

  function forget(): void {
    known = new Map();
    readAtMs = nowMs();
  }

  /** Concurrent callers share one read. */
  function read(businessId: string): Promise<Found> {
    const into = known;
    const found = findNode(coordinator, businessId).then(
      (node) => {
        into.set(businessId, node);
        return node;
      },
      (error) => {
        into.delete(businessId);
        throw error;
      },
    );
    if (into.size >= MAX_KNOWN) into.clear();
    into.set(businessId, found);
    return found;
  }

  return {
    /** Null if the coordinator has the rows. */
    nodeOf(businessId: string): Found | Promise<Found> {
      if (nowMs() - readAtMs > MAX_AGE_MS) forget();
      const found = known.get(businessId);
      return found === undefined ? read(businessId) : found;
    },
    forget,
  };
}

/** The subquery runs once. In the condition itself, Citus would compute the shard for each placement of the cluster, which takes 100 ms. */
async function findNode(coordinator: Db, businessId: string): Promise<Found> {
  const [found] = await coordinator<{ name: NodeName }[]>`
    select n.nodename || ':' || n.nodeport as name
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = (select get_shard_id_for_distribution_column('tasks', ${businessId}::text)) and n.groupid <> 0`;
  return found?.name ?? null;
}

export type ClusterInfo = { version: string; nodes: NodeName[]; isCoordinatorStatement: (text: string) => boolean };

/** The worker nodes, and which statements only the coordinator can run. Null if the database is not a cluster. */
export async function readCluster(coordinator: Pool): Promise<ClusterInfo | null> {
  const [citus] = await coordinator`select to_regclass('pg_dist_node') is not null as is_installed`;
  if (!citus!.isInstalled) return null;
  const [{ version }] = await coordinator<
    [{ version: string }]
  >`select substring(citus_version() from '[0-9.]+') as version`;
  const nodes = await coordinator<{ name: NodeName }[]>`
    select nodename || ':' || nodeport as name from pg_dist_node where isactive and groupid <> 0 and noderole = 'primary'`;
  const tables = await coordinator<{ name: string; isShared: boolean }[]>`
    select c.relname as name, p.logicalrelid is not null as is_shared
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'pg\_%'`;
  if (nodes.length === 0 || !tables.some(({ isShared }) => isShared)) return null;
  const local = tables.filter(({ isShared }) => !isShared).map(({ name }) => name);
  return { version, nodes: nodes.map(({ name }) => name), isCoordinatorStatement: coordinatorStatements(local) };
}

const MAX_TEXTS = 10_000;

/** Recognizes statements that use a table on the coordinator. */
export function coordinatorStatements(tables: readonly string[]): (text: string) => boolean {
  const names = tables.join('|');
  // At most 20,000 characters: a statement of the service. Each is matched once.
  const pattern = new RegExp(`\\b(?:from|join|into|update|using|only|table)\\s+"?(?:(?:${names})\\b|jobs\\.)`, 'i');
  // At most 20,000 characters: as above.
  const listed = new RegExp(`\\bfrom\\s[^;()]*,\\s*(?:${names})\\b`, 'i');
  const known = new Map<string, boolean>();
  return (text) => {
    let isMatch = known.get(text);
    if (isMatch === undefined) {
      isMatch = pattern.test(text) || listed.test(text);
      if (known.size >= MAX_TEXTS) known.clear();
      known.set(text, isMatch);
    }
    return isMatch;
  };
}
