import { countRows } from '../../../db/count.ts';
import type { Db, Statement, Tx } from '../../../db/sql.ts';
import { MAX_TOTAL, PAGE_BYTES } from '../../../shared/paging.ts';
import type { StatusEntry } from '../../../shared/records/status-schemas.ts';
import type { PromoCondition, PromoDiscount } from './schemas.ts';

export type PromoRow = {
  businessId: string;
  id: string;
  code: string;
  codeKey: string;
  doc: { discounts: PromoDiscount[]; conditions: PromoCondition[]; statuses: StatusEntry[] };
  status: string;
  maxUses: number | null;
  maxUsesPerUser: number | null;
  uses: number;
  version: number;
  createdAt: number;
  updatedAt: number;
};

const columns = (db: Db) =>
  db`business_id, id, code, code_key, doc, status, max_uses, max_uses_per_user, uses, version, created_at, updated_at`;

export async function insertPromo(tx: Tx, row: PromoRow): Promise<void> {
  await tx`insert into promo_codes ${tx({ ...row, doc: tx.json(row.doc as never) } as never)}`;
}

/** Updates everything except the number of uses, which orders change. */
export async function updatePromo(tx: Tx, row: PromoRow): Promise<void> {
  await tx`
    update promo_codes set code = ${row.code}, code_key = ${row.codeKey}, doc = ${tx.json(row.doc as never)},
      status = ${row.status}, max_uses = ${row.maxUses}, max_uses_per_user = ${row.maxUsesPerUser},
      version = ${row.version}, updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

export async function deletePromo(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from promo_uses where business_id = ${businessId} and promo_id = ${id}`;
  await tx`delete from promo_codes where business_id = ${businessId} and id = ${id}`;
}

export async function findPromo(db: Db, businessId: string, id: string): Promise<PromoRow | null> {
  const [row] = await db<PromoRow[]>`
    select ${columns(db)} from promo_codes where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockPromo(tx: Tx, businessId: string, id: string): Promise<PromoRow | null> {
  const [row] = await tx<PromoRow[]>`
    select ${columns(tx)} from promo_codes where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

export type UsablePromo = PromoRow & { usesByUser: number };

export async function findPromoByCode(
  db: Db,
  businessId: string,
  codeKey: string,
  userId: string,
): Promise<UsablePromo | null> {
  const [row] = await db<UsablePromo[]>`
    select ${columns(db)}, coalesce((
      select u.uses from promo_uses u
      where u.business_id = ${businessId} and u.promo_id = promo_codes.id and u.user_id = ${userId}
    ), 0) as uses_by_user
    from promo_codes where business_id = ${businessId} and code_key = ${codeKey}`;
  return row ?? null;
}

type ListOptions = {
  statuses: readonly string[] | undefined;
  prefix: string | undefined;
  after: readonly [createdAt: number, id: string] | null;
  limit: number;
};

/** Newest first. Ends with the code that exceeds the byte limit of a page: later documents are not read. */
export const listPromos = (db: Db, businessId: string, options: ListOptions) => db<(PromoRow & { docBytes: number })[]>`
  select ${columns(db)}, doc_bytes from (
    select newest.*, sum(doc_bytes) over (order by created_at desc, id desc) - doc_bytes as bytes_before
    from (${newestPromos(db, businessId, options)}) newest
  ) listed
  where bytes_before <= ${PAGE_BYTES}
  order by created_at desc, id desc`;

const newestPromos = (db: Db, businessId: string, { statuses, prefix, after, limit }: ListOptions) => db`
  select ${columns(db)}, doc_bytes from promo_codes
  where business_id = ${businessId}
    ${statuses === undefined ? db`` : db`and status = any(${statuses as string[]})`}
    ${prefix === undefined ? db`` : db`and starts_with(code_key, ${prefix})`}
    ${after === null ? db`` : db`and (created_at, id) < (${after[0]}, ${after[1]})`}
  order by created_at desc, id desc limit ${limit}`;

export const countPromos = (db: Db, businessId: string, filter: Pick<ListOptions, 'statuses' | 'prefix'>) =>
  countRows(db, newestPromos(db, businessId, { ...filter, after: null, limit: MAX_TOTAL }));

type Use = { businessId: string; promoId: string; userId: string };

/**
 * Counts one use for the code and for the user. Returns false if a limit is exceeded; the transaction must then be rolled back.
 * Concurrent uses are serialized by the code's row, so only one of them gets the last use.
 */
export async function usePromo(tx: Tx, use: Use): Promise<boolean> {
  const [code] = await tx<{ maxUsesPerUser: number | null }[]>`${countCodeUse(tx, use)} returning max_uses_per_user`;
  if (!code) return false;
  const [person] = await tx<{ uses: number }[]>`${countUserUse(tx, use)} returning uses`;
  return person!.uses <= (code.maxUsesPerUser ?? Number.POSITIVE_INFINITY);
}

/** The same for a pipelined transaction, which is aborted with PROMO_USED_UP if a limit is exceeded. */
export const usePromoOrAbort = (tx: Tx, use: Use): Statement<object[]>[] => [
  tx`
    with code as (${countCodeUse(tx, use)} returning id)
    select abort_transaction('PROMO_USED_UP', '') where not exists (select from code)`,
  countUserUse(tx, use),
  tx`
    select abort_transaction('PROMO_USED_UP', '')
    from promo_codes c join promo_uses p on p.business_id = c.business_id and p.promo_id = c.id
    where c.business_id = ${use.businessId} and c.id = ${use.promoId} and p.user_id = ${use.userId}
      and p.uses > c.max_uses_per_user`,
];

const countCodeUse = (tx: Tx, { businessId, promoId }: Use) => tx`
  update promo_codes set uses = uses + 1
  where business_id = ${businessId} and id = ${promoId} and (max_uses is null or uses < max_uses)`;

const countUserUse = (tx: Tx, { businessId, promoId, userId }: Use) => tx`
  insert into promo_uses as p (business_id, promo_id, user_id, uses) values (${businessId}, ${promoId}, ${userId}, 1)
  on conflict (business_id, promo_id, user_id) do update set uses = p.uses + 1`;

/** Counts uses of imported orders regardless of limits. Locks codes in ID order. */
export async function countImportedUses(
  tx: Tx,
  businessId: string,
  uses: readonly { code: string; userId: string }[],
): Promise<void> {
  if (uses.length === 0) return;
  const keys = uses.map(({ code }) => code.toLowerCase());
  const codes = await tx<{ id: string; codeKey: string }[]>`
    select id, code_key from promo_codes where business_id = ${businessId} and code_key = any(${keys}) order by id for update`;
  for (const { id, codeKey } of codes) {
    const users = uses.filter((_, i) => keys[i] === codeKey).map(({ userId }) => userId);
    await tx`update promo_codes set uses = uses + ${users.length} where business_id = ${businessId} and id = ${id}`;
    await tx`
      insert into promo_uses as p (business_id, promo_id, user_id, uses)
      select ${businessId}, ${id}, u.user_id, count(*) from unnest(${users}::text[]) as u (user_id) group by u.user_id order by 3
      on conflict (business_id, promo_id, user_id) do update set uses = p.uses + excluded.uses`;
  }
}

export async function returnPromo(tx: Tx, { businessId, promoId, userId }: Use): Promise<void> {
  await tx`
    with code as (
      update promo_codes set uses = uses - 1 where business_id = ${businessId} and id = ${promoId} and uses > 0
    )
    update promo_uses set uses = uses - 1
    where business_id = ${businessId} and promo_id = ${promoId} and user_id = ${userId} and uses > 0`;
}

/** In ID order, starting after an ID. */
export const listPromosForExport = (db: Db, businessId: string, after: string, limit: number) => db<PromoRow[]>`
  select ${columns(db)} from promo_codes where business_id = ${businessId} and id > ${after} order by id limit ${limit}`;
