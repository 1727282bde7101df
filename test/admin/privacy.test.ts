import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, joinAs, logIn } from './browser.ts';

const shop = await startShop();
const options = { skip, timeout: 120_000 };
const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });

test('a customer’s data is exported, then erased, and the report says what was kept and why', options, async () => {
  const [order] = await staff.orders.list({ query: 'grace@example.com' }).take(1);
  const { id } = await staff.customers.create({ name: 'Grace Hopper', email: 'grace@example.com' });
  const page = await logIn(shop, `/customers/${id}`);
  await page.getByRole('heading', { name: 'Personal data' }).waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export personal data' }).click();
  const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8'));
  assert.ok(saved.customers.some((each: { name: string }) => each.name === 'Grace Hopper'));
  assert.ok(saved.orders.some((each: { id: string }) => each.id === order!.id));

  await page.getByRole('button', { name: 'Erase personal data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase personal data' });
  const erase = dialog.getByRole('button', { name: 'Erase personal data' });
  assert.equal(await erase.isDisabled(), true);
  await dialog.getByLabel('Type “Grace Hopper” to confirm').fill('Grace Hopper');
  await checkPage(page, 'the confirmation');
  await erase.click();
  await dialog.getByText('Amounts only, for accounting').waitFor();
  await checkPage(page, 'the report');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  assert.equal((await staff.orders.get(order!.id)).email, null);

  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/erasures`);
  await page.getByRole('button', { name: id }).click();
  await page.getByRole('dialog', { name: 'Erasure requests' }).getByText('Amounts only, for accounting').waitFor();
  await checkPage(page, 'an earlier report');
});

test('erasure requests and API errors are translated to German', options, async () => {
  await staff.customers.create({ name: 'Twin', email: 'twin@example.com' });
  const page = await logIn(shop, '/settings/erasures');
  await page.evaluate(() => localStorage.setItem('admin.language', 'de'));
  await page.reload();
  await page.getByRole('heading', { name: 'Löschanfragen', level: 1 }).waitFor();
  await page.getByText('Abgeschlossen').first().waitFor();
  await checkPage(page, 'erasures in German');
  await page.goto(`${shop.url}/admin/${shop.businessId}/customers/new`);
  await page.getByLabel('E-Mail', { exact: true }).fill('twin@example.com');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Dieser Wert ist bereits vergeben.').first().waitFor();
  assert.equal(await page.getByText(/another customer/i).count(), 0);
});

test('a paid plan shows its payments, can be canceled, and the billing page simulates renewals', options, async () => {
  const [newsletter] = await staff.collections.list({ type: 'NEWSLETTER' }).take(1);
  const plans = [
    ...newsletter!.plans,
    { id: 'patron', name: 'Patron', price: { amount: 900, currency: 'eur', interval: 'MONTHLY' as const } },
  ];
  await staff.collections.update(newsletter!.id, { plans, settings: { ...newsletter!.settings, doubleOptIn: false } });
  const guest = createClient({ baseUrl: shop.url, businessId: shop.businessId });
  await guest.users.login({ provider: 'GUEST' });
  const email = 'patron@example.com';
  const { checkoutUrl } = (await guest.newsletters.subscribe(newsletter!.id, { email, planId: 'patron' })) as {
    checkoutUrl: string;
  };
  await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });

  const page = await logIn(shop, `/newsletters/${newsletter!.id}/subscribers`);
  await page.getByRole('button', { name: email }).click();
  const dialog = page.getByRole('dialog', { name: email });
  await dialog.getByText('Renews on').waitFor();
  await checkPage(page, 'a paying subscriber');
  await dialog.getByRole('button', { name: 'Cancel at end of billing period' }).click();
  await dialog.getByText('Canceled. Ends on').waitFor();
  const opening = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: "View subscriber's billing page" }).click();
  const plan = await opening;
  await plan.getByRole('button', { name: 'Keep plan' }).click();
  await plan.getByRole('button', { name: 'Simulate failed renewal' }).click();
  await plan.getByText('Your last payment failed.').waitFor();
  await checkPage(plan, 'a failed renewal');
  await plan.getByRole('button', { name: 'Renew now' }).click();
  await plan.getByText('Your plan renews on').waitFor();
  await plan.getByRole('button', { name: 'Cancel plan' }).click();
  await plan.getByRole('button', { name: 'End period' }).click();
  await plan.getByText('Your plan has ended.').waitFor();
  await checkPage(plan, 'a plan that has ended');
});

test('a member exports their data and deletes their account', options, async () => {
  const login = await joinAs(shop, 'SUPPORT');
  const page = await logIn(shop, '/account/data', login);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8'));
  assert.equal(saved.account.user.email, login.email);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete my account' });
  await dialog.getByLabel(`Type ${login.email} to confirm`).fill(login.email);
  await dialog.getByLabel('Password').fill('wrong-pass-1');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await dialog.getByText(/password is incorrect/).waitFor();
  await checkPage(page, 'a wrong password');
  await dialog.getByLabel('Password').fill(login.password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  const client = createClient({ baseUrl: shop.url });
  await assert.rejects(client.users.login({ provider: 'EMAIL', ...login }));
});
