import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { photo } from '../media/files.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, mailed, mailedLink, openAdmin, startAdmin } from './browser.ts';
import { arrive, choose, go, press, save, tabTo, type, upload } from './keyboard.ts';

const { shop } = await startAdmin();
const EMAIL = 'nora@example.com';
const PASSWORD = 'walk-the-shop-1';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function logIn(page: Page, email: string): Promise<void> {
  await type(page, field(page, 'Email'), email);
  await type(page, field(page, 'Password'), PASSWORD);
  await page.keyboard.press('Enter');
}

const CUSTOMER = {
  Email: 'ada@example.com',
  Name: 'Ada Lovelace',
  'Street address': '1 Market Street',
  City: 'San Francisco',
  'ZIP code': '94105',
};

async function createBusiness(page: Page): Promise<void> {
  await press(page, link(page, 'Create account'));
  await arrive(page, 'Create account');
  await type(page, field(page, 'Email'), EMAIL);
  await type(page, field(page, 'Password'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(`We sent a confirmation link to ${EMAIL}`).waitFor();
  await page.goto(await mailedLink(shop, EMAIL, '/confirm'));
  await press(page, button(page, 'Confirm email'));
  await press(page, link(page, 'Continue'));
  await press(page, link(page, 'Admin'));
  await logIn(page, EMAIL);
  await type(page, field(page, 'Name'), 'Nora’s garden');
  await page.keyboard.press('Enter');
  await arrive(page, 'Home');
  await checkPage(page, 'the home of a new business');
}

async function setUp(page: Page): Promise<void> {
  await press(page, link(page, 'Add a market with a currency and tax rate'));
  await arrive(page, 'Markets');
  for (const [code, name, currency, tax] of [
    ['us', 'United States', 'USD', '0'],
    ['eu', 'Europe', 'EUR', '19'],
  ] as const) {
    await press(page, page.getByRole('button', { name: 'Add market' }));
    const fresh = page.getByRole('group', { name: /^Market \d/ });
    await type(page, fresh.getByLabel('Code'), code);
    await type(page, page.getByRole('group', { name: code, exact: true }).getByLabel('Name'), name);
    const market = page.getByRole('group', { name, exact: true });
    await choose(page, market.getByLabel('Currency'), currency);
    await type(page, market.getByLabel('Tax rate'), tax);
  }
  await checkPage(page, 'two markets');
  await save(page);
  await press(page, link(page, 'Shipping'));
  await arrive(page, 'Shipping');
  await press(page, page.getByRole('button', { name: 'Add shipping method' }));
  await type(page, page.getByRole('group', { name: /^Shipping method \d/ }).getByLabel('Name'), 'post');
  const post = page.getByRole('group', { name: 'post', exact: true });
  await type(page, post.getByLabel('Price (United States)', { exact: true }), '5');
  await type(page, post.getByLabel('Price (Europe)', { exact: true }), '4,50');
  await checkPage(page, 'a shipping method');
  await save(page);
}

async function createProduct(page: Page, number: number): Promise<void> {
  await go(page, 'New product', 'New product');
  await type(page, field(page, 'Name'), `Seeds no. ${number}`);
  const image = { name: `seeds-${number}.jpg`, mimeType: 'image/jpeg', buffer: await photo(400, 400, number) };
  await upload(page, button(page, 'Upload files: Images'), image);
  await page.getByRole('button', { name: `Remove seeds-${number}.jpg` }).waitFor();
  await type(page, field(page, 'Category label'), 'seeds');
  await press(page, button(page, 'Add option'));
  await type(page, field(page, 'Option 1'), 'Size');
  await type(page, field(page, 'Values for option 1'), 'Bag, Sack');
  await press(page, button(page, 'Generate variants'));
  for (const [name, dollars, euros] of [
    ['Bag', `${number}.50`, `${number},20`],
    ['Sack', '30', '28'],
  ] as const) {
    const variant = page.getByRole('group', { name, exact: true });
    await type(page, variant.getByLabel('Price (United States)', { exact: true }), dollars);
    await type(page, variant.getByLabel('Price (Europe)', { exact: true }), euros);
    await type(page, variant.getByLabel('Quantity'), '20');
  }
  if (number === 1) await checkPage(page, 'the first product');
  await save(page);
  await arrive(page, `Seeds no. ${number}`);
}

async function createPromoCode(page: Page): Promise<void> {
  await go(page, 'New promo code', 'New promo code');
  await type(page, page.getByRole('textbox', { name: 'Code' }), 'SPRING');
  await type(page, field(page, 'Percentage'), '10');
  await save(page);
  await arrive(page, 'SPRING');
}

async function openStorefront(page: Page): Promise<void> {
  await go(page, 'Home', 'Home');
  await press(page, link(page, 'Set up storefront'));
  await arrive(page, 'Storefront');
  await press(page, page.getByRole('checkbox', { name: 'Open to the public' }), 'Space');
  await save(page);
}

/** Buys as a customer, in a new tab. */
async function buy(page: Page): Promise<void> {
  await go(page, 'Home', 'Home');
  const [store] = await Promise.all([page.waitForEvent('popup'), press(page, link(page, 'View storefront'))]);
  await link(store, 'Nora’s garden').waitFor();
  await press(store, link(store, 'Seeds no. 3'));
  await store.getByRole('heading', { level: 1, name: 'Seeds no. 3' }).waitFor();
  await press(store, button(store, 'Add to cart'));
  await store.getByText('Seeds no. 3 added to cart').waitFor();
  await press(store, store.getByRole('link', { name: /^Cart/ }).first());
  await store.getByRole('heading', { level: 1, name: 'Your cart' }).waitFor();
  await type(store, field(store, 'Promo code'), 'SPRING');
  await store.keyboard.press('Enter');
  await store.getByText('Discount').waitFor();
  await checkPage(store, 'the cart');
  await press(store, link(store, 'Check out'));
  await store.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  for (const [name, text] of Object.entries(CUSTOMER)) await type(store, field(store, name), text);
  await choose(store, field(store, 'State'), 'California');
  await press(store, store.getByRole('button', { name: /^Place order/ }));
  await press(store, store.getByRole('button', { name: /^Pay/ }));
  await store.getByRole('heading', { name: /Thank you/ }).waitFor();
  await checkPage(store, 'the order confirmation');
  await store.close();
}

async function shipAndRefund(page: Page): Promise<void> {
  await go(page, 'Orders', 'Orders');
  await press(page, link(page, '#1'));
  await arrive(page, 'Order #1');
  await press(page, button(page, 'Change status'));
  await choose(page, field(page, 'New status'), 'Shipped');
  await type(page, field(page, 'Tracking number (optional)'), 'P 42');
  await page.keyboard.press('Enter');
  await page.getByText('P 42').waitFor();
  await press(page, button(page, 'Refund'));
  await type(page, page.getByLabel('Amount'), '1');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Payment: Partially refunded' }).waitFor();
  await checkPage(page, 'the order');
}

async function writeBlog(page: Page): Promise<void> {
  await go(page, 'Content', 'Content');
  await press(page, link(page, 'New collection').first());
  await arrive(page, 'New collection');
  await type(page, field(page, 'Name'), 'Blog');
  await choose(page, field(page, 'Field type'), 'Text');
  await press(page, button(page, 'Add field'));
  await type(page, field(page, 'Label'), 'Body');
  await press(page, page.getByLabel('Rich text with headings'), 'Space');
  await checkPage(page, 'the designer');
  await save(page);
  await press(page, link(page, 'New entry').first());
  await arrive(page, 'New entry');
  for (const [name, english, german] of [
    ['Title', 'Sow now', 'Jetzt säen'],
    ['Body', 'It is time.', 'Es ist Zeit.'],
  ] as const) {
    await type(page, page.getByRole('textbox', { name, exact: true }), english);
    await press(page, button(page, `Add language ${name}`));
    await choose(page, page.getByRole('dialog').getByLabel('Language'), 'German');
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }));
    await type(page, page.getByRole('group', { name, exact: true }).getByRole('textbox', { name: 'German' }), german);
  }
  await choose(page, field(page, 'Status'), 'Published');
  await checkPage(page, 'the entry');
  await save(page);
  await arrive(page, 'Sow now');
}

async function sendNewsletter(page: Page): Promise<void> {
  await go(page, 'New newsletter', 'New newsletter');
  await type(page, field(page, 'Name'), 'Garden letter');
  await save(page);
  await arrive(page, 'Garden letter');
  await press(page, link(page, 'Subscribers'));
  await arrive(page, 'Garden letter');
  for (const name of ['ada', 'grace', 'alan']) {
    await press(page, page.getByRole('button', { name: 'Add subscriber' }).first());
    await type(page, page.getByRole('dialog').getByLabel('Email'), `${name}@example.com`);
    await type(page, page.getByRole('dialog').getByLabel('Source of consent'), 'At the market');
    await page.keyboard.press('Enter');
    await page.getByText(`${name}@example.com added`).waitFor();
  }
  await press(page, link(page, 'Issues'));
  await arrive(page, 'Garden letter');
  await press(page, link(page, 'New issue').first());
  await arrive(page, 'New issue');
  await type(page, field(page, 'Subject'), 'The first bulbs');
  await type(page, page.getByRole('textbox', { name: 'Text' }), 'They are here.');
  await save(page);
  await arrive(page, 'The first bulbs');
  await press(page, button(page, 'Send'));
  await press(page, button(page, 'Send now'));
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByRole('definition').filter({ hasText: /^3$/ }).first().waitFor();
  await report.getByText('Sent').first().waitFor();
  await checkPage(page, 'the report');
  await mailed(shop, 'alan@example.com', 'They are here.');
}

async function invite(page: Page): Promise<void> {
  await go(page, 'Settings', 'Business');
  await press(page, link(page, 'Team'));
  await arrive(page, 'Team');
  await press(page, button(page, 'Invite member'));
  await type(page, page.getByRole('dialog').getByLabel('Email'), 'sam@example.com');
  await press(page, page.getByRole('checkbox', { name: 'SUPPORT' }), 'Space');
  await checkPage(page, 'the invitation');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, button(page, 'Invite member'));
}

test('a new user sets up a business, sells, ships, refunds, publishes, sends a newsletter and invites a member by keyboard alone', {
  skip,
  timeout: 300_000,
}, async () => {
  const page = await openAdmin(shop, '', { locale: 'en-US', viewport: { width: 1280, height: 900 } });
  await createBusiness(page);
  await setUp(page);
  for (let number = 1; number <= 10; number++) await createProduct(page, number);
  await go(page, 'Products', 'Products');
  await page
    .getByRole('link', { name: /^Seeds no\./ })
    .nth(9)
    .waitFor();
  await checkPage(page, 'ten products');
  await createPromoCode(page);
  await openStorefront(page);
  await buy(page);
  await shipAndRefund(page);
  await writeBlog(page);
  await sendNewsletter(page);
  await invite(page);

  const colleague = await openAdmin(shop, '', { locale: 'en-US' });
  await colleague.goto(await mailedLink(shop, 'sam@example.com', '/invitation'));
  await type(colleague, field(colleague, 'Password'), PASSWORD);
  await press(colleague, button(colleague, 'Create account and accept'));
  await press(colleague, link(colleague, 'Open admin'));
  await logIn(colleague, 'sam@example.com');
  await arrive(colleague, 'Home');
  await go(colleague, 'Orders', 'Orders');
  await tabTo(colleague, link(colleague, '#1'));
  const sections = await colleague.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
  for (const closed of ['Products', 'Promo codes', 'Settings']) assert.ok(!sections.includes(closed), closed);
});
