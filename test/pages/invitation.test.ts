import assert from 'node:assert/strict';
import test from 'node:test';
import { GOOD_PASSWORD, newEmail, registered } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { openPage, skip } from './browser.ts';

const h = await startHarness();
const owner = await h.user();
const { body: business } = await h.call('POST', '/v1/businesses', {
  token: owner.token,
  body: { name: 'Shop <b>&</b>' },
});
const { body: roles } = await h.call('GET', `/v1/roles?businessId=${business.id}`, { token: owner.token });
const editor = roles.items.find((role) => role.name === 'EDITOR');

async function invite(email: string): Promise<string> {
  const path = `/v1/businesses/${business.id}/invitation` as const;
  const { status } = await h.call('POST', path, { token: owner.token, body: { email, roleIds: [editor!.id] } });
  assert.equal(status, 200);
  const texts = (await h.mailbox()).map((message) =>
    message.to === email && message.kind === 'mail' ? message.text : '',
  );
  return texts.map((text) => /http\S+\/invitation\S+/.exec(text)?.[0]).find(Boolean)!;
}

async function roleIdsOf(email: string, password = GOOD_PASSWORD): Promise<string[] | null> {
  const body = { provider: 'EMAIL', email, password };
  const login = await h.call('POST', '/v1/users/login', { body });
  if (login.status !== 200) return null;
  return (await h.call('GET', '/v1/users/me', { token: login.body.accessToken })).body.roleIds;
}

test('a new user creates an account and joins without JavaScript and without a second email', {
  skip,
}, async () => {
  const email = newEmail();
  // Someone else registered the address with another password before.
  await h.call('POST', '/v1/users/register', { body: { email, password: 'the-other-one-99' } });
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(await invite(email));
  await page.getByRole('heading', { name: 'Join Shop <b>&</b>' }).waitFor();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Password').fill('short');
  await page.getByLabel('Password').press('Enter');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada');
  await page.getByLabel('Password').fill(GOOD_PASSWORD);
  await page.getByRole('button', { name: 'Create account and accept' }).click();
  await page.getByRole('status').getByText(email).waitFor();
  assert.deepEqual(await roleIdsOf(email), [editor!.id]);
  assert.equal(await roleIdsOf(email, 'the-other-one-99'), null);
  assert.equal((await h.mailbox()).filter((message) => message.to === email).length, 2);
});

test('an existing user logs in to join, and a wrong password is rejected', { skip }, async () => {
  const { email } = await registered(h);
  const link = await invite(email);
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(link);
  await page.getByLabel('Password').fill('not-my-password-1');
  await page.getByRole('button', { name: 'Log in and accept' }).click();
  await page.getByRole('alert').getByText('incorrect').waitFor();
  assert.deepEqual(await roleIdsOf(email), []);
  await page.getByLabel('Password').fill(GOOD_PASSWORD);
  await page.getByRole('button', { name: 'Log in and accept' }).click();
  await page.getByRole('status').waitFor();
  assert.deepEqual(await roleIdsOf(email), [editor!.id]);
  await page.goto(link);
  await page.getByRole('alert').getByText('Ask for a new one').waitFor();
});

test('declining needs only the link, and opening the link changes nothing', { skip }, async () => {
  const email = newEmail();
  const link = await invite(email);
  for (const method of ['GET', 'HEAD']) await h.call(method, link.replace(h.url, ''));
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(link);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('status').getByText('The link no longer works').waitFor();
  await page.goto(link);
  await page.getByRole('alert').waitFor();
});

test('a user without a password can request a link to set one', { skip }, async () => {
  const { email } = await registered(h);
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(await invite(email));
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByRole('status').getByText('link to set a password').waitFor();
});

test('the page is escaped, has a strict policy and fits on a phone screen', { skip }, async () => {
  const link = await invite(newEmail());
  const { body, headers } = await h.call('GET', link.replace(h.url, ''), { headers: { accept: 'text/html' } });
  assert.match(headers.get('content-security-policy')!, /default-src 'none'/);
  assert.doesNotMatch(body, /<b>|<script|style=/);
  const page = await openPage();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(link);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(width) <= 360, `${width} px`);
  const evil = await h.call('GET', '/invitation?token="><script>x</script>', { headers: { accept: 'text/html' } });
  assert.deepEqual([evil.status, /<script>/.test(evil.body)], [404, false]);
});
