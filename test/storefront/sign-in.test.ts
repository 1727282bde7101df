import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { checkPage, joinAs, logIn, mailed } from '../admin/browser.ts';
import { startShop } from '../client/shop.ts';
import { openPage, skip } from '../pages/browser.ts';
import { plugIn } from '../pages/passkey-device.ts';

const shop = await startShop();
/** Browsers bind passkeys to a host name, so not to 127.0.0.1. */
const local = { ...shop, url: shop.url.replace('127.0.0.1', 'localhost') };
const site = `${local.url}/s/demo`;
const options = { skip, timeout: 180_000 };

async function logInWithPassword(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(`${site}/login`);
  await page.getByLabel('Email').first().fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}
const logOut = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true }).first().click();

test(
  'a customer adds a passkey, logs in with it by button and from the email field, and can log in after losing the phone',
  options,
  async () => {
    const login = await joinAs(shop, 'SUPPORT');
    const page = await openPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
    const device = await plugIn(page);
    await device.touch(false);
    await logInWithPassword(page, login);
    await page.waitForURL(/\/account$/);
    await page.goto(`${site}/account/security`);
    await checkPage(page, 'security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel('Password').fill(login.password);
    await checkPage(page, 'step-up');
    await page.getByRole('button', { name: 'Continue' }).click();
    await device.touch(true);
    await page.getByLabel('Passkey name').fill('Phone');
    await checkPage(page, 'a new passkey');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const [recoveryCode] = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    await checkPage(page, 'recovery codes');
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByText('For localhost').waitFor();
    await checkPage(page, 'security with a passkey');

    // The button needs no email.
    await device.touch(false);
    await logOut(page);
    await page.goto(`${site}/login`);
    const button = page.getByRole('button', { name: 'Log in with a passkey' });
    await button.waitFor();
    await checkPage(page, 'login');
    await device.touch(true);
    await button.click();
    await page.waitForURL(/\/account$/);

    // The browser offers the passkey in the email field: the device answers as soon as the page asks.
    await logOut(page);
    await page.waitForURL(/\/s\/demo\/?$/);
    await page.goto(`${site}/login`);
    await page.waitForURL(/\/account$/);

    // After the password, the passkey is the second factor.
    await device.touch(false);
    await logOut(page);
    await logInWithPassword(page, login);
    await page.getByRole('heading', { name: "Confirm that it's you" }).waitFor();
    await checkPage(page, 'the second factor');
    await device.touch(true);
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await page.waitForURL(/\/account$/);

    // The phone is lost.
    const laptop = await openPage({ viewport: { width: 1280, height: 800 } });
    await logInWithPassword(laptop, login);
    await laptop.getByLabel('Code').fill(recoveryCode!);
    await laptop.getByRole('button', { name: 'Log in', exact: true }).click();
    await laptop.waitForURL(/\/account$/);
    await laptop.goto(`${site}/account/security`);
    await laptop.getByText('Codes left: 9').waitFor();
    await laptop.getByRole('button', { name: 'Remove Phone' }).click();
    const again = await laptop.getByLabel('Code').isVisible();
    assert.ok(again, 'a removal requires a step-up');
  },
);

test('the link in the email fills in the code, and only in the browser that requested it', options, async () => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  const email = `code-${Date.now()}@example.com`;
  await page.goto(`${site}/de/login`);
  await page.getByLabel('E-Mail').first().fill(email);
  await page.getByRole('button', { name: 'Code per E-Mail senden' }).click();
  await page.getByRole('heading', { name: 'Code eingeben' }).waitFor();
  await checkPage(page, 'the code');
  const link = await codeLink(email);
  const elsewhere = await openPage();
  await elsewhere.goto(link);
  await elsewhere.getByText(/nur in dem Browser/).waitFor();
  await page.goto(link);
  assert.match(await page.getByLabel('Code').inputValue(), /^\d{6}$/);
  assert.ok(!page.url().includes('#'));
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.waitForURL(/\/account$/);
});

/** The link of the newest login code, on the host of the browser. */
const codeLink = async (email: string) => /http\S+login-code#\S+/.exec(await mailed(shop, email, '/login-code#'))![0];

test(
  'an admin views the shop as a customer, sees the notice on every page, and ends it with one click',
  options,
  async () => {
    const page = await logIn(local, '/customers', { email: 'admin@example.com', password: shop.password });
    const customer = await openPage();
    const email = `seen-${Date.now()}@example.com`;
    await customer.goto(`${site}/login`);
    await customer.getByLabel('Email').first().fill(email);
    await customer.getByRole('button', { name: 'Email me a login code' }).click();
    await customer.goto(await codeLink(email));
    await customer.getByRole('button', { name: 'Log in', exact: true }).click();
    await customer.waitForURL(/\/account$/);
    await customer.goto(`${site}`);
    await customer.getByRole('button', { name: 'Add to cart' }).first().click();
    await customer
      .getByText(/added to cart/)
      .first()
      .waitFor();
    await customer.goto(`${site}/checkout`);
    await customer.getByRole('button', { name: 'Place order' }).click();
    await customer.waitForURL(/\/pay\//);

    const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
    const [found] = await staff.customers.list({ query: email }).take(1);
    await page.goto(`${local.url}/admin/${shop.businessId}/customers/${found!.id}`);
    await page.getByRole('button', { name: 'View as customer' }).click();
    const open = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'View storefront' }).click();
    const view = await open;
    await view.getByRole('button', { name: 'View storefront' }).click();
    await view.waitForURL(/\/account$/);
    const bar = view.getByText(/You're viewing the storefront as/);
    await bar.waitFor();
    await checkPage(view, 'support access');
    for (const path of ['', '/products', '/cart']) {
      await view.goto(site + path);
      await bar.waitFor();
    }
    await view.goto(site);
    await view.getByRole('button', { name: 'Add to cart' }).first().click();
    await view.getByText('Not available during a support session').waitFor();
    await checkPage(view, 'a refused form');
    await view.getByRole('button', { name: 'End support session' }).click();
    await bar.waitFor({ state: 'detached' });
  },
);
