import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, joinAs, logIn, mailedLink, openAdmin } from './browser.ts';

const shop = await startShop();
const options = { skip, timeout: 120_000 };
const PASSWORD = 'a-good-pass-4711';

test('a new user registers, confirms the email address, logs in and creates a business', options, async () => {
  const email = 'new.owner@example.com';
  const page = await openAdmin(shop, '');
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').waitFor();
  await checkPage(page, 'register');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await checkPage(page, 'registered');
  await page.goto(await mailedLink(shop, email, '/confirm'));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await page.getByRole('heading', { name: 'Email confirmed' }).waitFor();
  await page.goto(`${shop.url}/admin`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Create your first business' }).waitFor();
  await checkPage(page, 'the first business');
  await page.getByLabel('Name').fill('Corner shop');
  await page.getByRole('button', { name: 'Create business' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Business', level: 1 }).waitFor();
});

test('a forgotten password is reset by email', options, async () => {
  const { email } = await joinAs(shop, 'SUPPORT');
  const page = await openAdmin(shop, '');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await checkPage(page, 'forgot password');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(/we sent a reset link/).waitFor();
  await page.goto(await mailedLink(shop, email, '/reset-password'));
  await page.getByLabel('New password').fill('another-pass-4712');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByRole('heading', { name: 'Password changed' }).waitFor();
  await logIn(shop, '/account', { email, password: 'another-pass-4712' });
});

test('a member changes their name and password and logs out other devices', options, async () => {
  const login = await joinAs(shop, 'SUPPORT');
  const other = createClient({ baseUrl: shop.url });
  await other.users.login({ provider: 'EMAIL', ...login });
  const page = await logIn(shop, '/account', login);
  await page.getByLabel('Name', { exact: true }).fill('Sam Smith');
  await checkPage(page, 'the profile');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByText('Sam Smith').first().waitFor();

  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Log out of all other devices' }).click();
  await page.getByText('Session ended').waitFor();
  await assert.rejects(other.users.me(), { status: 401 });
  await page.getByRole('list', { name: 'Sessions' }).getByText('This device').waitFor();
  await page.getByLabel('Current password').fill('not-my-pass-1');
  await page.getByLabel('New password').fill('another-pass-4713');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').first().waitFor();
  await checkPage(page, 'password and sessions');
  await page.getByLabel('Current password').fill(login.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed.').first().waitFor();

  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText("You don't have any API keys.").waitFor();
  await checkPage(page, 'keys');
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await page.getByText('Password changed').first().waitFor();
  await checkPage(page, 'activity');
});

test('someone who was assigned a role accepts or declines it, and leaves the business', options, async () => {
  const owner = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
  const roles = await owner.roles.list({ businessId: shop.businessId }).take(10);
  const roleId = roles.find(({ name }) => name === 'SUPPORT')!.id;
  const login = await joinAs(shop, 'SUPPORT');
  const client = createClient({ baseUrl: shop.url });
  await client.users.login({ provider: 'EMAIL', ...login });
  const { id: userId } = await client.users.me();
  const page = await logIn(shop, '/account', login);
  await page.getByRole('button', { name: /^Leave / }).click();
  await checkPage(page, 'leaving a business');
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'Create your first business' }).waitFor();

  for (const answer of ['Decline', 'Accept']) {
    await owner.users.setRole({ userId, roleId, businessId: shop.businessId });
    await page.reload();
    await page.getByRole('heading', { name: 'Role offers' }).waitFor();
    await checkPage(page, 'a pending role');
    await page.getByRole('button', { name: new RegExp(`^${answer} the role at`) }).click();
    if (answer === 'Decline') await page.getByRole('heading', { name: 'Role offers' }).waitFor({ state: 'detached' });
    else
      await page
        .getByRole('link', { name: 'Settings' })
        .or(page.getByRole('link', { name: 'Orders' }))
        .first()
        .waitFor();
  }
});
