import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, joinAs, logIn, mailedLink } from './browser.ts';

const shop = await startShop({ OUTBOUND_ALLOW: '127.0.0.1' });
const options = { skip, timeout: 120_000 };
const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
const configs = async () => (await staff.businesses.get(shop.businessId)).configs;

/** Somebody's own program, which answers as it is told. */
const receiver = { answers: 200, calls: 0 };
const server = createServer((_request, response) => {
  receiver.calls++;
  response.writeHead(receiver.answers).end('heard');
}).listen(0, '127.0.0.1');
after(() => server.close());

const save = async (page: Page) => {
  const answer = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  assert.equal((await answer).status(), 200);
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
};
const goTo = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};

test('a business is set up: name, invoices, a market, a shipping method, e-mail, a field', options, async () => {
  const page = await logIn(shop, '/settings');
  await page.getByLabel('Name', { exact: true }).fill('Demo shop & Sons');
  await page.getByLabel('Legal name').fill('Demo Ltd');
  await page.getByLabel('Tax id').fill('DE123456789');
  await page.getByLabel('City').fill('Berlin');
  await page.getByLabel('Time zone').fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText(/is no time zone/)
    .first()
    .waitFor();
  await checkPage(page, 'the business with a mistake');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await save(page);
  await page.getByRole('combobox', { name: 'Business' }).getByText('Demo shop & Sons').waitFor({ state: 'attached' });

  await goTo(page, 'Markets');
  await page.getByRole('button', { name: 'Add market' }).click();
  const market = page.getByRole('group', { name: /^Market \d/ });
  await market.getByLabel('Code').fill('ch');
  const swiss = page.getByRole('group', { name: 'ch', exact: true });
  await swiss.getByLabel('Currency').fill('CHF');
  await swiss.getByLabel('Prices').selectOption('Tax is included');
  await swiss.getByLabel('Tax rate').fill('8.1');
  await swiss.getByLabel('Cash').uncheck();
  await checkPage(page, 'markets');
  await save(page);
  assert.deepEqual(
    (await configs()).markets?.find(({ id }) => id === 'ch'),
    {
      ...{ id: 'ch', currency: 'chf', taxMode: 'INCLUSIVE', taxBps: 810 },
      paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'FREE' }],
    },
  );

  await goTo(page, 'Shipping');
  await page.getByRole('button', { name: 'Add shipping method' }).click();
  await page
    .getByRole('group', { name: /^Method \d/ })
    .getByLabel('Code')
    .fill('bike');
  const bike = page.getByRole('group', { name: 'bike', exact: true });
  await bike.getByLabel('Price in ch').fill('7.50');
  await bike.getByLabel('Free from, in ch (optional)').fill('100');
  await bike.getByLabel('Countries').fill('ch, li');
  await checkPage(page, 'shipping');
  await save(page);
  const method = (await configs()).shippingMethods?.find(({ id }) => id === 'bike');
  assert.deepEqual(method?.countries, ['CH', 'LI']);
  assert.deepEqual(method?.prices.at(-1), { market: 'ch', amount: 750, freeAbove: 10_000 });

  await goTo(page, 'E-mail');
  await page.getByLabel('From').fill('The demo people');
  await checkPage(page, 'e-mail');
  await save(page);

  await goTo(page, 'Order fields');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page
    .getByRole('group', { name: /^Field \d/ })
    .getByLabel('Code')
    .fill('wrap');
  const wrap = page.getByRole('group', { name: 'wrap', exact: true });
  await wrap.getByLabel('Type').selectOption('One choice');
  await wrap.getByLabel('Choices').fill('paper, cloth');
  await checkPage(page, 'order fields');
  await save(page);
  const { email, orderBlocks, profile } = await configs();
  assert.equal(email?.fromName, 'The demo people');
  assert.deepEqual(orderBlocks?.at(-1)?.settings, { options: ['paper', 'cloth'] });
  assert.deepEqual(profile?.timeZone, 'Europe/Berlin');
});

test('a payment secret is masked, and stays when something else is changed', options, async () => {
  const page = await logIn(shop, '/settings/payment');
  await page.getByLabel('Provider', { exact: true }).selectOption('Stripe');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText(/secretKey is required/)
    .first()
    .waitFor();
  await page.getByLabel('Secret key').fill('sk_test_thisIsSecretA1B2');
  await save(page);
  await page.waitForFunction(
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    () => [...(globalThis as any).document.querySelectorAll('input')].some(({ value }: any) => value === '****A1B2'),
  );
  await checkPage(page, 'the payment provider');
  await page.getByLabel('Publishable key').fill('pk_test_1');
  await save(page);
  const { paymentProvider } = await configs();
  assert.deepEqual([paymentProvider?.publicKey, paymentProvider?.secretKey], ['pk_test_1', '****A1B2']);
  await page.getByLabel('Provider', { exact: true }).selectOption('Sandbox');
  await save(page);
});

test('two people change different settings at once: both are there', options, async () => {
  const page = await logIn(shop, '/settings/email');
  await page.getByLabel('Replies go to').fill('hello@example.com');
  await staff.businesses.update(shop.businessId, { name: 'Changed meanwhile' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Both changes are saved.').waitFor();
  const business = await staff.businesses.get(shop.businessId);
  assert.deepEqual([business.name, business.configs.email?.replyTo], ['Changed meanwhile', 'hello@example.com']);
});

test('a colleague is invited with a role of their own, accepts, and gets another role', options, async () => {
  const page = await logIn(shop, '/settings/roles');
  await page.getByRole('link', { name: 'New role' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Packer');
  await page.getByLabel('See orders').check();
  await checkPage(page, 'a new role');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Packer' }).waitFor();
  await checkPage(page, 'roles');

  await goTo(page, 'Team');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('E-mail').fill('pat@example.com');
  await dialog.getByLabel('Packer').check();
  await checkPage(page, 'an invitation');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('button', { name: 'Take back the invitation of pat@example.com' }).waitFor();
  await page.goto(await mailedLink(shop, 'pat@example.com', '/invitation'));
  await page.getByLabel('Your name').fill('Pat Packer');
  await page.getByLabel('Password').fill('a-good-pass-4711');
  await page.getByRole('button', { name: 'Create the account and accept' }).click();
  await page.getByRole('heading', { name: /^Welcome to/ }).waitFor();
  await page.getByRole('link', { name: 'Open the admin' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();

  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/team`);
  await page.getByRole('button', { name: 'Roles of Pat Packer' }).click();
  const roles = page.getByRole('dialog', { name: 'Roles of Pat Packer' });
  await roles.getByLabel('EDITOR').check();
  await roles.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('row', { name: /Pat Packer/ })
    .getByText(/EDITOR/)
    .waitFor();
  await checkPage(page, 'the team');

  await page.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByLabel('E-mail').fill('wrong@example.com');
  await dialog.getByLabel('SUPPORT').check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('button', { name: 'Take back the invitation of wrong@example.com' }).click();
  await page.getByText('The invitation of wrong@example.com is deleted.').waitFor();
  // Who leaves the page does not wait for the undo.
  await page.reload();
  await page.getByRole('button', { name: 'Roles of Pat Packer' }).waitFor();
  assert.deepEqual(await staff.invitations.list().take(10), []);

  await page.getByRole('button', { name: 'Roles of Pat Packer' }).click();
  for (const name of ['Packer', 'EDITOR']) await roles.getByLabel(name).uncheck();
  await roles.getByText('Without a role Pat Packer is no member any more.').waitFor();
  await roles.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Pat Packer/ }).waitFor({ state: 'detached' });
});

test('a key is made by the service, shown once, works, and is revoked', options, async () => {
  const page = await logIn(shop, '/settings/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Warehouse');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const shown = page.getByRole('dialog', { name: 'The key Warehouse is made' });
  const apiKey = await shown.getByLabel('Secret').inputValue();
  await checkPage(page, 'a key that is shown once');
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  assert.equal(await page.getByText(apiKey).count(), 0);
  await checkPage(page, 'the keys');
  const program = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey });
  assert.equal((await program.users.me()).email, 'admin@example.com');
  await page.getByRole('button', { name: 'Revoke the key Warehouse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key Warehouse is revoked.').waitFor();
  await assert.rejects(program.users.me(), { status: 401 });
  assert.ok(await staff.users.me());
});

test('a webhook is tried, made, fails, is sent again, and gets a new secret', options, async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const page = await logIn(shop, '/settings/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await checkPage(page, 'no webhooks');
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Address', { exact: true }).fill(url);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/It answered 200/).waitFor();
  await page.getByLabel('Order', { exact: true }).uncheck();
  await page.getByLabel('Customer', { exact: true }).check();
  await checkPage(page, 'a new webhook');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const secret = page.getByRole('dialog', { name: 'The webhook is made' });
  assert.match(await secret.getByLabel('Secret').inputValue(), /^whsec_/);
  await secret.getByRole('button', { name: 'I have stored it' }).click();

  receiver.answers = 500;
  await staff.customers.create({ name: 'Somebody' });
  const row = page.getByRole('row', { name: /customer\.created/ });
  /** Reloads the deliveries until the row says this. */
  const says = (cell: string) =>
    eventually(`a delivery that says ${cell}`, async () => {
      await page.getByRole('button', { name: 'Reload' }).click();
      return row.getByRole('cell', { name: cell, exact: true }).isVisible();
    });
  await says('1');
  await checkPage(page, 'a webhook');
  await row.getByRole('button', { name: 'customer.created' }).click();
  const delivery = page.getByRole('dialog', { name: 'customer.created' });
  await delivery.getByText('heard').first().waitFor();
  await checkPage(page, 'a delivery');
  receiver.answers = 200;
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await says('Succeeded');

  const calls = receiver.calls;
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByLabel('To').fill('2030-01-01T00:00');
  await checkPage(page, 'a replay');
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('The events are sent again.').waitFor();
  await page.getByRole('button', { name: 'Replace the secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
  assert.match(await page.getByRole('dialog').getByLabel('Secret').inputValue(), /^whsec_/);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await eventually('another call', async () => receiver.calls > calls);
});

test('the audit says who changed what, by kind and person', options, async () => {
  await staff.businesses.update(shop.businessId, { name: 'Audited' });
  const page = await logIn(shop, '/settings/audit');
  await page.getByRole('button', { name: 'Business: changed' }).first().waitFor();
  await checkPage(page, 'all of the audit');
  await page.getByRole('combobox', { name: 'What' }).selectOption('Business');
  await page.getByRole('button', { name: 'Business: changed' }).first().waitFor();
  await checkPage(page, 'the audit');
  await page.getByRole('button', { name: 'Business: changed' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Business: changed' });
  await dialog.getByText('Audited').waitFor();
  await checkPage(page, 'an entry of the audit');
});

test('settings are not for SUPPORT; team, webhooks and audit only for ADMIN', options, async () => {
  const support = await logIn(shop, '/settings/team', await joinAs(shop, 'SUPPORT'));
  await support.getByRole('heading', { name: 'This is not for your role' }).waitFor();
  assert.equal(await support.getByRole('link', { name: 'Settings' }).count(), 0);

  await staff.roles.create({ name: 'Manager', permissions: ['BUSINESS_WRITE'] });
  const manager = await logIn(shop, '/settings', await joinAs(shop, 'Manager'));
  const links = manager.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await links.first().waitFor();
  const shown = await links.allInnerTexts();
  for (const name of ['Team', 'Roles', 'Webhooks', 'Audit']) assert.ok(!shown.includes(name), name);
  for (const path of ['team', 'roles', 'webhooks', 'webhooks/new', 'audit']) {
    await manager.goto(`${shop.url}/admin/${shop.businessId}/settings/${path}`);
    await manager.getByRole('heading', { name: 'This is not for your role' }).waitFor();
  }
  await checkPage(manager, 'what is forbidden');
});
