import assert from 'node:assert/strict';
import test from 'node:test';
import { writeHits } from '../../../src/domains/newsletters/stats/hit-queries.ts';
import { withoutScanners } from '../../../src/domains/newsletters/stats/hits.ts';
import { shareHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { jobContext, makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const h = await shareHarness();
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
const BODY = '<p><a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="https://shop.example/b">B</a></p>';

async function sent(
  tracking: object | null = { opens: true, clicks: true },
  emails = ['ada@example.com'],
  waitSeconds = 60,
) {
  const newsletter = await makeNewsletter(h, tracking ? { settings: { tracking } } : {});
  for (const email of emails) await ok(newsletter.subscribe(email));
  const entryId = await newsletter.entry('Hello', {
    blocks: [
      { id: 'title', type: 'TEXT', value: 'Hello' },
      { id: 'body', type: 'TEXT', value: BODY },
    ],
  });
  const { id } = await ok(newsletter.send(entryId));
  await runSends(h.service);
  h.clock.advance(waitSeconds);
  const mails = (await h.mailbox()).filter((mail) => mail.kind === 'mail' && mail.messageId?.includes(id));
  const htmlTo = (email = emails[0]) =>
    mails.map((mail) => (mail.to === email && 'html' in mail ? mail.html! : '')).join('');
  return { newsletter, entryId, id, htmlTo, stats: () => statsOf(newsletter, entryId, id) };
}

async function statsOf({ base, token }: Newsletter, entryId: string, id: string) {
  await h.service.contexts.system().newsletters.hits.flush();
  return ok(h.call('GET', `${base}/entries/${entryId}/sends/${id}/stats`, { token }));
}

const linksIn = (html: string) => [...html.matchAll(/href="([^"]*\/v1\/mail\/c\/[^"]+)"/g)].map(([, url]) => url!);
const pixelIn = (html: string) => /src="([^"]*\/v1\/mail\/o\/[^"]+)"/.exec(html)?.[1];
const fetchOnce = (url: string, { method = 'GET', headers = BROWSER as object } = {}) =>
  fetch(`${h.url}${new URL(url).pathname}`, { method, headers: headers as never, redirect: 'manual' });

test('without tracking, an email has its original links, no tracking image and no notice', async () => {
  const { htmlTo } = await sent(null);
  assert.ok(htmlTo().includes('href="https://shop.example/b"'));
  assert.ok(!/v1\/mail|Turn off tracking/.test(htmlTo()));
});

test('clicks lead to the original link and are counted per link, opens by the image, with a notice in the email', async () => {
  const { htmlTo, stats } = await sent();
  const [a, b] = linksIn(htmlTo());
  assert.ok(htmlTo().includes('We track whether you open this email and click its links.'));
  assert.ok(/href="[^"]*\/unsubscribe\//.test(htmlTo()) && /href="[^"]*\/newsletter\//.test(htmlTo()));
  assert.equal((await fetchOnce(a!)).headers.get('location'), 'https://shop.example/a?x=1&y=2');
  await stats();
  h.clock.advance(60);
  await fetchOnce(a!);
  await fetchOnce(b!);
  assert.equal((await fetchOnce(pixelIn(htmlTo())!)).headers.get('content-type'), 'image/gif');
  const { delivered, clicked, clicks, opened, opens, links } = await stats();
  assert.deepEqual(
    { delivered, clicked, clicks, opened, opens },
    { delivered: 1, clicked: 1, clicks: 3, opened: 1, opens: 1 },
  );
  assert.deepEqual(links, [
    { url: 'https://shop.example/a?x=1&y=2', clicks: 2 },
    { url: 'https://shop.example/b', clicks: 1 },
  ]);
});

test('a forged link redirects nowhere and is not counted', async () => {
  const { htmlTo, stats } = await sent();
  const [url] = linksIn(htmlTo());
  const other = await sent();
  const forged = [
    url!.replace(/.(?=\/\d+$)/, (end) => (end === 'A' ? 'B' : 'A')),
    url!.replace(/\d+$/, '99'),
    url!.replace(/snd_[^.]+/, other.id),
    `${h.url}/v1/mail/c/a.b.c.d/0`,
  ];
  for (const each of forged) {
    const response = await fetchOnce(each);
    assert.deepEqual([response.status, response.headers.get('location')], [404, null], each);
  }
  await fetchOnce(pixelIn(htmlTo())!.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')));
  const { clicks, opens } = await stats();
  assert.deepEqual([clicks, opens, (await other.stats()).clicks], [0, 0, 0]);
});

test('clicks by scanners don’t count: HEAD requests, scripts, clicks seconds after delivery, and all links at once', async () => {
  const { htmlTo, stats } = await sent();
  const [url] = linksIn(htmlTo());
  assert.equal((await fetchOnce(url!, { method: 'HEAD' })).status, 302);
  await fetchOnce(url!, { headers: { 'user-agent': 'Googlebot/2.1' } });
  await fetchOnce(url!, { headers: { 'user-agent': '' } });
  assert.equal((await stats()).clicks, 0);
  const early = await sent({ clicks: true }, ['ada@example.com'], 5);
  await fetchOnce(linksIn(early.htmlTo())[0]!);
  assert.equal((await early.stats()).clicks, 0);
  const hit = (link: number) => ({ sendId: 's', subscriptionId: 'p', link, atSeconds: 1 });
  assert.deepEqual(withoutScanners([0, 1, 2].map(hit)), []);
  assert.equal(withoutScanners([0, 1, -1].map(hit)).length, 3);
});

test('someone who opted out counts only in totals, and nothing about them is stored', async () => {
  const { newsletter, id, htmlTo, stats } = await sent();
  const token = /\/unsubscribe\/([^"]+)"/.exec(htmlTo())![1]!;
  const path = `${newsletter.base}/collections/tracking` as const;
  assert.equal((await h.call('POST', path, { body: { token: `${token}x`, doNotTrack: true } })).status, 422);
  await ok(h.call('POST', path, { body: { token, doNotTrack: true } }));
  assert.equal((await newsletter.subscribers()).length, 1);
  await fetchOnce(linksIn(htmlTo())[0]!);
  await fetchOnce(pixelIn(htmlTo())!);
  const { clicks, clicked, opens, opened } = await stats();
  assert.deepEqual({ clicks, clicked, opens, opened }, { clicks: 1, clicked: 0, opens: 1, opened: 0 });
  const [row] = await h.pool`select opened_at, clicked_at from deliveries where send_id = ${id}`;
  assert.deepEqual(row, { openedAt: null, clickedAt: null });
});

test('clicks that are written twice count once', async () => {
  const { newsletter, id, stats } = await sent();
  const [{ subscriptionId }] = (await h.pool<{ subscriptionId: string }[]>`
    select subscription_id from deliveries where send_id = ${id}`) as [{ subscriptionId: string }];
  const hits = [{ sendId: id, subscriptionId, link: 0, atSeconds: h.clock.seconds() }];
  const write = (flush: string) =>
    jobContext(h.service, newsletter.businessId).write((tx) =>
      writeHits(tx, newsletter.businessId, flush, hits, h.clock.seconds()),
    );
  for (const flush of ['one', 'one', 'two']) await write(flush);
  assert.equal((await stats()).clicks, 2);
});

test('clicks are written after a second, or when the process stops', async (t) => {
  const { id, htmlTo } = await sent();
  const { pathname } = new URL(linksIn(htmlTo())[0]!);
  const countClicks = async () => {
    const [row] = await h.pool<{ clicks: number }[]>`
      select coalesce(sum(count), 0)::int as clicks from send_hits where send_id = ${id}`;
    return row!.clicks;
  };
  await fetchOnce(linksIn(htmlTo())[0]!);
  await eventually('the click is written', async () => (await countClicks()) === 1);
  await t.test('in a process that stops', async () => {
    const node = await h.startNode();
    await fetch(`${node.url}${pathname}`, { headers: BROWSER, redirect: 'manual' });
  });
  assert.equal(await countClicks(), 2);
});

test('clicks that could not be written are written with the next ones, once', async () => {
  const { htmlTo, stats } = await sent();
  const [first, second] = linksIn(htmlTo());
  await h.pool`alter table mail_events rename to mail_events_renamed`;
  await fetchOnce(first!);
  await h.service.contexts.system().newsletters.hits.flush();
  await h.pool`alter table mail_events_renamed rename to mail_events`;
  await fetchOnce(second!);
  assert.equal((await stats()).clicks, 2);
  assert.equal((await stats()).clicks, 2);
});

test('bounces, complaints and unsubscribes count for the last issue', async () => {
  const emails = ['left', 'bounced', 'complained', 'stays'].map((name) => `${name}@example.com`);
  const first = await sent(null, emails);
  const { newsletter } = first;
  const entryId = await newsletter.entry();
  const { id } = await ok(newsletter.send(entryId));
  await runSends(h.service);
  h.clock.advance(60);
  const [row] = await newsletter.subscribers('?email=left@example.com');
  const token = h.service.contexts.system().newsletters.tokens.token(newsletter.businessId, row!.id);
  await ok(h.call('POST', `${newsletter.base}/collections/unsubscribe`, { body: { token } }));
  const { markFeedback } = await import('../../../src/domains/newsletters/stats/hit-queries.ts');
  const report = (emailKey: string, feedback: 'BOUNCED' | 'COMPLAINED') =>
    jobContext(h.service, newsletter.businessId).write((tx) =>
      markFeedback(tx, newsletter.businessId, { emailKey, feedback, atSeconds: h.clock.seconds() }),
    );
  await report('bounced@example.com', 'BOUNCED');
  await report('complained@example.com', 'COMPLAINED');
  const { sent: count, delivered, bounced, complained, unsubscribed } = await statsOf(newsletter, entryId, id);
  assert.deepEqual([count, delivered, bounced, complained, unsubscribed], [4, 3, 1, 1, 1]);
  assert.equal((await first.stats()).bounced, 0);
});

test('growth counts sign-ups, confirmations and unsubscribes by day in the time zone of the business', async () => {
  const newsletter = await makeNewsletter(h, {}, { profile: { timeZone: 'Asia/Tokyo' } });
  await ok(newsletter.subscribe('ada@example.com'));
  await ok(newsletter.subscribe('bob@example.com'));
  const [row] = await newsletter.subscribers('?email=ada@example.com');
  const token = h.service.contexts.system().newsletters.tokens.token(newsletter.businessId, row!.id);
  await ok(h.call('POST', `${newsletter.base}/collections/unsubscribe`, { body: { token } }));
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/growth` as const;
  const { active, days } = await ok(h.call('GET', path, { token: newsletter.token }));
  const today = Math.floor((h.clock.seconds() + 9 * 3600) / 86_400) * 86_400 - 9 * 3600;
  assert.deepEqual({ active, days }, { active: 1, days: [{ at: today, joined: 2, confirmed: 2, left: 1 }] });
});
