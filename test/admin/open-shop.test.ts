import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { startDns } from '../accounts/sso/dns.ts';
import { demoSettings } from '../client/demo.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { photo } from '../media/files.ts';
import { openPage, skip } from '../pages/browser.ts';
import { eventually, startService } from '../service.ts';
import { checkPage, openAdmin } from './browser.ts';

const dns = await startDns();
const target = await cloneDatabase();
const folder = mkdtempSync(join(tmpdir(), 'souk-open-shop-'));
// As in production, with an outbox instead of a mail server.
const service = await startService('start', {
  ...demoSettings(target, folder),
  NODE_ENV: 'production',
  DEMO: '0',
  PAYMENT_SANDBOX: '1',
  WORKERS: '1',
  DNS_SERVERS: dns.server,
});
after(async () => {
  await service.stop();
  await dropDatabase(target);
  rmSync(folder, { recursive: true, force: true });
});
const shop = { url: service.url! };
// The first request of a new installation builds the admin.
if (!skip) await fetch(`${shop.url}/admin`);
const host = `shop.nora.example:${new URL(shop.url).port}`;

const EMAIL = 'nora@example.com';
const PASSWORD = 'walk-the-shop-1';
const BUYER = 'ada@example.com';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click();
  await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
  await page.getByText('Saving').waitFor({ state: 'hidden' });
}

/** Follows a step of the setup checklist. */
async function step(page: Page, text: string, title: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home', exact: true }).click();
  await heading(page, 'Home');
  await link(page, text).click();
  await heading(page, title);
}

async function upload(page: Page, name: string, file: string, seed: number): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, name).click()]);
  await chooser.setFiles({ name: file, mimeType: 'image/jpeg', buffer: await photo(400, 400, seed) });
}

/** The link in the output of the first run creates the account and the business. */
async function register(page: Page): Promise<void> {
  const [setupLink] = service.output().match(/http\S+\/setup\?\S+/) ?? [];
  await page.goto(setupLink!);
  await field(page, 'Business name').fill('Nora’s garden');
  await field(page, 'Email').fill(EMAIL);
  await field(page, 'Password').fill(PASSWORD);
  await button(page, 'Create account').click();
  await link(page, 'Open admin').click();
  await field(page, 'Email').fill(EMAIL);
  await field(page, 'Password').fill(PASSWORD);
  await button(page, 'Log in').click();
  await heading(page, 'Home');
  await checkPage(page, 'the checklist');
}

async function sell(page: Page): Promise<void> {
  await step(page, 'Add a market with a currency and tax rate', 'Markets');
  await button(page, 'Add market').click();
  const market = page.getByRole('group', { name: /^Market 1/ });
  await market.getByLabel('Code').fill('us');
  const named = page.getByRole('group', { name: 'us', exact: true });
  await named.getByLabel('Tax rate').fill('7.25');
  await save(page);
  await step(page, 'Add a shipping method', 'Shipping');
  await button(page, 'Add shipping method').click();
  await page
    .getByRole('group', { name: /^Shipping method \d/ })
    .getByLabel('Name')
    .fill('Post');
  await page.getByRole('group', { name: 'Post', exact: true }).getByLabel('Price (us)').fill('4.50');
  await save(page);
  await step(page, 'Choose a payment provider', 'Payment');
  await page.getByRole('combobox', { name: 'Provider', exact: true }).selectOption('SANDBOX');
  await save(page);
}

async function addCategories(page: Page): Promise<void> {
  await step(page, 'Create categories (optional)', 'Categories');
  for (const name of ['Seeds', 'Tools']) {
    await link(page, 'New category').first().click();
    await field(page, 'Name').fill(name);
    await save(page);
    await heading(page, name);
    await link(page, 'Back').click();
    await heading(page, 'Categories');
  }
}

async function addProduct(page: Page, name: string, category: string, price: string, number: number): Promise<void> {
  await field(page, 'Name').fill(name);
  await upload(page, 'Upload files: Images', `product-${number}.jpg`, number);
  await button(page, `Remove product-${number}.jpg`).waitFor();
  await page.getByRole('checkbox', { name: category }).check();
  assert.equal(await field(page, 'Category label').inputValue(), category.toLowerCase());
  await field(page, 'Price (us)').fill(price);
  await field(page, 'Quantity').fill('20');
  await save(page);
  await heading(page, name);
}

async function addProducts(page: Page): Promise<void> {
  await step(page, 'Add your first product', 'New product');
  await addProduct(page, 'Sunflower', 'Seeds', '3.20', 1);
  await link(page, 'Products').first().click();
  await link(page, 'New product').click();
  await addProduct(page, 'Trowel', 'Tools', '18', 2);
}

async function addLogo(page: Page): Promise<void> {
  await step(page, 'Add your logo (optional)', 'Storefront');
  await upload(page, 'Upload file: Logo (optional)', 'logo.jpg', 3);
  await page.getByText('Unsaved changes').waitFor();
  await checkPage(page, 'the design');
  await save(page);
}

async function addLegalPages(page: Page): Promise<void> {
  await step(page, 'Add legal pages (optional)', 'Storefront');
  for (const name of ['Legal notice', 'Terms and conditions', 'Privacy policy', 'Right of withdrawal', 'Shipping']) {
    await page.getByRole('textbox', { name, exact: true }).fill(`${name} of Nora’s garden`);
  }
  await checkPage(page, 'the legal pages');
  await save(page);
}

async function addDomain(page: Page): Promise<void> {
  await step(page, 'Use your own domain (optional)', 'Storefront');
  await button(page, 'Add domain').click();
  await field(page, 'Domain').fill(host);
  await save(page);
  const [, name, value] = await page.locator('dd code').allTextContents();
  await button(page, 'Check').click();
  await page.getByText(/doesn't have the value/).waitFor();
  dns.records.set(name!, value!);
  await button(page, 'Check').click();
  await page.getByText(`Domain connected. Launch your storefront to go live at ${host}.`).first().waitFor();
  await checkPage(page, 'the domains');
}

async function openToPublic(page: Page): Promise<void> {
  await step(page, 'Launch your storefront', 'Storefront');
  await page.getByRole('checkbox', { name: 'Open to the public' }).check();
  await checkPage(page, 'the storefront settings');
  await save(page);
  await link(page, 'View storefront').waitFor();
  await link(page, 'Domains').click();
  await page.getByText(`Your storefront is live at ${host}`).waitFor();
}

/** Buys without JavaScript. */
async function buy(page: Page): Promise<void> {
  await page.goto(`http://${host}/products`);
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Seeds' }).click();
  await link(page, 'Sunflower').click();
  await heading(page, 'Sunflower');
  const response = await page.goto(`http://${host}/products/sunflower`);
  assert.equal(response!.status(), 200);
  await heading(page, 'Sunflower');
  assert.match(await page.title(), /Sunflower/);
  await button(page, 'Add to cart').click();
  await page.getByText('Sunflower added to cart').waitFor();
  assert.equal(await page.getByText('Default').count(), 0, 'a product with one variant has no variant name');
  await page.getByRole('link', { name: 'Check out' }).click();
  await heading(page, 'Checkout');
  const fields = {
    Email: BUYER,
    Name: 'Ada Lovelace',
    'Street address': '1 Market Street',
    'ZIP code': '94105',
    City: 'San Francisco',
  };
  for (const [name, text] of Object.entries(fields)) await field(page, name).fill(text);
  await field(page, 'State').selectOption('CA');
  await page.getByRole('checkbox', { name: /terms/ }).check();
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await heading(page, /Thank you/);
}

/** Production has no mailbox page. */
async function findConfirmation(): Promise<string | undefined> {
  const outbox = join(folder, 'outbox');
  const mails = readdirSync(outbox).map((name) => JSON.parse(readFileSync(join(outbox, name), 'utf8')));
  return mails.find(({ to, text }) => to.includes(BUYER) && text.includes('Sunflower'))?.text;
}

async function returnByMail(page: Page): Promise<void> {
  const text = await eventually('the order confirmation', findConfirmation);
  const [address] = text.match(/https?:\/\/\S+\/order\/\S+/) ?? [];
  assert.ok(address, text);
  await page.goto(address);
  await heading(page, 'Order #1');
  await page.getByText('Sunflower').first().waitFor();
}

test('a new merchant opens a shop in the browser, and a visitor buys there without JavaScript', {
  skip,
  timeout: 300_000,
}, async (t: TestContext) => {
  const page = await openAdmin(shop, '', { locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const stranger = await openPage({ javaScriptEnabled: false, locale: 'en-US' });
  const later = await openPage({ javaScriptEnabled: false, locale: 'en-US' });
  stranger.setDefaultTimeout(20_000);
  const parts: [string, () => Promise<void>][] = [
    ['account and business', () => register(page)],
    ['market, shipping, payment', () => sell(page)],
    ['categories', () => addCategories(page)],
    ['products', () => addProducts(page)],
    ['logo', () => addLogo(page)],
    ['legal pages', () => addLegalPages(page)],
    ['domain', () => addDomain(page)],
    ['opening', () => openToPublic(page)],
    ['purchase', () => buy(stranger)],
    ['return by email', () => returnByMail(later)],
  ];
  const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
  const first = performance.now();
  for (const [name, run] of parts) {
    const start = performance.now();
    await run();
    t.diagnostic(`${name}: ${seconds(start)}`);
  }
  t.diagnostic(`total: ${seconds(first)}`);
});
