import assert from 'node:assert/strict';
import test from 'node:test';
import { handleStarts, startSend } from '../../../src/domains/newsletters/sends/start-send.ts';
import { shareHarness, startHarness } from '../../harness.ts';
import { jobContext, makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const h = await shareHarness();
const run = () => runSends(h.service);

async function later(seconds: number): Promise<void> {
  h.clock.advance(seconds);
  await run();
}

const mailsTo = async (address: string) => (await h.mailbox()).filter(({ to }) => to === address);

async function withSubscriber(): Promise<{ newsletter: Newsletter; email: string; entryId: string }> {
  const newsletter = await makeNewsletter(h);
  const email = `reader-${newsletter.businessId.slice(-8)}@example.com`;
  await ok(newsletter.subscribe(email));
  return { newsletter, email, entryId: await newsletter.entry() };
}

test('a scheduled send starts on time with the content and subscribers at that time', async () => {
  const { newsletter, email, entryId } = await withSubscriber();
  const at = h.clock.seconds() + 600;
  const send = await ok(newsletter.send(entryId, { scheduledAt: at }));
  assert.deepEqual([send.status, send.scheduledAt, send.recipients], ['SCHEDULED', at, 1]);
  await run();
  assert.equal((await mailsTo(email)).length, 0);
  const [{ id }] = (await newsletter.subscribers()) as [{ id: string }];
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED' where id = ${id}`;
  const late = `late-${email}`;
  await ok(newsletter.subscribe(late));
  const blocks = [{ id: 'title', type: 'TEXT', value: 'Changed later' }];
  await ok(h.call('PUT', `${newsletter.base}/entries/${entryId}`, { token: newsletter.token, body: { blocks } }));
  await later(601);
  assert.equal((await mailsTo(email)).length, 0);
  const [mail] = await mailsTo(late);
  assert.equal(mail?.kind === 'mail' && mail.subject, 'Changed later');
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.total, done.sent], ['SENT', 1, 1]);
});

test('an immediate send keeps its content even if the entry changes before the job runs', async () => {
  const { newsletter, email, entryId } = await withSubscriber();
  const send = await ok(newsletter.send(entryId));
  const body = { statuses: [{ status: 'DRAFT' }] };
  await ok(h.call('PUT', `${newsletter.base}/entries/${entryId}`, { token: newsletter.token, body }));
  await run();
  assert.equal((await mailsTo(email)).length, 1);
  assert.equal((await newsletter.progress(entryId, send.id)).status, 'SENT');
});

test('an entry with a scheduled or running send can’t be deleted', async () => {
  const { newsletter, entryId } = await withSubscriber();
  const remove = () => h.call('DELETE', `${newsletter.base}/entries/${entryId}`, { token: newsletter.token });
  const planned = await ok(newsletter.send(entryId, { scheduledAt: h.clock.seconds() + 600 }));
  assert.equal((await remove()).status, 409);
  await ok(newsletter.cancel(entryId, planned.id));
  await ok(newsletter.send(entryId));
  assert.equal((await remove()).status, 409);
  await run();
  assert.equal((await remove()).status, 200);
});

test('a concurrent deletion and send never both succeed', async () => {
  const { newsletter } = await withSubscriber();
  for (let i = 0; i < 5; i++) {
    const entryId = await newsletter.entry();
    const [send, removed] = await Promise.all([
      newsletter.send(entryId, { scheduledAt: h.clock.seconds() + 600 }),
      h.call('DELETE', `${newsletter.base}/entries/${entryId}`, { token: newsletter.token }),
    ]);
    assert.ok(send.status !== 200 || removed.status === 409, `${send.status} ${removed.status}`);
  }
});

test('a newsletter with subscribers can only be deleted with cascade, which stops its sends', async () => {
  const { newsletter, email, entryId } = await withSubscriber();
  const remove = (query = '') =>
    h.call('DELETE', `${newsletter.base}/collections/${newsletter.collectionId}${query}`, { token: newsletter.token });
  const send = await ok(newsletter.send(entryId));
  await startSend(jobContext(h.service, newsletter.businessId), send);
  const empty = await makeNewsletter(h);
  await ok(h.call('DELETE', `${empty.base}/collections/${empty.collectionId}`, { token: empty.token }));
  await ok(h.call('DELETE', `${newsletter.base}/entries/${await newsletter.entry()}`, { token: newsletter.token }));
  const refused = await remove();
  assert.equal(refused.status, 409);
  await ok(remove('?cascade=true'));
  await run();
  assert.equal((await mailsTo(email)).length, 0);
  const [row] = await h.pool`
    select status, open, recipients, skipped from sends where business_id = ${newsletter.businessId}`;
  assert.deepEqual(row, { status: 'CANCELLED', open: false, recipients: 1, skipped: 1 });
});

test('a canceled scheduled send never starts, and the entry can be sent again', async () => {
  const { newsletter, email, entryId } = await withSubscriber();
  const scheduledAt = h.clock.seconds() + 600;
  const send = await ok(newsletter.send(entryId, { scheduledAt }));
  assert.equal((await newsletter.send(entryId, { scheduledAt: scheduledAt + 60 })).status, 409);
  for (let i = 0; i < 2; i++) assert.deepEqual(await ok(newsletter.cancel(entryId, send.id)), { success: true });
  const again = await ok(newsletter.send(entryId, { scheduledAt: scheduledAt + 60 }));
  await later(600);
  assert.equal((await mailsTo(email)).length, 0);
  await later(120);
  assert.equal((await mailsTo(email)).length, 1);
  const cancelled = await newsletter.progress(entryId, send.id);
  assert.deepEqual([cancelled.status, cancelled.total, cancelled.skipped], ['CANCELLED', 1, 1]);
  assert.equal((await newsletter.progress(entryId, again.id)).status, 'SENT');
  assert.equal((await newsletter.cancel(entryId, again.id)).status, 409);
});

test('a scheduled send fails with a reason if its entry was deleted, unpublished or broken', async () => {
  const { newsletter, email, entryId } = await withSubscriber();
  const withdrawn = await newsletter.entry();
  const broken = await newsletter.entry();
  const scheduledAt = h.clock.seconds() + 600;
  const sends = [];
  for (const id of [entryId, withdrawn, broken]) sends.push([id, (await ok(newsletter.send(id, { scheduledAt }))).id]);
  const { token, base } = newsletter;
  await h.pool`delete from entries where business_id = ${newsletter.businessId} and id = ${entryId}`;
  await ok(h.call('PUT', `${base}/entries/${withdrawn}`, { token, body: { statuses: [{ status: 'DRAFT' }] } }));
  const blocks = [{ id: 'title', type: 'TEXT', value: '{{oops}}' }];
  await ok(h.call('PUT', `${base}/entries/${broken}`, { token, body: { blocks } }));
  await later(601);
  assert.equal((await mailsTo(email)).length, 0);
  const seen = await Promise.all(sends.map(([id, sendId]) => newsletter.progress(id!, sendId!)));
  assert.deepEqual(
    seen.map(({ status, error }) => [status, error]),
    [
      ['FAILED', 'ENTRY_NOT_FOUND'],
      ['FAILED', 'NOT_PUBLISHED'],
      ['FAILED', 'UNKNOWN_VARIABLE'],
    ],
  );
});

test('an entry is sent once, even by concurrent requests, unless resend is set', async () => {
  const { newsletter, email, entryId } = await withSubscriber();
  const calls = await Promise.all(Array.from({ length: 5 }, () => newsletter.send(entryId)));
  assert.deepEqual(calls.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  await run();
  assert.equal((await newsletter.send(entryId)).status, 409);
  await ok(newsletter.send(entryId, { resend: true }));
  await run();
  assert.equal((await mailsTo(email)).length, 2);
  const list = await ok(h.call('GET', `${newsletter.base}/entries/${entryId}/sends`, { token: newsletter.token }));
  assert.equal(list.items.length, 2);
});

test('after a resend, another send without resend is rejected', async () => {
  const { newsletter, entryId } = await withSubscriber();
  await ok(newsletter.send(entryId, { resend: true }));
  assert.equal((await newsletter.send(entryId)).status, 409);
  await run();
  assert.equal((await newsletter.send(entryId)).status, 409);
});

test('sending a draft, an entry with an unknown variable or an entry outside a newsletter fails with 422', async () => {
  const { newsletter } = await withSubscriber();
  const draft = await newsletter.entry('Hi', { statuses: [{ status: 'DRAFT' }] });
  assert.equal((await newsletter.send(draft)).body.details[0]!.error, 'NOT_PUBLISHED');
  const broken = await newsletter.send(await newsletter.entry('Hi {{subscriber.nmae}} {{x}}'));
  assert.equal(broken.status, 422);
  assert.deepEqual(
    broken.body.details.map(({ field, error }) => `${field} ${error}`),
    ['blocks[0].value UNKNOWN_VARIABLE', 'blocks[0].value UNKNOWN_VARIABLE'],
  );
  const blog = await makeNewsletter(h, { type: 'COLLECTION', plans: [] });
  assert.equal((await blog.send(await blog.entry())).body.details[0]!.error, 'NOT_A_NEWSLETTER');
  assert.equal((await newsletter.send('ent_unknown')).status, 404);
  assert.equal((await blog.send(await newsletter.entry())).status, 404);
  assert.equal((await newsletter.send(await newsletter.entry(), { scheduledAt: '1' })).status, 422);
});

test('sending, testing, viewing and canceling require a permission in the same business', async () => {
  const { newsletter, entryId } = await withSubscriber();
  const stranger = await makeNewsletter(h);
  const send = await ok(newsletter.send(entryId, { scheduledAt: h.clock.seconds() + 60 }));
  const paths: [string, string, object?][] = [
    ['POST', `/entries/${entryId}/send`, {}],
    ['POST', `/entries/${entryId}/test`, { email: 'a@example.com' }],
    ['GET', `/entries/${entryId}/sends/${send.id}`],
    ['GET', `/entries/${entryId}/sends/${send.id}/deliveries`],
    ['POST', `/entries/${entryId}/sends/${send.id}/cancel`],
    ['GET', `/entries/${entryId}/preview`],
    ['POST', `/entries/${entryId}/preview`, { blocks: [] }],
  ];
  for (const [method, path, body] of paths) {
    const options = body ? { body } : {};
    assert.equal((await h.call(method, newsletter.base + path, options)).status, 401, path);
    assert.equal(
      (await h.call(method, newsletter.base + path, { ...options, token: newsletter.guest.token })).status,
      403,
      path,
    );
    assert.equal((await h.call(method, stranger.base + path, { ...options, token: stranger.token })).status, 404, path);
  }
  assert.equal((await newsletter.progress(entryId, send.id)).status, 'SCHEDULED');
});

test('a retry with the same Idempotency-Key returns the same send, and a send needs no body', async () => {
  const { newsletter, entryId } = await withSubscriber();
  const call = () =>
    h.call('POST', `${newsletter.base}/entries/${entryId}/send`, {
      token: newsletter.token,
      headers: { 'idempotency-key': 'once' },
    });
  const first = await ok(call());
  assert.deepEqual(await ok(call()), first);
});

test('a test email and a preview show the entry with example values, and their unsubscribe link has no effect', async () => {
  const { newsletter, entryId } = await withSubscriber();
  const { token, base } = newsletter;
  const chef = await h.member(newsletter.businessId, 'ORDER_READ');
  await ok(h.call('POST', `${base}/entries/${entryId}/test`, { token, body: { email: chef.email } }));
  const [mail] = await mailsTo(chef.email!);
  assert.equal(mail?.kind === 'mail' && mail.subject, `Hello ${chef.email!.split('@')[0]}`);
  assert.ok(mail?.kind === 'mail' && mail.text.includes(`${h.url}/unsubscribe/example`));
  assert.match(await (await fetch(`${h.url}/unsubscribe/example`)).text(), /This was a test email/);
  const preview = await h.call('GET', `${base}/entries/${entryId}/preview`, { token });
  assert.match(preview.headers.get('content-type') ?? '', /text\/html/);
  assert.match(preview.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.match(preview.body, /Hello Ada/);
});

test('a preview of edited blocks is sanitized and stores nothing', async () => {
  const { newsletter, entryId } = await withSubscriber();
  const { token, base } = newsletter;
  const show = (blocks: object[]) => h.call('POST', `${base}/entries/${entryId}/preview`, { token, body: { blocks } });
  const { body: mail } = await show([
    { id: 'title', value: 'Dear {{subscriber.name}}' },
    { id: 'body', value: '<p>New<script>alert(1)</script></p>' },
  ]);
  assert.equal(mail.subject, 'Dear Ada');
  assert.match(mail.html, /New/);
  assert.doesNotMatch(mail.html, /script/);
  assert.match(mail.text, /New/);
  assert.equal((await show([{ id: 'other', value: 'x' }])).status, 422);
  assert.equal((await show([{ id: 'title', value: '{{subscriber.age}}' }])).status, 422);
  const { body: stored } = await h.call('GET', `${base}/entries/${entryId}`, { token });
  assert.equal(stored.blocks[0]!.value, 'Hello {{subscriber.name}}');
});

test('test emails go only to members of the business and to the caller, and are rate limited', async () => {
  const strict = await startHarness({ LIMIT_MAIL: '4/100' });
  const newsletter = await makeNewsletter(strict);
  const self = await strict.member(newsletter.businessId, 'NEWSLETTER_SEND');
  const [colleague, stranger] = [await strict.member(newsletter.businessId), await strict.user()];
  const elsewhere = await strict.member(await strict.business(), 'ADMIN');
  const entryId = await newsletter.entry();
  const send = async (email: string) =>
    (await strict.call('POST', `${newsletter.base}/entries/${entryId}/test`, { token: self.token, body: { email } }))
      .status;
  assert.equal(await send(self.email!.toUpperCase()), 200);
  assert.equal(await send(colleague.email!), 200);
  assert.equal(await send(stranger.email!), 422);
  assert.equal(await send(elsewhere.email!), 422);
  assert.equal(await send(self.email!), 429);
  assert.equal((await strict.mailbox()).length, 2);
});

test('an email larger than 1 MB is rejected before it is rendered, in test, preview and send', async () => {
  const { newsletter } = await withSubscriber();
  const { token, base } = newsletter;
  const [{ email }] = (await h.pool`
    select email from users join members on user_id = id where business_id = ${newsletter.businessId}`) as unknown as [
    { email: string },
  ];
  for (const [title, body] of [
    ['\n\na'.repeat(160_000), ''],
    ['x', '<p>a</p>'.repeat(60_000)],
    ['ع'.repeat(100_000), ''],
    ['{{subscriber.name}}'.repeat(600), ''],
  ]) {
    const blocks = [
      { id: 'title', type: 'TEXT', value: title },
      { id: 'body', type: 'TEXT', value: body },
    ];
    const id = await newsletter.entry('', { blocks });
    const responses = [
      await h.call('POST', `${base}/entries/${id}/test`, { token, body: { email } }),
      await h.call('GET', `${base}/entries/${id}/preview`, { token }),
      await newsletter.send(id),
    ];
    for (const { status, body: error } of responses) {
      assert.deepEqual([status, error.details?.[0]?.error], [422, 'TOO_LONG'], title!.slice(0, 20));
    }
  }
});

test('at most twenty unknown variables are reported', async () => {
  const { newsletter } = await withSubscriber();
  const refused = await newsletter.send(await newsletter.entry('{{nobody}}'.repeat(20_000)));
  assert.deepEqual([refused.status, refused.body.details.length], [422, 20]);
});

test('at most two large sends of a business and three in all start at once, and small sends do not wait for them', async () => {
  let handle: (businessId: string, send: object) => Promise<void> = async () => {};
  handleStarts({
    handleDueRows: (queue) => {
      handle = (businessId, send) => queue.handle(jobContext(h.service, businessId) as never, send as never);
    },
  });
  const due: { newsletter: Newsletter; id: string; isLarge: boolean }[] = [];
  for (const { newsletter } of [await withSubscriber(), await withSubscriber()]) {
    for (const isLarge of [true, true, true, false]) {
      const { id } = await ok(newsletter.send(await newsletter.entry()));
      due.push({ newsletter, id, isLarge });
    }
  }
  /** Handles the due sends at once. Returns how many small ones have started, and how many large ones of each business. */
  const start = async () => {
    const before = h.clock.seconds();
    const list = () => h.pool<{ id: string; dueAt: number }[]>`
      select id, due_at from sends where not frozen and id = any(${due.map(({ id }) => id)})`;
    const waiting = new Set((await list()).map(({ id }) => id));
    await Promise.all(
      due.map(async ({ newsletter: { businessId }, id, isLarge }) => {
        if (waiting.has(id)) await handle(businessId, { id, recipients: isLarge ? 10_000 : 1, segmentId: null });
      }),
    );
    const postponed = await list();
    assert.ok(postponed.every(({ dueAt }) => dueAt > before));
    const started = due.filter(({ id }) => postponed.every((row) => row.id !== id));
    const large = Map.groupBy(
      started.filter(({ isLarge }) => isLarge),
      ({ newsletter }) => newsletter,
    );
    const counts = [...large.values()].map(({ length }) => length).sort();
    return [started.length - counts.reduce((sum, count) => sum + count, 0), ...counts];
  };
  assert.deepEqual(await start(), [2, 1, 2]);
  assert.deepEqual(await start(), [2, 3, 3]);
});
