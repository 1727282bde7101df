import type { Db, Tx } from '../../../db/sql.ts';
import type { MailContent } from '../rendering/compose-mail.ts';
import type { Filter } from '../segments/filter.ts';
import { matches } from '../segments/match.ts';
import type { SubscriptionRow } from '../subscriptions/queries.ts';
import type { AutomationKey } from './queries.ts';

/** The ID is a hash of the content. */
export async function insertContent(
  tx: Tx,
  businessId: string,
  id: string,
  content: MailContent,
  nowSeconds: number,
): Promise<void> {
  await tx`
    insert into mail_contents (business_id, id, content, created_at)
    values (${businessId}, ${id}, ${tx.json(content as never)}, ${nowSeconds}) on conflict do nothing`;
}

/** Steps with at least `max` emails that are being sent or are waiting for their first attempt. */
export async function listBusySteps(
  db: Db,
  { businessId, id }: AutomationKey,
  max: number,
  nowSeconds: number,
): Promise<string[]> {
  const rows = await db<{ stepId: string }[]>`
    select s.step_id from sends s
    join delivery_batches b on b.business_id = ${businessId} and b.send_id = s.id and not b.done and b.due_at <= ${nowSeconds}
    where s.business_id = ${businessId} and s.automation_id = ${id} and s.open
    group by s.step_id having sum(b.size) >= ${max}`;
  return rows.map(({ stepId }) => stepId);
}

/** The subscriptions of people who match the filter. */
export async function listMatching(
  db: Db,
  businessId: string,
  ids: readonly string[],
  filter: Filter,
  nowSeconds: number,
): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select s.id from subscriptions s
    where s.business_id = ${businessId} and s.id = any(${ids as string[]}) and (${matches(db, 's', filter, nowSeconds)})`;
  return new Set(rows.map(({ id }) => id));
}

/** In ID order, which is the lock order. */
export const lockSubscriptions = (tx: Tx, businessId: string, ids: readonly string[]) => tx<SubscriptionRow[]>`
  select * from subscriptions where business_id = ${businessId} and id = any(${ids as string[]}) order by id for update`;

/** The subscriptions must be locked. */
export async function updateTags(
  tx: Tx,
  businessId: string,
  ids: readonly string[],
  { tag, isAdded }: { tag: string; isAdded: boolean },
  nowSeconds: number,
): Promise<void> {
  await tx`
    update subscriptions
    set tags = ${isAdded ? tx`array(select distinct t from unnest(array_append(tags, ${tag}::text)) t order by t)` : tx`array_remove(tags, ${tag}::text)`},
      version = version + 1, updated_at = ${nowSeconds}
    where business_id = ${businessId} and id = any(${ids as string[]})`;
}
