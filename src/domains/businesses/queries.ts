import type { Db, Tx } from '../../db/connection.ts';
import type { Permission } from '../../shared/caller.ts';
import type { StoredConfigs } from './schemas.ts';

export type BusinessRow = {
  id: string;
  name: string;
  slug: string;
  configs: StoredConfigs;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export async function findBusiness(db: Db, id: string): Promise<BusinessRow | null> {
  const [row] = await db<BusinessRow[]>`
    select id, name, slug, configs, version, created_at, updated_at from businesses where id = ${id}`;
  return row ?? null;
}

export async function insertBusiness(tx: Tx, row: BusinessRow): Promise<void> {
  await tx`insert into businesses ${tx({ ...row, configs: tx.json(row.configs as never) } as never)}`;
}

type NewRole = { businessId: string; id: string; name: string; permissions: Permission[]; createdAt: number };

export async function insertRole(tx: Tx, role: NewRole): Promise<void> {
  await tx`insert into roles (business_id, id, name, permissions, created_at, updated_at)
    values (${role.businessId}, ${role.id}, ${role.name}, ${role.permissions}, ${role.createdAt}, ${role.createdAt})`;
}

export async function insertMember(tx: Tx, businessId: string, userId: string, roleId: string): Promise<void> {
  await tx`insert into members (business_id, user_id, role_id) values (${businessId}, ${userId}, ${roleId})
    on conflict do nothing`;
}
