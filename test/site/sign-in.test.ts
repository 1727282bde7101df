import assert from 'node:assert/strict';
import test from 'node:test';
import { codeAt, stepAt } from '../../src/domains/accounts/factors/totp.ts';
import { GOOD_PASSWORD, newEmail, registered } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { openBrowser } from './browser.ts';

const h = await startHarness({ LIMIT_ADDRESS: '10000', ALLOWED_ORIGINS: 'https://shop.example' });
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
  return { browser, requested: await browser.send('code', { email }) };
}

async function loggedIn(email: string, password = GOOD_PASSWORD) {
  const browser = openBrowser(h.url);
  await browser.open(`${base}/login`);
  await browser.send('login', { email, password });
  return browser;
}

test('a customer logs in with an emailed code, without a password and without JavaScript', async () => {
  const email = newEmail();
  const { browser, requested } = await askForCode(email);
  assert.match(requested.url, /\/login-code$/);
  const { code, mail } = await codeMail(email);
  assert.match(mail.html ?? '', /Tea House/);
  const wrong = await browser.send('login', { code: '000000' });
  assert.deepEqual([wrong.status, /This code is incorrect/.test(wrong.text)], [422, true]);
  const account = await browser.send('login', { code });
  assert.match(account.url, /\/account$/);
  const security = await browser.open(`${base}/account/security`);
  assert.match(security.text, /Your account has no password/);
  // Without a password, a login in the last few minutes is enough to add a factor.
  assert.match((await browser.send('add-app')).text, /Scan this code/);
});

test('a customer without a password deletes their account after a recent login', async () => {
  const email = newEmail();
  const { browser } = await askForCode(email);
  await browser.send('login', { code: (await codeMail(email)).code });
  h.clock.advance(3600);
  assert.doesNotMatch((await browser.open(`${base}/account/data`)).html, /name="password"/);
  const late = await browser.send('delete', { sure: 'yes' });
  assert.deepEqual([late.status, /Log out and log in again/.test(late.text)], [422, true]);
  const { browser: again } = await askForCode(email);
  await again.send('login', { code: (await codeMail(email)).code });
  await again.open(`${base}/account/data`);
  await again.send('delete', { sure: 'yes' });
  assert.deepEqual(await h.pool`select id from users where email = ${email}`, []);
});

test('a customer with an authenticator app deletes their account with a code from it', async () => {
  const email = newEmail();
  const { browser } = await askForCode(email);
  await browser.send('login', { code: (await codeMail(email)).code });
  await browser.open(`${base}/account/security`);
  const { html } = await browser.send('add-app');
  const secret = /name="secret" value="([^"]+)"/.exec(html)![1]!;
  await browser.send('confirm-app', { code: codeAt(secret, stepAt(h.clock.seconds())) });
  h.clock.advance(3600);
  await browser.open(`${base}/account/data`);
  const asked = await browser.send('delete', { sure: 'yes' });
  assert.match(asked.text, /authenticator app/);
  await browser.send('delete', { code: codeAt(secret, stepAt(h.clock.seconds())) });
  assert.deepEqual(await h.pool`select id from users where email = ${email}`, []);
});

test('the account pages of a session that was ended elsewhere lead to the login, and its forms do nothing', async () => {
  const { email } = await registered(h);
  /** A browser at the last account page, after its session was ended in another one. */
  const ended = async () => {
    const browser = await loggedIn(email);
    const elsewhere = openBrowser(h.url);
    await browser.open(`${base}/account/data`);
    for (const [name, value] of browser.jar) elsewhere.jar.set(name, value);
    await elsewhere.open(`${base}/account`);
    await elsewhere.send('logout');
    return browser;
  };
  for (const path of [
    '',
    '/orders/ord_1',
    '/orders/ord_1/documents/doc_1',
    '/addresses',
    '/newsletters',
    '/security',
  ]) {
    const { status, url } = await (await ended()).open(`${base}/account${path}`);
    assert.deepEqual([status, url], [200, `${h.url}${base}/login`], path);
  }
  for (const action of ['export', 'delete']) {
    const { status, url } = await (await ended()).send(action, { password: GOOD_PASSWORD });
    assert.deepEqual([status, url], [200, `${h.url}${base}/login`], action);
  }
  assert.match((await loggedIn(email)).current().url, /\/account$/);
});

test('the link in a code email opens the same page in every browser and language, but logs in only where it was requested', async () => {
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

test('the email has no link to a host of the business, because its owner could read the code there', async () => {
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

async function mailedLink(email: string) {
  await h.drain('forgot-password');
  const mail = (await h.mailbox()).find((each) => each.kind === 'mail' && each.to === email);
  assert.ok(mail?.kind === 'mail');
  return /http\S+\?token=[\w.-]+/.exec(mail.text)![0];
}

test('the links to confirm an email and to reset a password open the storefront that requested them, in its language', async () => {
  const email = newEmail();
  const browser = openBrowser(h.url);
  await browser.open(`${base}/de/login`);
  await browser.send('register', { email, password: GOOD_PASSWORD });
  const confirm = await mailedLink(email);
  assert.ok(confirm.startsWith(`${h.url}${base}/de/confirm?token=`), confirm);
  const scanner = openBrowser(h.url);
  await scanner.open(confirm);
  await browser.open(confirm);
  assert.match((await browser.send('follow')).text, /E-Mail-Adresse bestätigt/);

  await browser.open(`${base}/login`);
  await browser.send('forgot', { email });
  const reset = await mailedLink(email);
  assert.ok(reset.startsWith(`${h.url}${base}/reset-password?token=`), reset);
  await browser.open(reset);
  const weak = await browser.send('follow', { password: 'short' });
  assert.deepEqual([weak.status, /name="token" value="[\w.-]+"/.test(weak.html)], [422, true]);
  const done = await browser.send('follow', { password: `new-${GOOD_PASSWORD}` });
  assert.match(done.text, /Password changed/);
  assert.match(done.html, new RegExp(`href="[^"]*${base}/login"`));
  assert.match((await loggedIn(email, `new-${GOOD_PASSWORD}`)).current().url, /\/account$/);
  await browser.open(reset);
  assert.match((await browser.send('follow', { password: `other-${GOOD_PASSWORD}` })).text, /no longer valid/);
});

test('a link with a token never leads to a host of a business that the operator does not trust', async () => {
  const host = 'coffee.example';
  await h.pool`insert into storefront_hosts (host, owner_id, proved_at) values (${host}, ${businessId}, 0)`;
  await h.service.businesses.hosts.start(h.pool);
  const { email } = await registered(h);
  const ask = (more: object) => h.call('POST', '/v1/users/forgot-password', { body: { email, ...more } });
  assert.equal((await ask({ businessId, reserveDomain: `https://${host}` })).status, 200);
  assert.ok((await mailedLink(email)).startsWith(`${h.url}${base}/reset-password?token=`));
  const other = newEmail();
  const body = { email: other, password: GOOD_PASSWORD, businessId, reserveDomain: `https://${host}` };
  assert.equal((await h.call('POST', '/v1/users/register', { body })).status, 200);
  assert.ok((await mailedLink(other)).startsWith(`${h.url}${base}/confirm?token=`));
  // Nor to the host of another business, or to a host that belongs to no business.
  const foreign = await h.business();
  for (const refused of [
    { businessId: foreign, reserveDomain: `https://${host}` },
    { businessId, reserveDomain: 'https://evil.example' },
    { reserveDomain: `https://${host}` },
  ]) {
    assert.equal((await ask(refused)).status, 422, JSON.stringify(refused));
  }
});

test('a customer adds an authenticator app, and logs in with its code or a recovery code afterward', async () => {
  const { email } = await registered(h);
  const browser = await loggedIn(email);
  await browser.open(`${base}/account/security`);
  const requested = await browser.send('add-app');
  assert.match(requested.text, /Enter your password to continue/);
  assert.equal((await browser.send('add-app', { password: 'wrong' })).status, 422);
  const setup = await browser.send('add-app', { password: GOOD_PASSWORD });
  const secret = /name="secret" value="(\w+)"/.exec(setup.html)![1]!;
  assert.match(setup.html, /otpauth:\/\/totp\/Tea%20House:/);
  const code = () => codeAt(secret, stepAt(h.clock.seconds()));
  assert.match((await browser.send('confirm-app', { code: '000000' })).text, /This code is incorrect/);
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

  // After losing the phone, the customer ends the other sessions.
  await lost.open(`${base}/account/security`);
  const others = [...lost.current().html.matchAll(/name="id" value="(ses_\w+)"/g)].length;
  assert.ok(others >= 2, String(others));
  await lost.send('end');
  const left = [...lost.current().html.matchAll(/name="id" value="(ses_\w+)"/g)].length;
  assert.equal(left, others - 1);
});
