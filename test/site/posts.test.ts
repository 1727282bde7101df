import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness, type TestUser } from '../harness.ts';
import { makeNewsletter, ok, runSends } from '../newsletters/fixture.ts';
import { openBrowser } from './browser.ts';

const h = await shareHarness();
const newsletter = await makeNewsletter(h, {}, { storefront: { enabled: true } });
const { base, businessId, collectionId } = newsletter;
const admin = await h.member(businessId, 'ADMIN');
const { slug } = await ok(h.call('GET', `${base}/collections/${collectionId}`, { token: admin.token }));
const site = `/s/${businessId}/${slug}`;
const body = '<p>Free words</p><hr data-paywall><p>Paid treasure</p>';
const blocks = [
  { id: 'title', type: 'TEXT', value: 'A <post>' },
  { id: 'body', type: 'TEXT', value: body },
];
const fields = { blocks, access: 'PLANS', planIds: ['club'] };
const entryId = await newsletter.entry('A <post>', fields);
await newsletter.entry('Hidden draft', { statuses: [{ status: 'DRAFT' }] });

const open = async (path: string) => {
  const response = await fetch(new URL(path, h.url), { redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

async function subscriber(planId: string): Promise<TestUser & { id: string }> {
  const user = await h.user();
  const input = { email: user.email, planId, consent: { source: 'Test', at: 1 } };
  const path = `${base}/collections/${collectionId}/subscribers` as const;
  return { ...user, id: (await ok(h.call('POST', path, { token: newsletter.token, body: input }))).id };
}
const setStatus = (id: string, status: string) =>
  h.pool.transaction(
    (tx) => tx`update subscriptions set status = ${status} where business_id = ${businessId} and id = ${id}`,
  );

test('the pages of a paid post show its free part and the plans, and missing posts return 404', async () => {
  const post = await open(`${site}/a-post`);
  assert.equal(post.status, 200);
  assert.match(post.text, /Free words/);
  assert.match(post.text, /class="paywall"/);
  const full = await open(`${site}/a-post/full`);
  assert.deepEqual([full.status, full.headers.get('cache-control')], [303, 'private, no-store']);
  const list = await open(site);
  for (const { text } of [post, list, full]) assert.doesNotMatch(text, /treasure/);
  assert.match(post.text, /"@type":"Article"/);
  assert.deepEqual([(await open(`${site}/none`)).status, (await open(`${site}/${entryId}`)).status], [404, 301]);
});

test('the archive has the issues that were sent to all subscribers, without their paid parts', async () => {
  const segment = { name: 'Some', filter: { field: 'subscriber.email', op: 'contains', value: '@' } };
  const { id: segmentId } = await ok(
    h.call('POST', `${base}/segments`, { token: admin.token, body: { ...segment, collectionId } }),
  );
  const sent = await newsletter.entry('Sent issue', { access: 'PLANS', planIds: ['club'], blocks });
  const scheduled = await newsletter.entry('Scheduled issue');
  const targeted = await newsletter.entry('Targeted issue');
  await newsletter.entry('Unsent post');
  assert.match((await open(`${site}/archive`)).text, /No issues have been sent yet/);
  for (const [id, input] of [
    [sent, {}],
    [scheduled, { scheduledAt: h.clock.seconds() + 3600 }],
    [targeted, { segmentId }],
  ] as const) {
    const { status, body: answer } = await newsletter.send(id, input);
    assert.equal(status, 200, JSON.stringify(answer));
  }
  await runSends(h.service);
  const listed = await h.call('GET', `${base}/entries?collectionId=${collectionId}&onlySent=true`, {
    token: (await h.guest()).token,
  });
  assert.deepEqual(
    listed.body.items.map(({ id }: { id: string }) => id),
    [sent],
  );
  const page = await open(`${site}/archive`);
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1>Past issues/);
  for (const hidden of [/Scheduled issue/, /Targeted issue/, /Unsent post/, /treasure/])
    assert.doesNotMatch(page.text, hidden);
});

test('an issue without a public title has its date as its title', async () => {
  await newsletter.entry('', { ...fields, blocks: [{ id: 'body', type: 'TEXT', value: body }], slug: 'untitled' });
  assert.match((await open(`${site}/untitled`)).text, /<h1>Post from \w+ \d+, \d{4}<\/h1>/);
});

test("the website and its feed don't show email variables", async () => {
  await newsletter.entry('Hello {{subscriber.name}}', { slug: 'hello' });
  for (const path of [site, `${site}/hello`, `${site}/feed.xml`]) {
    const { status, text } = await open(path);
    assert.deepEqual([status, /Hello/.test(text), /\{\{/.test(text)], [200, true, false], path);
  }
});

test('the excerpt of a post is its text without headings, tables or a greeting, and markup adds no spaces', async () => {
  const value =
    '<h2>Fibers</h2><p>Hi {{subscriber.name}},</p><p>Iron it <em>damp</em>, every <b>break</b>fast.</p><table><tbody><tr><td>08:00</td><td>weave</td></tr></tbody></table><ul><li>warp</li><li>soup</li></ul>';
  const blocks = [{ id: 'body', type: 'TEXT', value }];
  await newsletter.entry('Linen', { slug: 'linen', blocks });
  assert.match((await open(site)).text, /<p>Iron it damp, every breakfast\. warp soup<\/p>/);
});

test('a post links search engines to its own language only, as the sitemap does', async () => {
  const shop = await makeNewsletter(h, {}, { storefront: { enabled: true, locales: ['en', 'de'] } });
  const owner = await h.member(shop.businessId, 'ADMIN');
  const path = `${shop.base}/collections/${shop.collectionId}` as const;
  const { slug: letter } = await ok(h.call('GET', path, { token: owner.token }));
  await shop.entry('Brief', { locale: 'de' });
  await shop.entry('Letter', { locale: 'en' });
  const root = `/s/${shop.businessId}`;
  const sitemap = (await open(`${root}/sitemap-entries.xml`)).text;
  for (const [name, prefix] of [
    ['brief', '/de'],
    ['letter', ''],
  ]) {
    const url = new URL(`${root}${prefix}/${letter}/${name}`, h.url).href;
    assert.ok(sitemap.includes(`<loc>${url}</loc>`), sitemap);
    for (const shown of ['', '/de']) {
      const { text } = await open(`${root}${shown}/${letter}/${name}`);
      assert.equal(/<link rel="canonical" href="([^"]*)"/.exec(text)?.[1], url);
      assert.doesNotMatch(text, /<link rel="alternate" hreflang/);
    }
  }
});

test('the form of a newsletter shows errors in the language of the site', async () => {
  const german = await makeNewsletter(h, {}, { storefront: { enabled: true, locales: ['en', 'de'] } });
  const path = `${german.base}/collections/${german.collectionId}` as const;
  const { slug } = await ok(h.call('GET', path, { token: german.token }));
  const browser = openBrowser(h.url);
  for (const [prefix, text] of [
    ['', /Enter a valid email address/],
    ['/de', /Gib eine gültige E-Mail-Adresse ein/],
  ] as const)
    for (const email of ['', 'nobody', `${'a'.repeat(300)}@example.com`]) {
      await browser.open(`/s/${german.businessId}${prefix}/${slug}/subscribe`);
      const refused = await browser.send('subscribe', { email });
      assert.deepEqual([refused.status, text.test(refused.text)], [422, true], `${prefix} ${email}`);
    }
});

test('the sitemap has published posts', async () => {
  assert.match((await open(`/s/${businessId}/sitemap.xml`)).text, /sitemap-entries\.xml/);
  const { text } = await open(`/s/${businessId}/sitemap-entries.xml`);
  assert.match(text, /\/a-post<\/loc><lastmod>/);
  assert.doesNotMatch(text, /hidden-draft/);
});

test('a feed has the public parts, and a subscriber’s own feed ends with the plan and can be replaced', async () => {
  const feed = await open(`${site}/feed.xml`);
  assert.match(feed.headers.get('content-type')!, /atom/);
  assert.match(feed.text, /<title>A &lt;post&gt;<\/title>/);
  assert.doesNotMatch(feed.text, /treasure/);
  const path = `${base}/collections/${collectionId}/feed-link` as const;
  const club = await subscriber('club');
  const read = async (url: string) => {
    const { pathname, search } = new URL(url);
    const { status, text, headers } = await open(pathname + search);
    return `${status} ${/treasure/.test(text)} ${headers.get('cache-control')?.startsWith('private') ?? false}`;
  };
  const { url } = await ok(h.call('GET', path, { token: club.token }));
  assert.equal(await read(url), '200 true true');
  const free = await subscriber('free');
  assert.equal(
    await read((await ok(h.call('GET', path, { token: free.token }))).url),
    '200 false true',
    'another plan',
  );
  const guest = await h.guest();
  assert.equal((await h.call('GET', path, { token: guest.token })).status, 404);
  await setStatus(club.id, 'UNSUBSCRIBED');
  assert.equal(await read(url), '200 false true', 'ended');
  await setStatus(club.id, 'ACTIVE');
  const replaced = await ok(h.call('POST', path, { token: club.token }));
  assert.match(await read(url), /^404 false/, 'replaced');
  assert.equal(await read(replaced.url), '200 true true');
  assert.match(await read(url.replace(/\.\d+\.([^.]+)$/, '.2.$1')), /^404 false/, 'forged');
});

test('a support session gets no link that works without a login: not the feed URL, in the API or on the site', async () => {
  const reader = await subscriber('club');
  const { body: customer } = await h.call('POST', `${base}/customers`, {
    token: admin.token,
    body: { name: 'Reader' },
  });
  await h.pool`update customers set user_id = ${reader.userId} where business_id = ${businessId} and id = ${customer.id}`;
  const begun = await ok(h.call('POST', `${base}/customers/${customer.id}/support-session`, { token: admin.token }));
  const path = `${base}/collections/${collectionId}/feed-link` as const;
  assert.equal((await h.call('GET', path, { token: begun.accessToken })).status, 403);
  assert.equal((await h.call('GET', path, { token: reader.token })).status, 200);

  const browser = openBrowser(h.url);
  const home = `/s/${businessId}`;
  const { html } = await browser.open(`${home}/login/support`);
  const csrf = /name="csrf" value="([^"]+)"|"csrf":"([^"]+)"/.exec(html)!.slice(1).find(Boolean)!;
  await browser.post(`${home}/login/support`, { action: 'begin', token: begun.accessToken, csrf });
  const shown = await browser.open(`${home}/account/newsletters`);
  assert.equal(shown.status, 200);
  assert.doesNotMatch(shown.html, /token=/);
});

test('an email links to its web version, which its subscriber can open while the subscription lasts', async () => {
  const reader = await subscriber('club');
  const { id: sendId } = await ok(h.call('POST', `${base}/entries/${entryId}/send`, { token: admin.token, body: {} }));
  await h.drain();
  const mail = (await h.mailbox()).find(({ to }) => [to].flat().includes(reader.email!));
  const link = /http[^"\s\\]*\/newsletter\/[\w.-]+/.exec(JSON.stringify(mail))?.[0].replaceAll('\\', '');
  assert.ok(link, 'the email has the link');
  const { pathname } = new URL(link);
  const shown = await open(pathname);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /treasure/);
  assert.match(shown.headers.get('content-security-policy')!, /sandbox/);
  assert.ok(pathname.includes(sendId));
  const forged = reader.id.slice(0, -1) + (reader.id.endsWith('0') ? '1' : '0');
  assert.equal((await open(pathname.replace(reader.id, forged))).status, 404, 'forged');
  await setStatus(reader.id, 'UNSUBSCRIBED');
  const ended = await open(pathname);
  assert.equal(ended.status, 404);
  assert.doesNotMatch(ended.text, /treasure/);
});

test('staff preview unsaved content on the website, and nothing is stored', async () => {
  const path = `${base}/entries/${entryId}/site-preview` as const;
  const edited = [
    { id: 'title', type: 'TEXT', value: 'Edited <b>' },
    { id: 'body', type: 'TEXT', value: '<p>New words</p><hr data-paywall><p>Secret</p><script>alert(1)</script>' },
  ];
  const preview = async (audience: string) =>
    (await ok(h.call('POST', path, { token: admin.token, body: { blocks: edited, audience } }))).html;
  const shown = await preview('public');
  assert.match(shown, /Edited &lt;b>/);
  assert.match(shown, /New words/);
  assert.doesNotMatch(shown, /Secret|alert\(1\)/);
  assert.match(await preview('reader'), /Secret/);
  assert.doesNotMatch((await open(`${site}/a-post`)).text, /Edited|New words/);
  for (const user of [await h.guest(), await subscriber('club')]) {
    assert.equal((await h.call('POST', path, { token: user.token, body: { blocks: edited } })).status, 403);
  }
});

test('a post without a date of its own shows the day on which it was published in the time zone of the business', async () => {
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const other = await makeNewsletter(h, {}, { storefront: { enabled: true }, profile: { timeZone } });
    const id = await other.entry('A post', { blocks });
    const { statuses } = await ok(h.call('GET', `${other.base}/entries/${id}`, { token: other.token }));
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(statuses[0]!.timestamp * 1000);
    const collection = await ok(
      h.call('GET', `${other.base}/collections/${other.collectionId}`, { token: other.token }),
    );
    const { text } = await open(`/s/${other.businessId}/${collection.slug}/a-post`);
    assert.ok(text.includes(`>${day}<`), `${day} is not on the page`);
  }
});
