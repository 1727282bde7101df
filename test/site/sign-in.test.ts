import assert from 'node:assert/strict';
import test from 'node:test';
import { codeAt, stepAt } from '../../src/domains/accounts/factors/totp.ts';
import { GOOD_PASSWORD, newEmail, registered } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { openBrowser } from './browser.ts';

const h = await startHarness({ LIMIT_ADDRESS: '10000' });
const businessId = await h.business();
const { token: admin } = await h.member(businessId, 'ADMIN');
await h.call('PUT', `/v1/businesses/${businessId}`, {
  token: admin,
  body: { name: 'Tea House', configs: { storefront: { enabled: true, locales: ['en', 'de'] } } },
});
const base = `/s/${businessId}`;

async function codeMail(email: string) {
  await h.drain('login-code');
  const mail = (await h.mailbox()).find((each) => each.kind === 'mail' && each.to === email);
  assert.ok(mail?.kind === 'mail');
  return { code: /\d{6}/.exec(mail.subject)![0], link: /http\S+login-code#\S+/.exec(mail.text)![0], mail };
}

async function askForCode(email: string, path = '/login') {
  const browser = openBrowser(h.url);
  await browser.open(`${base}${path}`);
  return { browser, asked: await browser.send('code', { email }) };
}

async function loggedIn(email: string, password = GOOD_PASSWORD) {
  const browser = openBrowser(h.url);
  await browser.open(`${base}/login`);
  await browser.send('login', { email, password });
  return browser;
}

test('a customer logs in with an emailed code, without a password and without JavaScript', async () => {
  const email = newEmail();
  const { browser, asked } = await askForCode(email);
  assert.match(asked.url, /\/login-code$/);
  const { code, mail } = await codeMail(email);
  assert.match(mail.html ?? '', /Tea House/);
  const wrong = await browser.send('login', { code: '000000' });
  assert.deepEqual([wrong.status, /This code is wrong/.test(wrong.text)], [422, true]);
  const account = await browser.send('login', { code });
  assert.match(account.url, /\/account$/);
  const security = await browser.open(`${base}/account/security`);
  assert.match(security.text, /Your account has no password/);
  // Without a password, a login of the last minutes is enough to add a factor.
  assert.match((await browser.send('add-app')).text, /Scan this code/);
});

test('the link of a code opens the same page in every browser and language, but logs in only where it was requested', async () => {
  const email = newEmail();
  const { browser } = await askForCode(email, '/de/login');
  const { link, code } = await codeMail(email);
  assert.match(link, new RegExp(`^http://[^/]+${base}/de/login-code#email=.*&code=${code}$`));
  const elsewhere = openBrowser(h.url);
  // A mail scanner opens the link without its fragment, as often as it likes.
  for (const visitor of [elsewhere, elsewhere]) {
    assert.match((await visitor.open(link)).text, /nur in dem Browser/);
    const tried = await visitor.post(link, {
      action: 'login',
      code,
      csrf: /name="csrf" value="([^"]+)/.exec(visitor.current().html)![1]!,
    });
    assert.match(tried.text, /nur in dem Browser/);
  }
  await browser.open(link);
  assert.match((await browser.send('login', { code })).url, /\/de\/account$/);
});

test('the email has no link to a host of the business, whose owner could read the code there', async () => {
  const host = 'tea.example';
  await h.pool`insert into storefront_hosts (host, owner_id, proved_at) values (${host}, ${businessId}, 0)`;
  await h.service.businesses.hosts.start(h.pool);
  const email = newEmail();
  const body = { email, businessId, reserveDomain: `https://${host}` };
  assert.equal((await h.call('POST', '/v1/users/login/code', { body })).status, 200);
  await h.drain('login-code');
  const mail = (await h.mailbox()).find((each) => each.kind === 'mail' && each.to === email);
  assert.ok(mail?.kind === 'mail' && !mail.text.includes('login-code'));
  assert.match(mail.text, /\d{6}/);
});

test('a customer adds an authenticator app, and logs in with its code or a recovery code afterwards', async () => {
  const { email } = await registered(h);
  const browser = await loggedIn(email);
  await browser.open(`${base}/account/security`);
  const asked = await browser.send('add-app');
  assert.match(asked.text, /Enter your password to continue/);
  assert.equal((await browser.send('add-app', { password: 'wrong' })).status, 422);
  const setup = await browser.send('add-app', { password: GOOD_PASSWORD });
  const secret = /name="secret" value="(\w+)"/.exec(setup.html)![1]!;
  const code = () => codeAt(secret, stepAt(h.clock.seconds()));
  assert.match((await browser.send('confirm-app', { code: '000000' })).text, /This code is wrong/);
  const saved = await browser.send('confirm-app', { code: code() });
  const codes = [...saved.html.matchAll(/<code>(\w{5}-\w{5})<\/code>/g)].map(([, each]) => each!);
  assert.equal(codes.length, 10);
  const page = await browser.open(`${base}/account/security`);
  assert.match(page.text, /Codes left: 10/);
  assert.ok(!codes.some((each) => page.html.includes(each)));

  h.clock.advance(30);
  const phone = await loggedIn(email);
  assert.match(phone.current().text, /Confirm that it's you/);
  assert.match((await phone.open(`${base}/account`)).url, /\/login$/);
  const next = await loggedIn(email);
  assert.match((await next.send('factor', { code: code() })).url, /\/account$/);
  const lost = await loggedIn(email);
  assert.equal((await lost.send('factor', { code: 'aaaaa-aaaaa' })).status, 422);
  assert.match((await lost.send('factor', { code: codes[0]! })).url, /\/account$/);

  // The person who finds the phone ends the other sessions.
  await lost.open(`${base}/account/security`);
  const others = [...lost.current().html.matchAll(/name="id" value="(ses_\w+)"/g)].length;
  assert.ok(others >= 2, String(others));
  await lost.send('end');
  const left = [...lost.current().html.matchAll(/name="id" value="(ses_\w+)"/g)].length;
  assert.equal(left, others - 1);
});
