import type { Db, Tx } from '../../../db/sql.ts';
import type { Interval } from './periods.ts';

export type Wanted = 'RENEW' | 'CANCEL' | 'END';

export type AgreementRow = {
  businessId: string;
  /** Of the payment that began it. */
  id: string;
  purpose: string;
  reference: string;
  provider: 'SANDBOX' | 'STRIPE';
  providerId: string;
  customerId: string | null;
  status: 'ACTIVE' | 'PAST_DUE' | 'ENDED';
  amount: number;
  currency: string;
  interval: Interval;
  periodEnd: number;
  wanted: Wanted;
  told: Wanted;
  dueAt: number | null;
  createdAt: number;
  updatedAt: number;
};

export type ChargeRow = {
  id: string;
  status: 'PAID' | 'FAILED';
  amount: number;
  currency: string;
  periodEnd: number;
  createdAt: number;
};

export async function insertAgreement(tx: Tx, row: AgreementRow): Promise<void> {
  await tx`insert into agreements ${tx(row)} on conflict do nothing`;
}

export async function findAgreement(db: Db, businessId: string, id: string): Promise<AgreementRow | null> {
  const [row] = await db<AgreementRow[]>`select * from agreements where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function findByProviderId(db: Db, businessId: string, providerId: string): Promise<AgreementRow | null> {
  const [row] = await db<AgreementRow[]>`
    select * from agreements where business_id = ${businessId} and provider_id = ${providerId}`;
  return row ?? null;
}

export async function lockAgreement(tx: Tx, businessId: string, id: string): Promise<AgreementRow | null> {
  const [row] = await tx<AgreementRow[]>`
    select * from agreements where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Those whose reference begins with one of these, newest first. */
export const listAgreementsFor = (db: Db, businessId: string, prefixes: readonly string[]) => db<AgreementRow[]>`
  select a.* from unnest(${prefixes as string[]}::text[]) as wanted (prefix)
  join agreements a on a.business_id = ${businessId} and a.reference like wanted.prefix || '%'
  order by a.id desc`;

export async function updateAgreement(tx: Tx, row: AgreementRow, nowSeconds: number): Promise<void> {
  await tx`
    update agreements set status = ${row.status}, customer_id = ${row.customerId}, period_end = ${row.periodEnd},
      wanted = ${row.wanted}, told = ${row.told}, due_at = ${row.dueAt}, updated_at = ${nowSeconds}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

/** They end at once: their job tells the provider. Without a job of their own, for batches. */
export async function updateEnding(tx: Tx, businessId: string, prefixes: readonly string[]): Promise<void> {
  await tx`
    update agreements a set wanted = 'END', due_at = 0
    from unnest(${prefixes as string[]}::text[]) as gone (prefix)
    where a.business_id = ${businessId} and a.reference like gone.prefix || '%' and a.status <> 'ENDED'`;
}

/** Of all businesses, the longest due first. */
export const listDue = (db: Db, nowSeconds: number, limit: number) => db<{ businessId: string; id: string }[]>`
  select business_id, id from agreements where due_at <= ${nowSeconds} order by due_at limit ${limit}`;

/** False: somebody else has taken it meanwhile. Others come to it after `untilSeconds`. */
export async function claimDue(
  tx: Tx,
  { businessId, id }: { businessId: string; id: string },
  nowSeconds: number,
  untilSeconds: number,
): Promise<boolean> {
  const rows = await tx`update agreements set due_at = ${untilSeconds}
    where business_id = ${businessId} and id = ${id} and due_at <= ${nowSeconds} returning 1`;
  return rows.length > 0;
}

type NewCharge = ChargeRow & { businessId: string; agreementId: string };

/** False: it counted before. One that had failed may still be paid. */
export async function insertCharge(tx: Tx, { status, ...charge }: NewCharge): Promise<boolean> {
  const row = { ...charge, status, updatedAt: charge.createdAt };
  const rows = await tx`
    insert into agreement_charges as c ${tx(row)}
    on conflict (business_id, agreement_id, id) do update
      set status = 'PAID', amount = excluded.amount, period_end = excluded.period_end, updated_at = excluded.updated_at
      where c.status = 'FAILED' and excluded.status = 'PAID'
    returning 1`;
  return rows.length > 0;
}

/** A period that began after `periodEnd` could not be charged. */
export async function hasFailedAfter(tx: Tx, { businessId, id }: AgreementRow, periodEnd: number): Promise<boolean> {
  const rows = await tx`
    select from agreement_charges
    where business_id = ${businessId} and agreement_id = ${id} and status = 'FAILED' and period_end > ${periodEnd} limit 1`;
  return rows.length > 0;
}

/** Newest first. */
export const listCharges = (db: Db, businessId: string, agreementId: string, limit: number) => db<ChargeRow[]>`
  select id, status, amount, currency, period_end, created_at from agreement_charges
  where business_id = ${businessId} and agreement_id = ${agreementId}
  order by created_at desc, id desc limit ${limit}`;
