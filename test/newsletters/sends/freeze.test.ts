import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const sink = await startSink();
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

/** Two full chunks and a part of a third. */
const SUBSCRIBERS = 20_450;

const newsletter = await makeNewsletter(h);
const { businessId, base, token } = newsletter;
await newsletter.crowd(SUBSCRIBERS);
await h.pool`
  update subscriptions set tags = '{vip}' where business_id = ${businessId} and right(email_key, 13) <> '7@example.com'`;
const tagged = { field: 'subscriber.tag', op: 'is', value: 'vip' };
const segment = async (name: string, filter: object) =>
  (await ok(h.call('POST', `${base}/segments`, { token, body: { name, filter } }))).id;
/** The first reads only subscriptions, the second joins orders. */
const taggedId = await segment('VIP', tagged);
const joinedId = await segment('VIP without orders', {
  all: [tagged, { field: 'customer.orders', op: 'is', value: 0 }],
});

/** Starts a send without delivering it. Returns how the recipients are distributed across its batches. */
async function freeze(body: object) {
  const { id, recipients } = await ok(newsletter.send(await newsletter.entry(), body));
  await h.service.jobs.drain('newsletter-start');
  const [found] = await h.pool`
    with ranges as (
      select b.*, lag(last_id) over (order by number) as previous, row_number() over (order by number) - 1 as place,
        (select count(*) from deliveries d where d.business_id = b.business_id and d.send_id = b.send_id
          and d.subscription_id between b.first_id and b.last_id) as inside
      from delivery_batches b where b.business_id = ${businessId} and b.send_id = ${id}
    )
    select (select recipients from sends where business_id = ${businessId} and id = ${id}) as recipients,
      (select count(distinct subscription_id) from deliveries where business_id = ${businessId} and send_id = ${id}) as people,
      sum(size)::int as in_batches, bool_and(size = inside and number = place and coalesce(previous < first_id, true)) as in_order,
      (select count(*) from deliveries where business_id = ${businessId} and send_id = ${id} and variant is not null) as tested
    from ranges`;
  await ok(
    newsletter.cancel(
      (await h.pool`select entry_id from sends where business_id = ${businessId} and id = ${id}`)[0]!.entryId,
      id,
    ),
  );
  return { ...found, requested: recipients };
}

test('a large send includes each recipient once, in batches without gaps, whether it goes to everyone, goes to a segment or has an A/B test', async () => {
  const everyone = {
    recipients: SUBSCRIBERS,
    people: SUBSCRIBERS,
    inBatches: SUBSCRIBERS,
    requested: SUBSCRIBERS,
    inOrder: true,
  };
  assert.deepEqual(await freeze({}), { ...everyone, tested: 0 });
  const vips = SUBSCRIBERS * 0.9;
  for (const segmentId of [taggedId, joinedId]) {
    assert.deepEqual(await freeze({ segmentId }), {
      recipients: vips,
      people: vips,
      inBatches: vips,
      requested: vips,
      inOrder: true,
      tested: 0,
    });
  }
  const experiment = { share: 0.2, subjects: ['A', 'B'], metric: 'MANUAL', after: 3600 };
  assert.deepEqual(await freeze({ experiment }), { ...everyone, tested: SUBSCRIBERS * 0.2 });
});
