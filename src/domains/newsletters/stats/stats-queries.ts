import type { Db } from '../../../db/sql.ts';
import type { Template } from '../../../shared/mail/template.ts';
import type { SendKey } from '../sends/send-queries.ts';

export type PeopleRow = {
  /** -1 outside the test group. */
  variant: number;
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
  opened: number;
  clicked: number;
};

export const countPeople = (db: Db, { businessId, id }: SendKey) => db<PeopleRow[]>`
  select coalesce(variant, -1) as variant, count(*) filter (where status = 'SENT')::int as sent,
    count(*) filter (where status = 'SENT' and feedback is distinct from 'BOUNCED')::int as delivered,
    count(*) filter (where feedback = 'BOUNCED')::int as bounced,
    count(*) filter (where feedback = 'COMPLAINED')::int as complained, count(left_at)::int as unsubscribed,
    count(opened_at)::int as opened, count(clicked_at)::int as clicked
  from deliveries where business_id = ${businessId} and send_id = ${id}
  group by 1`;

/** The subjects of the versions of an experiment that compares content. */
export async function listSubjects(db: Db, { businessId, id }: SendKey): Promise<Template[]> {
  const [row] = await db<{ subjects: Template[] | null }[]>`
    select jsonb_build_array(content #> '{mail,subject}') || jsonb_path_query_array(content, '$.alternatives[*].subject') as subjects
    from sends where business_id = ${businessId} and id = ${id} and content is not null`;
  return row?.subjects ?? [];
}

export type HitCount = { variant: number; link: number; count: number };

export const listHits = (db: Db, { businessId, id }: SendKey) => db<HitCount[]>`
  select variant, link, count from send_hits where business_id = ${businessId} and send_id = ${id}`;
