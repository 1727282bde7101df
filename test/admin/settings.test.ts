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

/** A webhook receiver with a configurable response. */
const receiver = { status: 200, calls: 0 };
const server = createServer((_request, response) => {
  receiver.calls++;
  response.writeHead(receiver.status).end('heard');
}).listen(0, '127.0.0.1');
after(() => server.close());

const save = async (page: Page) => {
  const response = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  assert.equal((await response).status(), 200);
  await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
};
const goTo = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};

test('a member sets up invoices, a market, a shipping method, email and an order field', options, async () => {
  const page = await logIn(shop, '/settings');
  await page.getByLabel('Name', { exact: true }).fill('Demo shop & Sons');
  await page.getByLabel('Legal name').fill('Demo Ltd');
  await page.getByLabel('Tax ID').fill('DE123456789');
  await page.getByLabel('City').fill('Berlin');
  await page.getByLabel('Country').selectOption('Germany');
  await page.getByLabel('Time zone').fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Time zone: ').waitFor();
  await checkPage(page, 'the business with an error');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await save(page);
  await page.getByRole('combobox', { name: 'Business' }).getByText('Demo shop & Sons').waitFor({ state: 'attached' });

  await goTo(page, 'Markets');
  await page.getByRole('button', { name: 'Add market' }).click();
  const market = page.getByRole('group', { name: /^Market \d/ });
  await market.getByLabel('Code').fill('ch');
  const swiss = page.getByRole('group', { name: 'ch', exact: true });
  await swiss.getByLabel('Currency').selectOption('CHF – Swiss Franc');
  await swiss.getByLabel('Tax calculation').selectOption('Included in prices');
  await swiss.getByLabel('Tax rate').fill('eight');
  await swiss.getByLabel('Cash').focus();
  await swiss.getByText('Enter a number. The previous value was kept.').waitFor();
  await swiss.getByLabel('Tax rate').fill('8,1');
  await swiss.getByLabel('Cash').uncheck();
  await checkPage(page, 'markets');
  await save(page);
  assert.deepEqual(
    (await configs()).markets?.find(({ id }) => id === 'ch'),
    {
      id: 'ch',
      currency: 'chf',
      taxMode: 'INCLUSIVE',
      taxBps: 810,
      paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'FREE' }],
    },
  );

  await goTo(page, 'Shipping');
  await page.getByRole('button', { name: 'Add shipping method' }).click();
  await page
    .getByRole('group', { name: /^Shipping method \d/ })
    .getByLabel('Name')
    .fill('bike');
  const bike = page.getByRole('group', { name: 'bike', exact: true });
  await bike.getByLabel('Price (ch)').fill('7.50');
  await bike.getByLabel('Minimum order for free shipping (ch) (optional)').fill('100');
  const countries = bike.getByRole('combobox', { name: /^Countries/ });
  for (const country of ['Switzerland', 'Liechtenstein', 'Austria']) {
    await countries.fill(country.slice(0, 4));
    await page.getByRole('option', { name: country, exact: true }).click();
  }
  await bike.getByRole('button', { name: 'Remove Austria' }).click();
  await checkPage(page, 'a shipping method with countries');
  await save(page);
  const method = (await configs()).shippingMethods?.find(({ id }) => id === 'bike');
  assert.deepEqual(method?.countries, ['CH', 'LI']);
  assert.deepEqual(method?.prices.at(-1), { market: 'ch', amount: 750, freeAbove: 10_000 });

  await goTo(page, 'Email');
  await page.getByLabel('Sender name').fill('The demo people');
  await checkPage(page, 'email');
  await save(page);

  await goTo(page, 'Order fields');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page
    .getByRole('group', { name: /^Field \d/ })
    .getByLabel('Code')
    .fill('wrap');
  const wrap = page.getByRole('group', { name: 'wrap', exact: true });
  await wrap.getByLabel('Type').selectOption('Single choice');
  await wrap.getByLabel('Options').fill('paper, cloth');
  await checkPage(page, 'order fields');
  await save(page);
  const { email, orderBlocks, profile } = await configs();
  assert.equal(email?.fromName, 'The demo people');
  assert.deepEqual(orderBlocks?.at(-1)?.settings, { options: ['paper', 'cloth'] });
  assert.equal(profile?.timeZone, 'Europe/Berlin');
  assert.equal(profile?.address?.country, 'DE');
});

test('a payment secret is masked and kept when another setting changes', options, async () => {
  const page = await logIn(shop, '/settings/payment');
  await page.getByLabel('Provider', { exact: true }).selectOption('Stripe');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Secret key: ').waitFor();
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

test('changes to different settings by two people are both saved', options, async () => {
  const page = await logIn(shop, '/settings/email');
  await page.getByLabel('Reply-to email').fill('hello@example.com');
  await staff.businesses.update(shop.businessId, { name: 'Changed meanwhile' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText("Saved and merged with someone else's changes").waitFor();
  const business = await staff.businesses.get(shop.businessId);
  assert.deepEqual([business.name, business.configs.email?.replyTo], ['Changed meanwhile', 'hello@example.com']);
});

test('a member is invited with a custom role, accepts, gets another role and is removed', options, async () => {
  const page = await logIn(shop, '/settings/roles');
  await page.getByRole('link', { name: 'New role' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Packer');
  await page.getByLabel('View orders').check();
  await checkPage(page, 'a new role');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Packer' }).waitFor();
  await checkPage(page, 'roles');

  await goTo(page, 'Team');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill('pat@example.com');
  await dialog.getByLabel('Packer').check();
  await checkPage(page, 'an invitation');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('button', { name: 'Revoke invitation for pat@example.com' }).waitFor();
  await page.goto(await mailedLink(shop, 'pat@example.com', '/invitation'));
  await page.getByLabel('Your name').fill('Pat Packer');
  await page.getByLabel('Password').fill('a-good-pass-4711');
  await page.getByRole('button', { name: 'Create account and accept' }).click();
  await page.getByRole('heading', { name: /^Welcome to/ }).waitFor();
  await page.getByRole('link', { name: 'Open admin' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();

  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/team`);
  await page.getByRole('button', { name: 'Roles for Pat Packer' }).click();
  const roles = page.getByRole('dialog', { name: 'Roles for Pat Packer' });
  await roles.getByLabel('EDITOR').check();
  await roles.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('row', { name: /Pat Packer/ })
    .getByText(/EDITOR/)
    .waitFor();
  await checkPage(page, 'the team');

  await page.getByRole('button', { name: 'Invite member' }).click();
  await dialog.getByLabel('Email').fill('wrong@example.com');
  await dialog.getByLabel('SUPPORT').check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('button', { name: 'Revoke invitation for wrong@example.com' }).click();
  await page.getByText('Invitation for wrong@example.com deleted').waitFor();
  // Leaving the page skips the undo period.
  await page.reload();
  await page.getByRole('button', { name: 'Roles for Pat Packer' }).waitFor();
  assert.deepEqual(await staff.invitations.list().take(10), []);

  await page.getByRole('button', { name: 'Roles for Pat Packer' }).click();
  for (const name of ['Packer', 'EDITOR']) await roles.getByLabel(name).uncheck();
  await roles.getByText('Pat Packer will no longer have access.').waitFor();
  await roles.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Pat Packer/ }).waitFor({ state: 'detached' });
});

test('an API key is created, shown once, works and is revoked', options, async () => {
  const page = await logIn(shop, '/settings/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Warehouse');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const shown = page.getByRole('dialog', { name: 'API key created' });
  const apiKey = await shown.getByLabel('API key').inputValue();
  await checkPage(page, 'a new API key');
  await shown.getByRole('button', { name: 'Done' }).click();
  assert.equal(await page.getByText(apiKey).count(), 0);
  await checkPage(page, 'the API keys');
  const program = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey });
  assert.equal((await program.users.me()).email, 'admin@example.com');
  await page.getByRole('button', { name: 'Revoke API key Warehouse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('API key Warehouse revoked').waitFor();
  await assert.rejects(program.users.me(), { status: 401 });
  assert.ok(await staff.users.me());
});

test('the business ID can be copied on the page of the API keys', options, async () => {
  const page = await logIn(shop, '/settings/api-keys');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText(shop.businessId, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy business ID' }).click();
  await page.getByText('Copied').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), shop.businessId);
  await checkPage(page, 'the business ID');
});

test(
  'a webhook can be tested, created and replayed, retries at the time shown, and gets a new secret',
  options,
  async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const page = await logIn(shop, '/settings/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await checkPage(page, 'no webhooks');
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Endpoint URL').fill(url);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText(/Responded with 200/).waitFor();
    await page.getByLabel('Order', { exact: true }).uncheck();
    await page.getByLabel('Customer', { exact: true }).check();
    await checkPage(page, 'a new webhook');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const secret = page.getByRole('dialog', { name: 'Webhook created' });
    assert.match(await secret.getByLabel('Signing secret').inputValue(), /^whsec_/);
    await page.keyboard.press('Escape');
    await secret.getByRole('button', { name: 'Done' }).click();

    receiver.status = 500;
    await staff.customers.create({ name: 'Someone' });
    const row = page.getByRole('row', { name: /customer\.created/ });
    /** The list updates automatically. */
    const waitForCell = (cell: string) => row.getByRole('cell', { name: cell, exact: true }).waitFor();
    await waitForCell('1');
    await row.getByText(/^Next attempt: .+:\d\d:\d\d [AP]M$/).waitFor();
    await checkPage(page, 'a webhook');
    await row.getByRole('button', { name: 'customer.created' }).click();
    const delivery = page.getByRole('dialog', { name: 'customer.created' });
    await delivery.getByText('heard').first().waitFor();
    await delivery
      .getByText(/500 · .+:\d\d:\d\d [AP]M · \d+ ms/)
      .first()
      .waitFor();
    await delivery.getByText('"name": "Someone"').waitFor();
    await checkPage(page, 'a delivery');
    receiver.status = 200;
    await delivery.getByRole('button', { name: 'Retry' }).click();
    await waitForCell('Succeeded');

    const calls = receiver.calls;
    await page.getByRole('button', { name: 'Replay events' }).click();
    await page.getByRole('dialog').getByLabel('To').fill('2030-01-01T00:00');
    await checkPage(page, 'a replay');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay events' }).click();
    await page.getByText(/^Replaying \d+ events?$/).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    assert.match(await page.getByRole('dialog').getByLabel('Signing secret').inputValue(), /^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await eventually('another call', async () => receiver.calls > calls);
  },
);

test('the audit log shows who changed what, with filters', options, async () => {
  await staff.businesses.update(shop.businessId, { name: 'Audited' });
  const page = await logIn(shop, '/settings/audit');
  await page.getByRole('button', { name: 'Business: updated' }).first().waitFor();
  await staff.customers.create({ name: 'Live Linda' });
  await page.getByRole('row', { name: /Customer: created.*Live Linda/ }).waitFor();
  await checkPage(page, 'the whole audit log');
  await page.getByRole('combobox', { name: 'Event' }).selectOption('Business');
  await page.getByRole('button', { name: 'Business: updated' }).first().waitFor();
  await checkPage(page, 'the filtered audit log');
  await page.getByRole('button', { name: 'Business: updated' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Business: updated' });
  await dialog.getByText('Audited', { exact: true }).waitFor();
  await checkPage(page, 'an entry of the audit log');
});

test('settings require BUSINESS_WRITE, and team, webhooks and audit log require ADMIN', options, async () => {
  const support = await logIn(shop, '/settings/team', await joinAs(shop, 'SUPPORT'));
  await support.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
  assert.equal(await support.getByRole('link', { name: 'Settings' }).count(), 0);

  await staff.roles.create({ name: 'Manager', permissions: ['BUSINESS_WRITE'] });
  const manager = await logIn(shop, '/settings', await joinAs(shop, 'Manager'));
  const links = manager.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await links.first().waitFor();
  const shown = await links.allInnerTexts();
  for (const name of ['Team', 'Roles', 'Webhooks', 'Audit log']) assert.ok(!shown.includes(name), name);
  for (const path of ['team', 'roles', 'webhooks', 'webhooks/new', 'audit']) {
    await manager.goto(`${shop.url}/admin/${shop.businessId}/settings/${path}`);
    await manager.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
  }
  await checkPage(manager, 'a page without access');
});
