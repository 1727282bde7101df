import type { Db, Tx } from '../../../db/sql.ts';

export async function listRunBusinesses(db: Db, businessIds: readonly string[], emails: readonly string[]) {
  const rows = await db<{ businessId: string }[]>`
    select distinct business_id from automation_runs
    where business_id = any(${businessIds as string[]}) and email_key = any(${emails as string[]})`;
  return rows.map((row) => row.businessId);
}

/** Each with the emails that the automation sent. */
export const listRunsOf = (db: Db, businessId: string, emails: readonly string[]) => db<object[]>`
  select r.automation_id, a.name, r.email, r.status, r.reason, r.entered_at, r.updated_at, array(
      select jsonb_build_object('entryId', s.entry_id, 'status', d.status, 'updatedAt', d.updated_at)
      from sends s join deliveries d on d.business_id = ${businessId} and d.send_id = s.id and d.subscription_id = r.subscription_id
      where s.business_id = ${businessId} and s.id = any(r.send_ids) order by s.id
    ) as emails
  from automation_runs r join automations a on a.business_id = r.business_id and a.id = r.automation_id
  where r.business_id = ${businessId} and r.email_key = any(${emails as string[]})
  order by r.entered_at, r.automation_id, r.occurrence`;

/** Deletes the runs, and the names and addresses in their deliveries. Returns the number of runs. */
export async function eraseRunsOf(tx: Tx, businessId: string, emails: readonly string[]): Promise<number> {
  await tx`
    update deliveries d set email = '', name = '', error = null
    from automation_runs r
    where r.business_id = ${businessId} and r.email_key = any(${emails as string[]})
      and d.business_id = ${businessId} and d.send_id = any(r.send_ids) and d.subscription_id = r.subscription_id`;
  const rows = await tx`
    delete from automation_runs where business_id = ${businessId} and email_key = any(${emails as string[]}) returning 1`;
  return rows.length;
}
