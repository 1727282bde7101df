import type { Db, Tx } from '../../../db/sql.ts';
import type { Interval } from './periods.ts';

/** CANCEL ends the agreement at the end of the current period, END ends it immediately. */
export type RequestedState = 'RENEW' | 'CANCEL' | 'END';

export type AgreementRow = {
  businessId: string;
  /** The ID of its first payment. */
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
  /** The requested state. */
  wanted: RequestedState;
  /** The state last sent to the provider. */
  lastSent: RequestedState;
  dueAt: number | null;
  createdAt: number;
  updatedAt: number;
};

type ChargeRow = {
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
  const [row] = await db<AgreementRow[]>`
    select * from agreements where business_id = ${businessId} and id = ${id}`;
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

/** Agreements whose reference starts with one of the prefixes, newest first. */
export const listAgreementsFor = (db: Db, businessId: string, prefixes: readonly string[]) => db<AgreementRow[]>`
  select a.* from unnest(${prefixes as string[]}::text[]) as requested (prefix)
  join agreements a on a.business_id = ${businessId} and a.reference like requested.prefix || '%'
  order by a.id desc`;

/** The references of agreements whose last period is over, but whose end the provider has not reported yet. */
export async function listLapsed(db: Db, businessId: string, nowSeconds: number): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from agreements
    where business_id = ${businessId} and status <> 'ENDED' and wanted <> 'RENEW' and period_end <= ${nowSeconds}`;
  return rows.map(({ reference }) => reference);
}

export async function updateAgreement(tx: Tx, row: AgreementRow, nowSeconds: number): Promise<void> {
  await tx`
    update agreements set status = ${row.status}, customer_id = ${row.customerId}, period_end = ${row.periodEnd},
      wanted = ${row.wanted}, last_sent = ${row.lastSent}, due_at = ${row.dueAt}, updated_at = ${nowSeconds}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

/** Requests that agreements end immediately. They become due, so that a worker ends them at the provider. */
export async function updateEnding(tx: Tx, businessId: string, prefixes: readonly string[]): Promise<void> {
  await tx`
    update agreements a set wanted = 'END', due_at = 0
    from unnest(${prefixes as string[]}::text[]) as ended (prefix)
    where a.business_id = ${businessId} and a.reference like ended.prefix || '%' and a.status <> 'ENDED'`;
}

type NewCharge = ChargeRow & { businessId: string; agreementId: string };

/** Returns false if the charge was already counted. A failed charge may still be paid. */
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

/** Whether charging a period after `periodEnd` has failed. */
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
