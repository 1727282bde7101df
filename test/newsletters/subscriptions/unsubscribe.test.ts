import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const sink = await startSink();
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

/** Subscribes an address, sends an issue and returns its unsubscribe link. */
async function mailedLink(
  newsletter: Newsletter,
  email: string,
): Promise<{ url: string; headers: Map<string, string> }> {
  await ok(newsletter.subscribe(email));
  const from = sink.messages.length;
  await ok(newsletter.send(await newsletter.entry()));
  await runSends(h.service);
  const mail = await sink.parse(sink.messages.slice(from).find(({ to }) => to === email)!);
  const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
  const url = /<(.+)>/.exec(headers.get('list-unsubscribe') ?? '')![1]!;
  assert.ok(mail.text?.includes(url));
  assert.ok(mail.html?.includes(`href="${url}"`));
  return { url, headers };
}

const statusOf = async (newsletter: Newsletter, email: string) =>
  (await newsletter.subscribers(`?email=${email}`)).map(({ status }) => status).join();

test('an issue has the List-Unsubscribe, List-Id and Auto-Submitted headers', async () => {
  const newsletter = await makeNewsletter(h);
  const { url, headers } = await mailedLink(newsletter, 'ada@example.com');
  assert.ok(url.startsWith(`${h.url}/unsubscribe/`));
  assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.match(headers.get('list-id') ?? '', /^<col-[a-z0-9]+\.biz-[a-z0-9]+\.localhost>$/);
  assert.equal(headers.get('auto-submitted'), 'auto-generated');
});

test('a GET by a browser or link scanner changes nothing, but a client that accepts only JSON unsubscribes', async () => {
  const newsletter = await makeNewsletter(h);
  const { url } = await mailedLink(newsletter, 'ada@example.com');
  for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', 'text/html, application/json']) {
    const page = await fetch(url, { headers: { accept } });
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<form method="post"/);
  }
  for (const accept of ['*/*', 'application/json'])
    assert.equal((await fetch(url, { method: 'HEAD', headers: { accept } })).status, 200);
  assert.equal(await statusOf(newsletter, 'ada@example.com'), 'ACTIVE');
  const json = await fetch(url, { headers: { accept: 'application/json' } });
  assert.deepEqual(await json.json(), { success: true });
  assert.equal(await statusOf(newsletter, 'ada@example.com'), 'UNSUBSCRIBED');
});

test('one-click unsubscribe (RFC 8058) is idempotent, and subscribing the address again makes it PENDING', async () => {
  const newsletter = await makeNewsletter(h);
  const { url } = await mailedLink(newsletter, 'ada@example.com');
  const [{ id }] = (await newsletter.subscribers()) as [{ id: string }];
  const click = () =>
    fetch(url, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  for (let i = 0; i < 3; i++) {
    assert.equal((await click()).status, 200);
    assert.equal(await statusOf(newsletter, 'ada@example.com'), 'UNSUBSCRIBED');
  }
  const again = await ok(newsletter.subscribe('ADA@example.com'));
  assert.deepEqual([again.id, again.status], [id, 'PENDING']);
  assert.equal((await newsletter.subscribers()).length, 1);
});

test('the API URL unsubscribes clients that accept JSON and shows the page to others', async () => {
  const newsletter = await makeNewsletter(h);
  const other = await makeNewsletter(h);
  const { url } = await mailedLink(newsletter, 'ada@example.com');
  const token = url.split('/').at(-1)!;
  const get = (base: string, accept: string) =>
    fetch(`${h.url}${base}/collections/unsubscribe?token=${token}`, { headers: { accept } });
  for (const accept of ['text/html,*/*;q=0.8', '*/*']) {
    assert.match(await (await get(newsletter.base, accept)).text(), new RegExp(`action="/unsubscribe/${token}"`));
  }
  assert.equal((await get(other.base, 'application/json')).status, 422);
  assert.equal(await statusOf(newsletter, 'ada@example.com'), 'ACTIVE');
  assert.deepEqual(await (await get(newsletter.base, 'application/json')).json(), { success: true });
  assert.equal(await statusOf(newsletter, 'ada@example.com'), 'UNSUBSCRIBED');
});

test('the token works without a login, but only in its own business and only if it is unmodified', async () => {
  const newsletter = await makeNewsletter(h);
  const other = await makeNewsletter(h);
  const { url } = await mailedLink(newsletter, 'ada@example.com');
  await ok(newsletter.subscribe('bob@example.com'));
  const token = url.split('/').at(-1)!;
  const unsubscribe = (base: string, body: object) => h.call('POST', `${base}/collections/unsubscribe`, { body });
  const [, bob] = (await newsletter.subscribers()).map(({ id }) => id).sort();
  const [business, , signature] = token.split('.');
  for (const bad of [
    '',
    'x',
    `${business}.${bob}.${signature}`,
    `${token}x`,
    token.slice(0, -2),
    `${business}.${bob}.`,
  ]) {
    assert.equal((await unsubscribe(newsletter.base, { token: bad })).status, 422, bad);
    assert.equal((await fetch(`${h.url}/unsubscribe/${bad}`, { method: 'POST' })).status, bad === '' ? 404 : 422);
  }
  assert.equal((await unsubscribe(other.base, { token })).status, 422);
  assert.deepEqual(
    (await newsletter.subscribers()).map(({ status }) => status),
    ['ACTIVE', 'ACTIVE'],
  );
  for (let i = 0; i < 2; i++) assert.deepEqual(await ok(unsubscribe(newsletter.base, { token })), { success: true });
  assert.equal(await statusOf(newsletter, 'ada@example.com'), 'UNSUBSCRIBED');
  assert.equal(await statusOf(newsletter, 'bob@example.com'), 'ACTIVE');
});
