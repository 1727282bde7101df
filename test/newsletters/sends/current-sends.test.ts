import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';

const h = await shareHarness();

const queryOf = (entryIds: readonly string[]) => entryIds.map((id) => `entryIds=${id}`).join('&');

test('the current send of an entry is the one in progress, or else the scheduled one, or else the last one', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(1);
  const { businessId, base, token } = newsletter;
  const entryId = await newsletter.entry();
  const [draft, other] = [await newsletter.entry(), await newsletter.entry()];
  await ok(newsletter.send(other));
  const current = async () => {
    const path = `${base}/sends/current?${queryOf([draft, entryId, 'ent_unknown'])}` as const;
    return (await ok(h.call('GET', path, { token }))).items;
  };
  const ids = async () => (await current()).map(({ id }) => id);
  const scheduledAt = h.clock.seconds() + 600;

  const withdrawn = await ok(newsletter.send(entryId, { scheduledAt }));
  assert.deepEqual(await ids(), [withdrawn.id]);
  await ok(newsletter.cancel(entryId, withdrawn.id));
  assert.deepEqual(await ids(), [], 'a send that was canceled before it started');

  const sent = await ok(newsletter.send(entryId));
  await runSends(h.service);
  assert.deepEqual(await current(), [await newsletter.progress(entryId, sent.id)], 'the whole send');

  const planned = await ok(newsletter.send(entryId, { scheduledAt, resend: true }));
  assert.deepEqual(await ids(), [planned.id]);
  const running = await ok(newsletter.send(entryId, { resend: true }));
  const second = await ok(newsletter.send(entryId, { scheduledAt, resend: true }));
  assert.deepEqual(await ids(), [running.id]);
  await ok(newsletter.cancel(entryId, running.id));
  assert.deepEqual(await ids(), [second.id]);
  for (const { id } of [planned, second]) await ok(newsletter.cancel(entryId, id));
  assert.deepEqual(await ids(), [sent.id], 'the issue was sent, although a later send was stopped');

  await h.pool`update sends set automation_id = 'aut_1' where business_id = ${businessId} and id = ${sent.id}`;
  assert.deepEqual(await ids(), [running.id], 'without the emails of automations');
});

test('current sends are shown only to members of the business who may send', async () => {
  const newsletter = await makeNewsletter(h);
  const entryId = await newsletter.entry();
  await ok(newsletter.send(entryId, { scheduledAt: h.clock.seconds() + 60 }));
  const query = queryOf([entryId]);
  const elsewhere = await h.business();
  const stranger = await h.member(elsewhere, 'ADMIN');
  const writer = await h.member(newsletter.businessId, 'CONTENT_READ', 'CONTENT_WRITE', 'SUBSCRIBER_READ');
  for (const { token } of [writer, newsletter.guest, stranger]) {
    assert.equal((await h.call('GET', `${newsletter.base}/sends/current?${query}`, { token })).status, 403);
  }
  const { items } = await ok(h.call('GET', `/v1/businesses/${elsewhere}/sends/current?${query}`, stranger));
  assert.deepEqual(items, []);
});
