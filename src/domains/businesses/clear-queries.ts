import type { Db, Tx } from '../../db/sql.ts';
import type { StoredConfigs } from './schemas.ts';

/** Hides the business and frees its slug. `configs`: the only settings to keep, which are needed to cancel payments. */
export async function markDeleted(tx: Tx, id: string, configs: StoredConfigs, now: number): Promise<void> {
  await tx`update businesses set deleted_at = ${now}, configs = ${tx.json(configs as never)} where id = ${id}`;
}

/** Lists all businesses marked as deleted, or only the one with this ID. */
export const listDeletedBusinesses = (db: Db, id: string | null) => db<
  { id: string; deletedAt: number; configs: StoredConfigs }[]
>`
  select id, deleted_at, configs from businesses
  where deleted_at is not null and (${id}::text is null or id = ${id}) order by deleted_at, id`;

/**
 * Lists all tables with a `business_id`. A referencing table comes before the referenced one, so that no deletion cascades
 * beyond its own batch.
 */
export const listTenantTables = (db: Db) => db<{ name: string }[]>`
  with recursive tenant as (
    select c.oid, c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'business_id' and not a.attisdropped
  ),
  depth as (
    select oid, name, 0 as depth from tenant
    union
    select t.oid, t.name, d.depth + 1 from depth d
    join pg_constraint f on f.contype = 'f' and f.confrelid = d.oid and f.conrelid <> d.oid
    join tenant t on t.oid = f.conrelid
  )
  select name from depth group by name order by max(depth) desc, name`;

/** Returns the number of deleted rows, 0 when none are left. */
export async function deleteTenantRows(tx: Tx, table: string, businessId: string, limit: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with deleted as (
      delete from ${tx(table)} where business_id = ${businessId} and ctid = any(array(
        select ctid from ${tx(table)} where business_id = ${businessId} limit ${limit}))
      returning 1
    )
    select count(*)::int as count from deleted`;
  return row!.count;
}

export async function deleteBusinessRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from businesses where id = ${id} and deleted_at is not null`;
}
