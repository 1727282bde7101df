import assert from 'node:assert/strict';
import test from 'node:test';
import { GOOD_PASSWORD, mailedToken, newEmail, registered } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { openPage, skip } from './browser.ts';

const h = await startHarness();

const login = (email: string, password: string) =>
  h
    .call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email, password } })
    .then((response) => response.status);
const register = (email: string) => h.call('POST', '/v1/users/register', { body: { email, password: GOOD_PASSWORD } });

test('the confirmation page works without JavaScript', { skip }, async () => {
  const email = newEmail();
  await register(email);
  await mailedToken(h, email);
  const mail = (await h.mailbox()).find((message) => message.to === email);
  const link = /http\S+/.exec(mail?.kind === 'mail' ? mail.text : '')![0];
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(link);
  assert.equal(await login(email, GOOD_PASSWORD), 422, 'opening the link confirms nothing');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await page.getByRole('status').getByText('You can now log in.').waitFor();
  assert.equal(await login(email, GOOD_PASSWORD), 200);
  assert.equal(await page.title(), 'Email confirmed');
});

test('the reset page works without JavaScript and rejects a weak password', {
  skip,
}, async () => {
  const { email } = await registered(h);
  await h.call('POST', '/v1/users/forgot-password', { body: { email } });
  const token = await mailedToken(h, email);
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(`${h.url}/reset-password?token=${token}`);
  await page.getByLabel('New password').fill('password1');
  await page.getByRole('button').click();
  await page.getByRole('alert').getByText('common').waitFor();
  await page.getByLabel('New password').fill('quite-another-5');
  await page.getByRole('button').click();
  await page.getByRole('status').waitFor();
  assert.equal(await login(email, 'quite-another-5'), 200);
  await page.goto(`${h.url}/reset-password?token=${token}`);
  await page.getByLabel('New password').fill('once-more-12345');
  await page.getByRole('button').click();
  await page.getByRole('alert').getByText('no longer valid').waitFor();
});

test('fetching the link, as mail scanners do, leaves the token usable', async () => {
  const email = newEmail();
  await register(email);
  const token = await mailedToken(h, email);
  for (const method of ['GET', 'HEAD']) await h.call(method, `/confirm?token=${token}`);
  const { headers, body } = await h.call('GET', `/confirm?token=${token}"><script>x</script>`);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.match(headers.get('content-security-policy')!, /default-src 'none'/);
  assert.doesNotMatch(body, /<script>/);
  assert.equal((await h.call('PUT', '/v1/users/confirm', { body: { token } })).status, 200);
});
