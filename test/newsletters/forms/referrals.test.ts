import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../../harness.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const h = await shareHarness();
const newsletter = await makeNewsletter(h, { settings: { referrals: true } });
const { base, businessId, collectionId, token } = newsletter;

const reader = await h.user();
const email = 'ada@example.com';
const add = (address: string) =>
  ok(
    h.call('POST', `${base}/collections/${collectionId}/subscribers`, {
      token,
      body: { email: address, planId: 'free', consent: { source: 'paper', at: h.clock.seconds() } },
    }),
  );

const submit = (link: string, address: string) =>
  fetch(link, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ email: address }),
  });

async function confirm(address: string): Promise<void> {
  const [mail] = ((await h.mailbox()) as Json[]).filter(({ to }) => to === address);
  const link = /\/confirm-subscription\/(\S+)/.exec(mail!.text)![1]!;
  const body = { token: link };
  await ok(h.call('POST', `${base}/collections/confirm`, { token: newsletter.guest.token, body }));
}

test('a confirmed sign-up through a referral link counts once, and the referrer’s own mailbox, known people and unconfirmed sign-ups do not', async () => {
  const { id } = await add(email);
  await add('known@example.com');
  await add('alias+one@example.com');
  await h.pool`update subscriptions set user_id = ${reader.userId} where business_id = ${businessId} and id = ${id}`;
  const own = () => ok(h.call('GET', `${base}/subscriptions`, { token: reader.token }));
  const { referralUrl } = (await own()).items[0]!;
  const count = async () => (await own()).items[0]!.referrals as number;
  await h.pool`
    insert into customers (business_id, id, email, email_key, created_at, updated_at)
    values (${businessId}, 'cust_00000000000000000000000001', 'buyer@example.com', 'buyer@example.com', 1, 1)`;
  for (const address of [
    'new@example.com',
    'later@example.com',
    'ada+two@example.com',
    'buyer@example.com',
    'known@example.com',
    'known+alias@example.com',
    'alias+two@example.com',
    'guest+alias@example.com',
  ])
    assert.equal((await submit(referralUrl!, address)).status, 200, address);
  assert.equal(await count(), 0, 'nobody has confirmed');
  await h.pool`
    insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, doc, doc_bytes, total,
      market, currency, is_abandoned, created_at, updated_at)
    values (${businessId}, 'ord_00000000000000000000000001', 1, 'DELIVERED', 'PAID', 'user_1', 'guest@example.com', false, 100, '{}', 2, 100,
      'us', 'usd', false, 1, 1)`;
  for (const address of [
    'new@example.com',
    'ada+two@example.com',
    'buyer@example.com',
    'known+alias@example.com',
    'alias+two@example.com',
    'guest+alias@example.com',
  ])
    await confirm(address);
  assert.equal(await count(), 1);
  await h.pool`delete from subscriptions where business_id = ${businessId} and email_key = 'new@example.com'`;
  await submit(referralUrl!, 'new+again@example.com');
  await confirm('new+again@example.com');
  assert.equal(await count(), 1, 'the same mailbox counts once');
  const filter = { field: 'subscriber.referrals', op: 'atLeast', value: 1 };
  assert.equal((await ok(h.call('POST', `${base}/segments/count`, { token, body: { filter } }))).count, 1);
  assert.equal((await submit(`${referralUrl}x`, 'forged@example.com')).status, 404);
});
