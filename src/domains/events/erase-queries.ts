import type { Tx } from '../../db/sql.ts';

const ERASED = '{"erased":true}';

export async function updateOutboxErased(tx: Tx, businessId: string, entities: readonly string[]): Promise<void> {
  await tx`update event_outbox set data = ${ERASED}, changes = null, address = ''
    where business_id = ${businessId} and entity = any(${entities as string[]})`;
}

export const updateErased = (tx: Tx, businessId: string, entities: readonly string[]) => tx<{ position: number }[]>`
  update events set data = ${ERASED}, changes = null, address = ''
  where business_id = ${businessId} and entity = any(${entities as string[]})
  returning position`;

/** Erases events that are not numbered yet. */
export async function updateOutboxMentions(tx: Tx, businessId: string, emails: readonly string[]): Promise<void> {
  await tx`update event_outbox set data = ${ERASED}, changes = null, address = ''
    where business_id = ${businessId} and exists (
      select from unnest(${emails as string[]}::text[]) as mentioned (email)
      where strpos(lower(data::text), email) > 0 or strpos(lower(changes::text), email) > 0)`;
}

type Range = { emails: readonly string[]; actorId: string | null; after: number; until: number };

/** Erases all data of events that mention an email. Other events of the person only lose their IP address. */
export const updateErasedMentions = (tx: Tx, businessId: string, { emails, actorId, after, until }: Range) => tx<
  { position: number }[]
>`
  update events e set
    data = case when found.mentions then ${ERASED}::jsonb else data end,
    changes = case when found.mentions then null else changes end,
    address = ''
  from (
    select position, exists (
      select from unnest(${emails as string[]}::text[]) as mentioned (email)
      where strpos(lower(data::text), email) > 0 or strpos(lower(changes::text), email) > 0) as mentions
    from events where business_id = ${businessId} and position > ${after} and position <= ${until}
  ) found
  where e.business_id = ${businessId} and e.position = found.position and (found.mentions or e.actor_id = ${actorId})
  returning e.position`;
