import type { Db, Tx } from '../../../db/sql.ts';
import { isSuppressed } from '../suppressions/queries.ts';
import type { AutomationKey, AutomationRow } from './queries.ts';
import type { Step } from './steps.ts';

type Schedule = { timeZone: string; hour: number };

const today = (db: Db, timeZone: string, nowSeconds: number) =>
  db`(to_timestamp(${nowSeconds}::bigint) at time zone ${timeZone}::text)::date`;

/** Schedules the next scan: today at `hour` or, if that has passed, tomorrow. */
export async function scheduleScan(
  tx: Tx,
  { businessId, id }: AutomationKey,
  { timeZone, hour }: Schedule,
  nowSeconds: number,
): Promise<void> {
  const at = (day: string) => tx`
    extract(epoch from (${tx(day)} + make_interval(hours => ${hour}::int)) at time zone ${timeZone}::text)::bigint`;
  // Citus does not support time zone conversions in an UPDATE.
  const [next] = await tx<{ day: string; at: number }[]>`
    select day::text, ${at('day')} as at
    from (
      select case when ${at('today')} > ${nowSeconds}::bigint then today else today + 1 end as day
      from (select ${today(tx, timeZone, nowSeconds)} as today) t
    ) d`;
  await tx`
    update automations set scan_day = ${next!.day}::date, scan_at = ${next!.at}
    where business_id = ${businessId} and id = ${id}`;
}

export async function clearScan(tx: Tx, { businessId, id }: AutomationKey): Promise<void> {
  await tx`update automations set scan_day = null, scan_at = null where business_id = ${businessId} and id = ${id}`;
}

/**
 * Enrolls the active subscribers whose date has been reached since the last check, up to a week ago. February 29 counts as February 28 in
 * other years. Returns how many entered.
 */
export async function insertDateRuns(
  tx: Tx,
  { businessId, id, collectionId, trigger }: AutomationRow,
  first: Step,
  timeZone: string,
  nowSeconds: number,
): Promise<number> {
  const { field = '', repeat, daysBefore = 0 } = trigger;
  const isYearly = repeat !== 'ONCE';
  const rows = await tx`
    with days as (
      select d::date + ${daysBefore}::int as day
      from automations a, generate_series(greatest(a.scan_day, ${today(tx, timeZone, nowSeconds)} - 6)::timestamp,
        ${today(tx, timeZone, nowSeconds)}::timestamp, interval '1 day') d
      where a.business_id = ${businessId} and a.id = ${id}
    ), wanted as (
      select to_char(day, ${isYearly ? 'MM-DD' : 'YYYY-MM-DD'}) as text, ${isYearly ? tx`to_char(day, 'YYYY')` : tx`''`} as occurrence
      from days
      union all
      select '02-29', to_char(day, 'YYYY') from days
      where ${isYearly} and to_char(day, 'MM-DD') = '02-28' and to_char(day + 1, 'MM-DD') = '03-01'
    )
    insert into automation_runs (business_id, automation_id, subscription_id, occurrence, email, email_key, step_id, due_at,
      entered_at, updated_at)
    select distinct on (s.id) ${businessId}, ${id}, s.id, w.occurrence, s.email, s.email_key, ${first.id},
      ${nowSeconds + first.delaySeconds}::bigint, ${nowSeconds}::bigint, ${nowSeconds}::bigint
    from subscriptions s join wanted w on w.text = ${
      isYearly
        ? tx`substring(s.fields ->> ${field}::text from '^(?:[0-9]{4}-)?([0-9]{2}-[0-9]{2})$')`
        : tx`s.fields ->> ${field}::text`
    }
    where s.business_id = ${businessId} and s.collection_id = ${collectionId} and s.status = 'ACTIVE'
      and not ${isSuppressed(tx, 's')}
    order by s.id
    on conflict do nothing returning 1`;
  return rows.length;
}
