/**
 * Nobody who is suppressed gets marketing email by any path. Other paths are tested where they belong: experiments in `sends/experiment.test.ts`,
 * automations in `automations/automations.test.ts`, cart reminders in `carts/reminders.test.ts`, stock alerts in `catalog/product-texts.test.ts`.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createSesReader } from '../../../src/providers/mail-events/ses.ts';
import { CallFailed } from '../../../src/providers/outbound/index.ts';
import { shareHarness } from '../../harness.ts';
import { makeAutomations } from '../automations/fixture.ts';
import { jobContext, makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';
import { SNS_KEY, sesReport } from './reports.ts';

const h = await shareHarness();
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:souk';
const now = () => h.clock.seconds();
const fetched: string[] = [];
let isReachable = true;

// Only the download of Amazon's certificate is replaced. The route, the settings and the check of the signature are real.
Object.assign(jobContext(h.service).newsletters.readReport, {
  SES: createSesReader(async (url) => {
    fetched.push(url);
    if (!isReachable) throw new CallFailed('it is unreachable');
    return SNS_KEY;
  }),
});

const suppress = ({ base, token }: Newsletter, email: string) =>
  ok(h.call('POST', `${base}/suppressions`, { token, body: { email, reason: 'COMPLAINT' } }));

const reached = async (sendId: string) =>
  (await h.mailbox())
    .filter((mail) => mail.kind === 'mail' && mail.messageId?.includes(sendId))
    .map(({ to }) => to.split('@')[0])
    .sort();

const ses = ({ businessId }: Pick<Newsletter, 'businessId'>, event: object, options: object = {}) => {
  const complaint = { id: 'm1', kind: 'COMPLAINT' as const, email: 'ada@example.com', atSeconds: now(), ...event };
  const { body, headers } = sesReport(complaint, { topic: TOPIC, ...options });
  return { body, post: (text = body) => h.call('POST', `/v1/mail/events/ses/${businessId}`, { body: text, headers }) };
};

const SES = { mailEvents: { type: 'SES', secret: TOPIC } };

const suppressed = async ({ base, token }: Pick<Newsletter, 'base' | 'token'>) =>
  (await ok(h.call('GET', `${base}/suppressions`, { token }))).items.map(({ email, reason }) => `${email} ${reason}`);

test('a complaint that Amazon SES reports stops running sends and automations before the response', async () => {
  const newsletter = await makeAutomations(h, {}, SES);
  for (const name of ['ada', 'bob']) await newsletter.subscribe(`${name}@example.com`);
  const entryId = await newsletter.entry();
  const mail = await newsletter.entry('Welcome');
  // Anyone who subscribes in the same second that the automation starts would enter it.
  h.clock.advance(1);
  await ok(newsletter.create([{ type: 'MAIL', entryId: mail, delaySeconds: 60 }]));
  for (const name of ['cleo', 'dan']) await newsletter.subscribe(`${name}@example.com`);
  await newsletter.run();
  const send = await ok(newsletter.send(entryId));
  await h.service.jobs.drain('newsletter-start');
  for (const [i, name] of ['ada', 'cleo'].entries()) {
    assert.equal((await ses(newsletter, { id: `m${i}`, email: `${name}@example.com` }).post()).status, 200);
  }
  assert.deepEqual(await suppressed(newsletter), ['cleo@example.com COMPLAINT', 'ada@example.com COMPLAINT']);
  await runSends(h.service);
  assert.deepEqual(await reached(send.id), ['bob', 'dan']);
  h.clock.advance(61);
  await newsletter.run();
  const welcomed = (await h.mailbox()).filter((each) => each.kind === 'mail' && each.subject === 'Welcome');
  assert.deepEqual(
    welcomed.map(({ to }) => to),
    ['dan@example.com'],
  );
});

test('forged, foreign, replayed, old and late reports from Amazon SES have no effect', async () => {
  const newsletter = await makeNewsletter(h, {}, SES);
  const other = await makeNewsletter(h, {}, { mailEvents: { type: 'SES', secret: `${TOPIC}-other` } });
  const signed = ses(newsletter, {});
  const refused = [
    signed.post(signed.body.replace('ada@', 'bob@')),
    signed.post(signed.body.replace(/"Signature":"[^"]{8}/, '"Signature":"AAAAAAAA')),
    ses(newsletter, {}, { topic: `${TOPIC}-foreign` }).post(),
    ses(newsletter, {}, { certificate: 'https://sns.example.com/key.pem' }).post(),
    ses(newsletter, {}, { certificate: 'https://sns.eu-central-1.amazonaws.com.evil.example/key.pem' }).post(),
    h.call('POST', `/v1/mail/events/ses/${other.businessId}`, { body: signed.body }),
    h.call('POST', `/v1/mail/events/mailgun/${newsletter.businessId}`, { body: signed.body }),
  ];
  for (const response of await Promise.all(refused)) assert.equal(response.status, 400);
  assert.deepEqual([...new Set(fetched)], ['https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem']);
  await ses(newsletter, { id: 'old', email: 'old@example.com', atSeconds: now() - 8 * 86_400 }).post();
  assert.deepEqual([...(await suppressed(newsletter)), ...(await suppressed(other))], []);
  assert.equal((await signed.post()).status, 200);
  assert.deepEqual(await suppressed(newsletter), ['ada@example.com COMPLAINT']);
  h.clock.advance(10);
  await ok(h.call('DELETE', `${newsletter.base}/suppressions/ada@example.com`, { token: newsletter.token }));
  assert.equal((await signed.post()).status, 200, 'a replay is accepted, so that SNS stops repeating it');
  await ses(newsletter, { id: 'late', kind: 'HARD_BOUNCE', atSeconds: now() - 5 }).post();
  assert.deepEqual(await suppressed(newsletter), []);
  await ses(newsletter, { id: 'new', kind: 'HARD_BOUNCE', atSeconds: now() + 1 }).post();
  assert.deepEqual(await suppressed(newsletter), ['ada@example.com BOUNCE']);
});

test('a report whose signature can’t be checked yet gets 503, so that Amazon SNS retries it', async () => {
  const newsletter = await makeNewsletter(h, {}, SES);
  const certificate = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-2.pem';
  const report = ses(newsletter, {}, { certificate });
  isReachable = false;
  const refused = await report.post();
  assert.deepEqual([refused.status, await suppressed(newsletter)], [503, []]);
  isReachable = true;
  assert.equal((await report.post()).status, 200);
  assert.deepEqual(await suppressed(newsletter), ['ada@example.com COMPLAINT']);
});

test('sends to a segment, by local time, or taken over by another worker after a crash skip suppressed addresses', async () => {
  const newsletter = await makeNewsletter(h);
  for (const name of ['ada', 'bob', 'cleo', 'dan']) await newsletter.subscribe(`${name}@example.com`);
  const { base, token } = newsletter;
  const filter = { field: 'subscriber.newsletter', op: 'is', value: newsletter.collectionId };
  const segment = await ok(h.call('POST', `${base}/segments`, { token, body: { name: 'All', filter } }));
  await suppress(newsletter, 'ada@example.com');
  const toSegment = await ok(newsletter.send(await newsletter.entry(), { segmentId: segment.id }));
  await runSends(h.service);
  assert.deepEqual(await reached(toSegment.id), ['bob', 'cleo', 'dan']);

  const local = await ok(
    newsletter.send(await newsletter.entry(), { scheduledAt: now() + 30 * 3600, localTime: true }),
  );
  h.clock.advance(20 * 3600);
  await h.service.jobs.drain('newsletter-start');
  await newsletter.login();
  await suppress(newsletter, 'bob@example.com');
  h.clock.advance(11 * 3600);
  await runSends(h.service);
  assert.deepEqual(await reached(local.id), ['cleo', 'dan']);

  await newsletter.login();
  const resumed = await ok(newsletter.send(await newsletter.entry()));
  await h.service.jobs.drain('newsletter-start');
  await h.pool`update delivery_batches set owner = 'dead', lease_until = now() - interval '1 hour' where send_id = ${resumed.id}`;
  await h.pool`update deliveries set status = 'ATTEMPTING', attempts = 1 where send_id = ${resumed.id}`;
  await suppress(newsletter, 'cleo@example.com');
  await runSends(h.service);
  assert.deepEqual(await reached(resumed.id), ['dan']);
});

test('an import does not lift a suppression, and a test email is rejected', async () => {
  const newsletter = await makeNewsletter(h);
  const { token } = await h.member(newsletter.businessId, 'ADMIN');
  const { body: me } = await h.call('GET', '/v1/users/me', { token });
  await suppress(newsletter, 'ada@example.com');
  const file = 'email,consent\nada@example.com,Form\nbob@example.com,Form\n';
  const path = `${newsletter.base}/imports?type=subscribers&collectionId=${newsletter.collectionId}` as const;
  await ok(h.call('POST', path, { token, body: file, headers: { 'content-type': 'text/csv' } }));
  await h.drain('run-import');
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await runSends(h.service);
  assert.deepEqual(await reached(send.id), ['bob']);
  const trial = () =>
    h.call('POST', `${newsletter.base}/entries/${entryId}/test`, { token, body: { email: me.email } });
  assert.equal((await trial()).status, 200);
  await suppress(newsletter, me.email!);
  const refused = await trial();
  assert.deepEqual([refused.status, refused.body.details?.[0]?.error], [422, 'NOT_ALLOWED']);
});
