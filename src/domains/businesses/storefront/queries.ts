import type { Db, Tx } from '../../../db/sql.ts';

type HostRow = { host: string; ownerId: string };

export const listHosts = (db: Db) => db<HostRow[]>`select host, owner_id from storefront_hosts`;

export const listHostsAmong = (db: Db, hosts: readonly string[]) => db<HostRow[]>`
  select host, owner_id from storefront_hosts where host = any(${hosts as string[]})`;

/** Returns the owner of the host after the insert: another business may have it already. */
export async function insertHost(tx: Tx, host: string, ownerId: string, now: number): Promise<string> {
  const [row] = await tx<{ ownerId: string }[]>`
    insert into storefront_hosts (host, owner_id, proved_at) values (${host}, ${ownerId}, ${now})
    on conflict (host) do update set host = excluded.host returning owner_id`;
  return row!.ownerId;
}

/** Moves a host to a new owner if it still belongs to `from`. */
export async function moveHost(tx: Tx, host: string, from: string, to: string, now: number): Promise<boolean> {
  const rows = await tx`
    update storefront_hosts set owner_id = ${to}, proved_at = ${now} where host = ${host} and owner_id = ${from}
    returning host`;
  return rows.length > 0;
}

/** Releases the hosts of a business, except those in `kept`. */
export async function deleteHosts(tx: Tx, ownerId: string, kept: readonly string[]): Promise<void> {
  await tx`delete from storefront_hosts where owner_id = ${ownerId} and host <> all(${kept as string[]})`;
}
