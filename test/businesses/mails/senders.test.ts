import assert from 'node:assert/strict';
import test from 'node:test';
import { checkSenders } from '../../../src/domains/businesses/senders/check-senders.ts';
import { startDns } from '../../accounts/sso/dns.ts';
import { startHarness } from '../../harness.ts';
import { jobContext, makeNewsletter, ok, runSends } from '../../newsletters/fixture.ts';
import { startSink } from '../../smtp-sink.ts';
import { verifyDkim } from './dkim.ts';

const dns = await startDns();
const sink = await startSink();
const h = await startHarness({
  SMTP_URL: sink.url,
  MAIL_FROM: 'Souk <no-reply@service.example>',
  DNS_SERVERS: dns.server,
});
test.after(() => sink.close());

async function openSender(domain: string) {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(1);
  const { token, email } = await h.member(newsletter.businessId, 'ADMIN');
  const path = `${newsletter.base}/sender` as const;
  const set = (address: string) => h.call('PUT', path, { token, body: { address } });
  const read = () => ok(h.call('GET', path, { token }));
  const check = () => ok(h.call('POST', `${path}/check`, { token }));
  const { records } = await ok(set(`hello@${domain}`));
  const recordOf = (purpose: string) => records.find((each) => each.purpose === purpose)!;
  const publish = (purpose: string) => dns.records.set(recordOf(purpose).name, recordOf(purpose).value);
  /** Sends a new issue and returns the message to its subscriber. */
  async function deliver() {
    sink.messages.length = 0;
    await newsletter.send(await newsletter.entry());
    await runSends(h.service);
    return sink.messages[0]!;
  }
  const testMail = async () => {
    sink.messages.length = 0;
    await ok(
      h.call('POST', `${newsletter.base}/entries/${await newsletter.entry()}/test`, { token, body: { email: email! } }),
    );
    await h.service.jobs.drain('mail');
    return sink.messages[0]!;
  };
  return { ...newsletter, token, email, path, set, read, check, publish, recordOf, deliver, testMail };
}

const fromOf = async (message: (typeof sink.messages)[number]) => (await sink.parse(message)).from?.address;
const statesOf = ({ records }: { records: readonly { purpose: string; state: string }[] }) =>
  Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]));

test('emails are sent from the address of a business, signed, only once its domain and key are verified', async () => {
  const shop = await openSender('linen.example');
  assert.equal(await fromOf(await shop.deliver()), 'no-reply@service.example');
  shop.publish('OWNERSHIP');
  assert.equal((await shop.check()).isVerified, false, 'without the key, receivers would reject signed email');
  assert.equal(await fromOf(await shop.deliver()), 'no-reply@service.example');
  shop.publish('DKIM');
  const checked = await shop.check();
  assert.deepEqual([checked.isVerified, checked.from], [true, 'hello@linen.example']);
  await h.numberEvents(shop.businessId);
  const [event] = await h.pool`
    select data from events where business_id = ${shop.businessId} and type = 'business.sender_checked'
    order by position desc limit 1`;
  assert.equal(event?.data.isVerified, true);
  for (const message of [await shop.deliver(), await shop.testMail()]) {
    assert.equal(await fromOf(message), 'hello@linen.example');
    const signature = verifyDkim(message.raw, (name) => dns.records.get(name));
    assert.equal(signature?.domain, 'linen.example');
    const isBulk = message.raw.includes('List-Unsubscribe-Post');
    for (const name of ['from', ...(isBulk ? ['list-unsubscribe', 'list-unsubscribe-post'] : [])]) {
      assert.ok(signature?.names.includes(name), name);
    }
    const forged = Buffer.from(message.raw.toString('latin1').replace('Hello', 'Hullo'), 'latin1');
    assert.equal(
      verifyDkim(forged, (name) => dns.records.get(name)),
      null,
    );
  }
});

test('another business cannot verify a domain with the records of the first, and never signs with its key', async () => {
  const first = await openSender('owned.example');
  first.publish('OWNERSHIP');
  first.publish('DKIM');
  await first.check();
  const second = await openSender('owned.example');
  const checked = await second.check();
  assert.deepEqual(statesOf(checked), { OWNERSHIP: 'WRONG', DKIM: 'MISSING', SPF: 'MISSING', DMARC: 'MISSING' });
  assert.equal(await fromOf(await second.deliver()), 'no-reply@service.example');
  assert.notEqual(first.recordOf('DKIM').value, second.recordOf('DKIM').value);
  const stored = await h.pool`select private_key from mail_senders where business_id = ${first.businessId}`;
  assert.doesNotMatch(stored[0]!.privateKey, /PRIVATE/);
  assert.doesNotMatch(JSON.stringify(await first.read()), /private/i);
});

test('a new domain starts unverified with a new key, and another address at the same domain stays verified', async () => {
  const shop = await openSender('moved.example');
  shop.publish('OWNERSHIP');
  shop.publish('DKIM');
  await shop.check();
  assert.equal((await ok(shop.set('news@moved.example'))).from, 'news@moved.example');
  const moved = await ok(shop.set('news@elsewhere.example'));
  assert.deepEqual([moved.isVerified, moved.from], [false, 'no-reply@service.example']);
  assert.equal(await fromOf(await shop.deliver()), 'no-reply@service.example');
  assert.notEqual(moved.records[1]!.value, shop.recordOf('DKIM').value);
});

test('sending back an unchanged sender has no effect, whether it is set or not, and null removes it', async () => {
  const shop = await openSender('kept.example');
  const sendBack = async () => ok(h.call('PUT', shop.path, { token: shop.token, body: await shop.read() }));
  const eventCount = async () => {
    await h.numberEvents(shop.businessId);
    const [row] = await h.pool`
      select count(*)::int as count from events
      where business_id = ${shop.businessId} and type = 'business.sender_updated'`;
    return row!.count;
  };
  const before = [await shop.read(), await eventCount()];
  assert.deepEqual([await sendBack(), await eventCount()], before);
  const removed = await ok(h.call('PUT', shop.path, { token: shop.token, body: { address: null } }));
  assert.deepEqual([removed.address, removed.records, await eventCount()], [null, [], before[1] + 1]);
  assert.deepEqual([await sendBack(), await eventCount()], [removed, before[1] + 1]);
});

test('a check reports published and missing records, and the domain stays verified while name servers do not respond', async () => {
  const shop = await openSender('mail.spf.example');
  shop.publish('OWNERSHIP');
  shop.publish('DKIM');
  dns.records.set('mail.spf.example', 'v=spf1 include:other.example -all');
  dns.records.set('_dmarc.spf.example', 'v=DMARC1; p=reject');
  const checked = await shop.check();
  assert.deepEqual(statesOf(checked), { OWNERSHIP: 'OK', DKIM: 'OK', SPF: 'WRONG', DMARC: 'OK' });
  const spf = checked.records[2]!;
  assert.deepEqual(spf.found, ['v=spf1 include:other.example -all']);
  assert.equal(spf.value, 'v=spf1 include:service.example include:other.example -all');
  dns.records.set('mail.spf.example', spf.value);
  assert.equal(statesOf(await shop.check()).SPF, 'OK');
  const { senders } = h.service.businesses;
  const { lookUp } = senders;
  senders.lookUp = async () => ({ OWNERSHIP: null, DKIM: null, SPF: null, DMARC: null });
  assert.deepEqual([(await shop.check()).isVerified, statesOf(await shop.read()).DKIM], [true, 'UNKNOWN']);
  senders.lookUp = lookUp;
  dns.records.delete(shop.recordOf('DKIM').name);
  assert.equal((await shop.check()).isVerified, false, 'the key is certainly gone');
});

test('a domain that loses a record fails the daily check, admins get one email, and it is verified again automatically', async () => {
  const shop = await openSender('lost.example');
  shop.publish('OWNERSHIP');
  shop.publish('DKIM');
  await shop.check();
  sink.messages.length = 0;
  const recheck = async () => {
    await checkSenders(jobContext(h.service));
    await h.service.jobs.drain('mail');
    return (await shop.read()).from;
  };
  assert.equal(await recheck(), 'hello@lost.example');
  assert.equal(sink.messages.length, 0, 'nothing changed');
  dns.records.delete(shop.recordOf('DKIM').name);
  for (let day = 0; day < 2; day++) assert.equal(await recheck(), 'no-reply@service.example');
  const warnings = await Promise.all(sink.messages.map((message) => sink.parse(message)));
  assert.deepEqual(
    warnings.map(({ subject, to }) => [subject, [to].flat()[0]?.address]),
    [['DNS records of lost.example are missing', shop.email]],
  );
  shop.publish('DKIM');
  assert.equal(await recheck(), 'hello@lost.example');
});

test('invalid sender addresses are rejected, and checks are rate limited', async () => {
  const shop = await openSender('limit.example');
  for (const address of ['ada@localhost', 'ädä@shop.example']) assert.equal((await shop.set(address)).status, 422);
  const statuses: number[] = [];
  while (statuses.length < 40 && statuses.at(-1) !== 429) {
    statuses.push((await h.call('POST', `${shop.path}/check`, { token: shop.token })).status);
  }
  assert.equal(statuses.at(-1), 429);
});
