import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { codeAt, stepAt } from '../../src/domains/accounts/factors/totp.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { plugIn } from '../pages/passkey-device.ts';
import { checkPage, joinAs, logIn, mailed } from './browser.ts';

const shop = await startShop();
/** Browsers bind passkeys to a host name, so not to 127.0.0.1. */
const local = { ...shop, url: shop.url.replace('127.0.0.1', 'localhost') };
const options = { skip, timeout: 180_000 };
const owner = { email: 'admin@example.com', password: shop.password };

const confirmPassword = async (page: Page, password: string) => {
  const dialog = page.getByRole('dialog', { name: "Confirm that it's you" });
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'detached' });
};
const logOut = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true }).first().click();

/** Sets up an authenticator app. Returns its codes: each call gives the code of a later step. */
async function setUpApp(page: Page, password: string): Promise<() => string> {
  await page.getByRole('button', { name: 'Set up app' }).click();
  await confirmPassword(page, password);
  const dialog = page.getByRole('dialog', { name: 'Set up app' });
  const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '');
  await checkPage(page, 'setting up an app');
  let step = stepAt(Date.now() / 1000) - 1;
  const nextCode = () => codeAt(secret, ++step);
  await dialog.getByLabel('Code from the app').fill(nextCode());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  return nextCode;
}

test('a member adds a passkey and logs in with it, without an email or a password', options, async () => {
  const login = await joinAs(shop, 'SUPPORT');
  const page = await logIn(local, '/account/security', login);
  const device = await plugIn(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await confirmPassword(page, login.password);
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await codes.waitFor();
  assert.equal(await codes.getByRole('listitem').count(), 10);
  await checkPage(page, 'recovery codes');
  await codes.getByRole('button', { name: "I've saved them" }).click();
  await page.getByText('10 codes left').waitFor();
  await checkPage(page, 'security with a passkey');
  await mailed(shop, login.email, '“Laptop” was added');

  await device.touch(false);
  await logOut(page);
  const button = page.getByRole('button', { name: 'Log in with a passkey' });
  await button.waitFor();
  await checkPage(page, 'login with passkeys');
  await device.touch(true);
  await button.click();
  await button.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();

  // The browser offers the passkey in the email field: the device answers as soon as the page asks.
  const offered = page.waitForResponse((response) => response.url().endsWith('/admin/session/passkey'));
  await logOut(page);
  assert.equal((await offered).status(), 200);

  // After the password, the passkey is the second factor.
  await device.touch(false);
  await logOut(page);
  await page.getByLabel('Email').fill(login.email);
  await page.getByLabel('Password').fill(login.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Use passkey' }).waitFor();
  await checkPage(page, 'the second factor');
  await device.touch(true);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await page.getByRole('heading', { level: 1, name: 'Log in to Souk' }).waitFor({ state: 'detached' });

  await page.goto(`${local.url}/admin/${shop.businessId}/account/security`);
  await page.getByRole('button', { name: 'Remove: Laptop' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await page.getByText('No passkeys yet').waitFor();
});

test('a member logs in with a code from the app, and with a recovery code if the phone is lost', options, async () => {
  const login = await joinAs(shop, 'SUPPORT');
  const page = await logIn(shop, '/account/security', login);
  await page.getByText(/bind them to a host name/).waitFor();
  const nextCode = await setUpApp(page, login.password);
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await codes.waitFor();
  const [recoveryCode] = await codes.getByRole('listitem').allTextContents();
  const download = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Download' }).click();
  assert.equal((await download).suggestedFilename(), 'souk-recovery-codes.txt');
  await codes.getByRole('button', { name: "I've saved them" }).click();
  await logOut(page);
  const enter = async () => {
    await page.getByLabel('Email').fill(login.email);
    await page.getByLabel('Password').fill(login.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  await enter();
  const code = page.getByLabel('Code from your authenticator app');
  await code.fill('123456');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await checkPage(page, 'a wrong code');
  await code.fill(nextCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await code.waitFor({ state: 'detached' });
  await logOut(page);
  await enter();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode!);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Recovery code').waitFor({ state: 'detached' });
  await page.goto(`${shop.url}/admin/${shop.businessId}/account/security`);
  await page.getByText('9 codes left').waitFor();
});

test('an admin protects sensitive actions and requires two-factor authentication for the team', options, async () => {
  const member = await joinAs(shop, 'SUPPORT');
  const page = await logIn(shop, '/settings/security', owner);
  await page.getByLabel('Require confirmation before sensitive actions').check();
  await checkPage(page, 'security settings');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();

  // The action waits for the step-up and then continues automatically.
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/roles/new`);
  await page.getByLabel('Name', { exact: true }).fill('Warehouse');
  await page.getByRole('button', { name: /^(Save|Create role)$/ }).click();
  await page.getByRole('dialog', { name: "Confirm that it's you" }).waitFor();
  await checkPage(page, 'step-up');
  await confirmPassword(page, owner.password);
  const roles = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey }).roles;
  await page.getByRole('heading', { level: 1, name: 'Warehouse' }).or(page.getByText('Warehouse')).first().waitFor();
  assert.ok((await roles.list().take(100)).some(({ name }) => name === 'Warehouse'));

  await page.goto(`${shop.url}/admin/${shop.businessId}/account/security`);
  const nextCode = await setUpApp(page, owner.password);
  await page.getByRole('button', { name: "I've saved them" }).click();
  await assert.rejects(roles.list().take(1), { error: 'KEY_UNCONFIRMED' }, 'a key from before the first factor');
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/security`);
  await page.getByLabel('Require two-factor authentication for all members').check();
  await page.getByLabel('Grace period').fill('0');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog', { name: "Confirm that it's you" }).waitFor();
  await page.getByLabel('Code from your authenticator app').fill(nextCode());
  await page.getByRole('dialog', { name: "Confirm that it's you" }).getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const theirs = await logIn(shop, '/orders', member);
  await theirs.getByRole('heading', { level: 1, name: 'Two-factor authentication required' }).waitFor();
  await checkPage(theirs, 'the wall');
  await theirs.getByRole('link', { name: 'Set up now' }).click();
  await setUpApp(theirs, member.password);
  await theirs.getByRole('button', { name: "I've saved them" }).click();
  await theirs.goto(`${shop.url}/admin/${shop.businessId}/orders`);
  await theirs.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
});
