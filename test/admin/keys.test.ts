import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { createPool } from '../../src/db/pool.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, joinAs, logIn, mailed, openAdmin, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

test('an ADMIN limits an API key to permissions and networks, and creates a publishable key', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/api-keys`);
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('Warehouse');
  await dialog.getByLabel('Limit permissions').check();
  assert.ok(await dialog.getByRole('button', { name: 'Create API key' }).isDisabled());
  await dialog.getByLabel('View orders', { exact: true }).check();
  await dialog.getByLabel('Allowed networks').fill('nowhere');
  await checkPage(page, 'a new API key');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  await dialog.getByRole('alert').getByText('203.0.113.0/24').waitFor();
  await dialog.getByLabel('Allowed networks').fill('127.0.0.0/8, ::1');
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const apiKey = await page.getByLabel('API key', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Only from 127.0.0.0/8, ::1').waitFor();
  const limited = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey });
  assert.ok((await limited.orders.list().page()).items);
  await assert.rejects(limited.products.create({ name: 'Mug', variants: [] }), { status: 403 });

  await page.getByRole('button', { name: 'New publishable key' }).click();
  const second = page.getByRole('dialog', { name: 'New publishable key' });
  await second.getByLabel('Name').fill('Shop');
  await second.getByLabel('Origins').fill('https://shop.example');
  await second.getByRole('button', { name: 'Create API key' }).click();
  const list = page.getByRole('list', { name: 'Publishable keys' });
  await list.getByText(/^pk_/).waitFor();
  await checkPage(page, 'the keys');
  await list.getByRole('button', { name: 'Delete publishable key Shop' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await page.getByText('No publishable keys yet').waitFor();
});

test('an API key from before a second factor waits until its owner confirms it', options, async () => {
  const { email, password } = await joinAs(shop, 'SUPPORT');
  const client = createClient({ baseUrl: shop.url });
  await client.users.login({ provider: 'EMAIL', email, password });
  const { id, apiTokens } = await client.users.update({ apiTokens: [{ name: 'Warehouse' }] });
  const pool = createPool(shop.target, { max: 1 });
  await pool`update users set key_generation = 1 where id = ${id}`;
  await pool.end();
  const page = await logIn(shop, '/account/keys', { email, password });
  await page.getByText("It doesn't work until you confirm it").waitFor();
  await checkPage(page, 'an unconfirmed API key');
  await page.getByRole('button', { name: 'Confirm API key Warehouse' }).click();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('dialog').getByRole('button').last().click();
  await page.getByText('API key Warehouse confirmed').waitFor();
  const key = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: apiTokens[0]!.value });
  assert.equal((await key.users.me()).id, id);
});

test('someone logs in with an emailed code, typed or from the link', options, async () => {
  const page = await openAdmin(shop, '', { locale: 'en-US' });
  await page.getByRole('link', { name: 'Log in with an email code' }).click();
  await page.getByLabel('Email').fill('admin@example.com');
  await checkPage(page, 'the login with a code');
  await page.getByRole('button', { name: 'Send code' }).click();
  const text = await mailed(shop, 'admin@example.com', 'login-code#');
  await page.getByLabel('Code').fill('000');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('The code is incorrect').waitFor();
  await checkPage(page, 'a wrong code');
  await page.goto(/http\S+\/login-code#\S+/.exec(text)![0]);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();

  const other = await openAdmin(shop, '', { locale: 'de-DE' });
  await other.goto(/http\S+\/login-code#\S+/.exec(text)![0]);
  await other.getByText('Öffne den Link in dem Browser').waitFor();
  await checkPage(other, 'the link in another browser, in German');
});

test('an ADMIN sets up single sign-on and SCIM', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/sso`);
  await page.getByLabel('Issuer URL').fill('not a URL');
  await page.getByLabel('Client ID').fill('souk');
  await page.getByLabel('Client secret').fill('a-client-secret');
  await page.getByLabel('Domains', { exact: true }).fill('acme.example');
  await page.getByRole('button', { name: 'Add mapping' }).click();
  await page.getByLabel('Value or group').fill('shop-staff');
  await page.getByLabel('Role', { exact: true }).selectOption('SUPPORT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Must be an https URL without a query').first().waitFor();
  await page.getByLabel('Issuer URL').fill('https://login.acme.example');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('souk-verification=').waitFor();
  assert.equal(await page.getByLabel('Client secret').inputValue(), '****cret');
  await page.getByRole('button', { name: 'Verify domains' }).click();
  await page.getByText('No new record found').waitFor();
  await page.getByRole('checkbox', { name: 'Require single sign-on' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Log in with single sign-on first').first().waitFor();
  await page.getByRole('checkbox', { name: 'Require single sign-on' }).uncheck();
  await page.getByRole('button', { name: 'Create token' }).click();
  assert.match(await page.getByRole('dialog').getByLabel('Token').inputValue(), /^scim_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).waitFor();
  await checkPage(page, 'single sign-on');
  const sso = await souk.singleSignOn.getSso();
  assert.deepEqual([sso.roleMappings[0]!.value, sso.enforced], ['shop-staff', false]);
  await page.getByRole('button', { name: 'Remove single sign-on' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Verify domains' }).waitFor({ state: 'detached' });

  const visitor = await openAdmin(shop, '/sso', { locale: 'en-US' });
  await visitor.getByLabel('Email').fill('ada@nowhere.example');
  await visitor.getByRole('button', { name: 'Continue' }).click();
  await visitor.getByText('No business uses single sign-on for nowhere.example').waitFor();
  await checkPage(visitor, 'the search for single sign-on');
});

test('an ADMIN views the shop as a customer, read-only, and ends the session with one click', options, async () => {
  const { items } = await souk.customers.list({ limit: 100 }).page();
  const customer = items.find(({ userId }) => userId)!;
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/customers/${customer.id}`);
  // By keyboard: a click could miss the button, which moves while the sections above it load.
  await page.getByRole('button', { name: 'View as customer' }).press('Enter');
  await page.getByText("You can't change anything").waitFor();
  const token = await page.getByLabel('Access token').inputValue();
  await checkPage(page, 'a support session');
  const orders = `${shop.url}/v1/businesses/${shop.businessId}/orders`;
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(orders, { headers })).status, 200);
  assert.equal((await fetch(`${orders}/checkout`, { method: 'POST', headers })).status, 403);
  await page.getByRole('button', { name: 'End support session' }).click();
  await page.getByText('Support session ended').waitFor();
  assert.equal((await fetch(orders, { headers })).status, 401);
});
