import type { Db, Tx } from '../../../db/sql.ts';

export type HitRow = { sendId: string; subscriptionId: string; link: number; atSeconds: number };

/** Mail scanners follow links within seconds of the delivery. */
const SCAN_SECONDS = 10;

/** How long the ID of a write is kept. */
const KEPT_SECONDS = 3600;

/**
 * Counts opens and clicks, once per `id`. Hits within seconds of the delivery don't count. The first open and click of a subscriber
 * are also stored with the delivery, unless they opted out of tracking.
 */
export async function writeHits(
  tx: Tx,
  businessId: string,
  id: string,
  hits: readonly HitRow[],
  nowSeconds: number,
): Promise<void> {
  await tx`
    with written as (
      insert into mail_events (business_id, provider, id, created_at) values (${businessId}, 'hits', ${id}, ${nowSeconds})
      on conflict do nothing returning id
    ), forgotten as (
      delete from mail_events
      where business_id = ${businessId} and provider = 'hits' and created_at < ${nowSeconds - KEPT_SECONDS}
    ), counted as (
      select d.send_id, d.subscription_id, coalesce(d.variant, -1) as variant, h.link, h.at,
        coalesce(s.do_not_track, true) as is_anonymous
      from unnest(
        ${hits.map(({ sendId }) => sendId)}::text[], ${hits.map(({ subscriptionId }) => subscriptionId)}::text[],
        ${hits.map(({ link }) => link)}::int[], ${hits.map(({ atSeconds }) => atSeconds)}::bigint[]
      ) as h (send_id, subscription_id, link, at)
      cross join written
      join deliveries d on d.business_id = ${businessId} and d.send_id = h.send_id and d.subscription_id = h.subscription_id
      left join subscriptions s on s.business_id = ${businessId} and s.id = h.subscription_id
      where d.status = 'SENT' and d.updated_at <= h.at - ${SCAN_SECONDS}::bigint
    ), people as (
      select send_id, subscription_id, min(at) filter (where link < 0) as opened_at,
        min(at) filter (where link >= 0) as clicked_at
      from counted where not is_anonymous group by 1, 2
    ), marked as (
      update deliveries d
      set opened_at = coalesce(d.opened_at, p.opened_at), clicked_at = coalesce(d.clicked_at, p.clicked_at)
      from people p
      where d.business_id = ${businessId} and d.send_id = p.send_id and d.subscription_id = p.subscription_id
        and ((d.opened_at is null and p.opened_at is not null) or (d.clicked_at is null and p.clicked_at is not null))
    )
    insert into send_hits as f (business_id, send_id, variant, link, count)
    select ${businessId}, send_id, variant, link, count(*) from counted group by send_id, variant, link order by 2, 3, 4
    on conflict (business_id, send_id, variant, link) do update set count = f.count + excluded.count`;
}

/** The targets of the links in an email. Null if the send does not exist. */
export async function findLinks(db: Db, businessId: string, sendId: string): Promise<string[] | null> {
  const [row] = await db<{ links: string[] | null }[]>`
    select coalesce(s.content, c.content) -> 'links' as links from sends s
    left join mail_contents c on c.business_id = s.business_id and c.id = s.content_id
    where s.business_id = ${businessId} and s.id = ${sendId}`;
  return row?.links ?? null;
}

export type Feedback = 'BOUNCED' | 'COMPLAINED';

/** Feedback is attributed to the last issue that the subscriber got, if they got it within this time. */
const FEEDBACK_SECONDS = 30 * 86_400;

/** The last delivery to each of these subscriptions `s` before the given time. Only recent sends are searched. */
const lastDelivery = (tx: Tx, businessId: string, atSeconds: number) => tx`
  cross join lateral (
    select d.send_id from sends e
    join deliveries d on d.business_id = ${businessId} and d.send_id = e.id and d.subscription_id = s.id
    where e.business_id = ${businessId} and e.collection_id = s.collection_id and d.status = 'SENT'
      and d.updated_at <= ${atSeconds} and e.created_at > ${atSeconds - 2 * FEEDBACK_SECONDS}
      and d.updated_at > ${atSeconds - FEEDBACK_SECONDS}
    order by d.updated_at desc, e.id desc limit 1
  ) l`;

/** Records that a message bounced or that its recipient complained. A provider reports only the address. */
export async function markFeedback(
  tx: Tx,
  businessId: string,
  { emailKey, feedback, atSeconds }: { emailKey: string; feedback: Feedback; atSeconds: number },
): Promise<void> {
  await tx`
    update deliveries d set feedback = ${feedback}
    from (
      select s.id, l.send_id from subscriptions s ${lastDelivery(tx, businessId, atSeconds)}
      where s.business_id = ${businessId} and s.email_key = ${emailKey}
      order by l.send_id desc limit 1
    ) a
    where d.business_id = ${businessId} and d.send_id = a.send_id and d.subscription_id = a.id`;
}

/** Records that the last issue made someone unsubscribe. */
export async function markUnsubscribed(
  tx: Tx,
  businessId: string,
  subscriptionId: string,
  nowSeconds: number,
): Promise<void> {
  await tx`
    update deliveries d set left_at = ${nowSeconds}
    from (
      select s.id, l.send_id from subscriptions s ${lastDelivery(tx, businessId, nowSeconds)}
      where s.business_id = ${businessId} and s.id = ${subscriptionId}
    ) a
    where d.business_id = ${businessId} and d.send_id = a.send_id and d.subscription_id = a.id`;
}
