/**
 * Distributes the tables of businesses across the nodes of a Citus cluster, with all rows of a business on one node. Tables that are
 * already distributed are skipped, so it is safe to run at any time. Later migrations distribute the tables that they create.
 *
 * - `businesses` is copied to every node.
 * - Every table with `business_id` is distributed by it, except tables that are joined with accounts.
 * - All other tables (users, sessions, keys, limits, jobs) stay on the coordinator.
 *
 * Tables that refer to each other are distributed in one transaction that drops and recreates their foreign keys, so an interrupted
 * run never loses one.
 */
import { type Client, type ConnectionTarget, LIMITS } from './client.ts';
import { withMigrationLock } from './migration-lock.ts';

/** Tables with `business_id` that stay on the coordinator: they are written and joined with users, which are global. */
export const LOCAL_TABLES: readonly string[] = [
  'members',
  'roles',
  'sso_connections',
  'sso_domains',
  'sso_identities',
  'scim_users',
  'scim_groups',
  'scim_members',
];

type Table = { name: string; isDistributed: boolean };
type Reference = { name: string; from: string; to: string; definition: string };

/** Returns one line per change. */
export const distribute = (target: ConnectionTarget): Promise<string[]> =>
  withMigrationLock(target, 'souk-distribute', async (client) => {
    await checkCluster(client);
    return [
      ...(await limitWaits(client)),
      ...(await orderByClock(client)),
      ...(await shareFunctions(client)),
      ...(await copyBusinesses(client)),
      ...(await logTables(client)),
      ...(await distributeTables(client)),
      ...(await removeOriginals(client)),
    ];
  });

async function checkCluster(client: Client): Promise<void> {
  const { rows } = await client.query("select from pg_extension where extname = 'citus'");
  if (rows.length === 0) throw new Error('This database does not have the citus extension. See docs/operate/citus.md.');
  const { rows: nodes } = await client.query('select groupid = 0 as "isCoordinator" from pg_dist_node where isactive');
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    throw new Error('The cluster has no coordinator. Run select citus_set_coordinator_host(HOST, PORT) first.');
  if (nodes.length === 1)
    throw new Error('The cluster has no worker node. Run select citus_add_node(HOST, PORT) first.');
}

/** Worker nodes don't get our session settings. Without this one, a statement there could wait for a lock forever. */
async function limitWaits(client: Client): Promise<string[]> {
  const setting = `lock_timeout=${LIMITS.lockMs}`;
  const { rows } = await client.query(
    `select quote_ident(current_user) as user, quote_ident(current_database()) as database,
       (select $1 = any(s.setconfig) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
        where s.setrole = current_user::regrole and d.datname = current_database()) as is_set`,
    [setting],
  );
  const [{ user, database, is_set: isSet }] = rows;
  if (isSet) return [];
  const change = `alter role ${user} in database ${database} set lock_timeout = ${LIMITS.lockMs}`;
  await client.query(change);
  await client.query('select run_command_on_workers($1)', [change]);
  return [`Set lock_timeout for ${user} to ${LIMITS.lockMs} ms on all nodes.`];
}

/** Columns that keep the order in which rows were written. On plain PostgreSQL, they are identity columns. */
const ORDERS = [
  ['event_outbox', 'inserted'],
  ['price_history', 'id'],
];

/**
 * Each node has its own range of an identity, and several nodes write to a business. The clock of a node never runs backward. Citus reads
 * the clock after it has released its lock, so two connections can get the same value: the process ID tells them apart.
 */
const CLUSTER_ORDER = `
create or replace function cluster_order() returns bigint language plpgsql volatile as $$
declare
  clock cluster_clock := citus_get_node_clock();
  counter bigint := (regexp_match(clock::text, '(\\d+)\\)'))[1];
begin
  return (cluster_clock_logical(clock) << 22) + (counter << 14) + (pg_backend_pid() % 256 << 6)
    + (select groupid % 64 from pg_dist_local_group);
end $$`;

/** Takes the values of `ORDERS` from the clock. */
async function orderByClock(client: Client): Promise<string[]> {
  const { rows } = await client.query<Table & { column: string }>(
    `select c.relname as name, a.attname as column, exists (select from pg_dist_partition p where p.logicalrelid = c.oid) as "isDistributed"
     from unnest($1::text[], $2::text[]) as o (name, "column")
       join pg_class c on c.relnamespace = 'public'::regnamespace and c.relname = o.name
       join pg_attribute a on a.attrelid = c.oid and a.attname = o.column and a.attidentity <> ''`,
    [ORDERS.map(([name]) => name), ORDERS.map(([, column]) => column)],
  );
  await client.query(CLUSTER_ORDER);
  for (const { name, column, isDistributed } of rows) {
    const change = `alter ${column} drop identity if exists, alter ${column} set default cluster_order()`;
    if (isDistributed) await changeOnNodes(client, name, change);
    else await client.query(`alter table ${name} ${change}`);
  }
  return rows.map(({ name }) => `Changed table ${name} to take its row numbers from the cluster clock.`);
}

/** Distributes functions that were created before the database became a cluster. */
async function shareFunctions(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
       and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`,
  );
  for (const { name } of rows) await client.query('select create_distributed_function($1)', [name]);
  return rows.map(({ name }) => `Copied function ${name} to all nodes.`);
}

async function copyBusinesses(client: Client): Promise<string[]> {
  const { rows } = await client.query("select from pg_dist_partition where logicalrelid = 'businesses'::regclass");
  if (rows.length > 0) return [];
  await client.query("select create_reference_table('businesses')");
  return ['Copied table businesses to all nodes.'];
}

/** Citus moves tables to another node with logical replication, which skips unlogged tables, so the move fails. */
async function logTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, exists (select from pg_dist_partition p where p.logicalrelid = c.oid) as "isDistributed"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'u' and c.relname <> all($1) order by 1`,
    [LOCAL_TABLES],
  );
  for (const { name, isDistributed } of rows) {
    if (!isDistributed) await client.query(`alter table ${name} set logged`);
    else await changeOnNodes(client, name, 'set logged');
  }
  return rows.map(({ name }) => `Changed table ${name} from unlogged to logged.`);
}

/** Applies a change to a distributed table on each node, because Citus does not propagate it. */
async function changeOnNodes(client: Client, name: string, change: string): Promise<void> {
  const { rows } = await client.query<{ result: string }>(
    `select result from (
       select success, result from run_command_on_placements($1, $2)
       union all select success, result from run_command_on_all_nodes($3)) done
     where not success`,
    [
      name,
      `alter table %s ${change}`,
      `do $do$ begin set local citus.enable_ddl_propagation = off; alter table ${name} ${change}; end $do$`,
    ],
  );
  if (rows[0]) throw new Error(rows[0].result);
}

async function distributeTables(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name, exists (select from pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod = 'h') as "isDistributed"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1) order by 1`,
    [LOCAL_TABLES],
  );
  const { rows: references } = await client.query<Reference>(
    `select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
       pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`,
  );
  let together = tables.find(({ isDistributed }) => isDistributed)?.name ?? 'none';
  const done: string[] = [];
  for (const group of groupsOf(tables, references)) {
    const names = group.filter(({ isDistributed }) => !isDistributed).map(({ name }) => name);
    if (names.length === 0) continue;
    await inTransaction(client, async () => {
      const open = references.filter(({ from, to }) => names.includes(from) || names.includes(to));
      for (const { from, name } of open) await client.query(`alter table ${from} drop constraint ${name}`);
      for (const name of names) {
        await dropTriggers(client, name);
        await client.query(`select create_distributed_table('${name}', 'business_id', colocate_with => '${together}')`);
        if (together === 'none') together = name;
      }
      for (const { from, name, definition } of open)
        await client.query(`alter table ${from} add constraint ${name} ${definition}`);
    });
    done.push(...names.map((name) => `Distributed table ${name} by business.`));
  }
  return done;
}

/** When Citus copies the rows of a table to the nodes, it keeps the originals on the coordinator, where no statement can see them. */
async function removeOriginals(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select logicalrelid::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0 order by 1',
  );
  for (const { name } of rows) await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
  return rows.map(({ name }) => `Removed the original rows of table ${name} from the coordinator.`);
}

/** Citus has no triggers on distributed tables. Ours only serve the previous version during an upgrade. */
async function dropTriggers(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal',
    [table],
  );
  for (const { name } of rows) await client.query(`drop trigger ${name} on ${table}`);
}

/** Distributes a table that a migration has just created, if the database is a cluster with distributed tables. */
export async function distributeNew(client: Client, name: string): Promise<void> {
  const { rows: citus } = await client.query("select from pg_extension where extname = 'citus'");
  if (citus.length === 0 || LOCAL_TABLES.includes(name)) return;
  const { rows } = await client.query<{ together: string }>(
    `select d.logicalrelid::text as together
     from pg_attribute a, (select logicalrelid from pg_dist_partition where partmethod = 'h' limit 1) d
     where a.attrelid = $1::regclass and a.attname = 'business_id'`,
    [name],
  );
  if (!rows[0]) return;
  await client.query(`alter table ${name} set logged`);
  await client.query(
    `select create_distributed_table('${name}', 'business_id', colocate_with => '${rows[0].together}')`,
  );
}

/** Does what `orderByClock` does for tables that an earlier version distributed. */
export async function orderDistributed(client: Client): Promise<void> {
  const { rows } = await client.query("select from pg_extension where extname = 'citus'");
  if (rows.length === 0) return;
  const { rows: distributed } = await client.query("select from pg_dist_partition where partmethod = 'h' limit 1");
  if (distributed.length > 0) await orderByClock(client);
}

/** Groups tables that refer to each other. */
function groupsOf(tables: Table[], references: Reference[]): Table[][] {
  const groups = new Map(tables.map((table) => [table.name, new Set([table])]));
  for (const { from, to } of references) {
    const [one, other] = [groups.get(from), groups.get(to)];
    if (!one || !other || one === other) continue;
    for (const table of other) {
      one.add(table);
      groups.set(table.name, one);
    }
  }
  return [...new Set(groups.values())].map((group) => [...group]);
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin; set local citus.multi_shard_modify_mode = 'sequential'");
  await work();
  await client.query('commit');
}
