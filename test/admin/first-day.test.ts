import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { photo } from '../media/files.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, mailed, mailedLink, openAdmin, startAdmin } from './browser.ts';

const { shop } = await startAdmin();
const EMAIL = 'nora@example.com';
const PASSWORD = 'walk-the-shop-1';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const settings = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true });

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
}

async function makeBusiness(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(`We have sent a link to ${EMAIL}`).waitFor();
  await page.goto(await mailedLink(shop, EMAIL, '/confirm'));
  await button(page, 'Confirm my e-mail').click();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').fill('Nora’s garden');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await checkPage(page, 'the home of a new business');
}

async function setUp(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Say where you sell and in which currency' }).click();
  for (const [code, name, currency, tax] of [
    ['us', 'United States', 'usd', '0'],
    ['eu', 'Europe', 'eur', '19'],
  ] as const) {
    await page.getByRole('button', { name: 'Add market' }).click();
    const fresh = page.getByRole('group', { name: /^Market \d/ });
    await fresh.getByLabel('Code').fill(code);
    const market = page.getByRole('group', { name: code, exact: true });
    await market.getByLabel('Currency').fill(currency);
    await market.getByLabel('Tax rate').fill(tax);
    await market.getByLabel('Name').fill(name);
  }
  await checkPage(page, 'two markets');
  await save(page);
  await settings(page, 'Shipping').click();
  await page.getByRole('button', { name: 'Add shipping method' }).click();
  await page
    .getByRole('group', { name: /^Method \d/ })
    .getByLabel('Code')
    .fill('post');
  const post = page.getByRole('group', { name: 'post', exact: true });
  await post.getByLabel('Price in United States').fill('5');
  await post.getByLabel('Price in Europe').fill('4,50');
  await checkPage(page, 'a shipping method');
  await save(page);
}

async function makeProduct(page: Page, number: number): Promise<void> {
  await goTo(page, 'Products');
  await page.getByRole('link', { name: 'New product' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(`Seeds no. ${number}`);
  await page.getByLabel('Category').fill('seeds');
  const picture = { name: `seeds-${number}.jpg`, mimeType: 'image/jpeg', buffer: await photo(400, 400, number) };
  await page.getByLabel('Files to upload: Pictures').setInputFiles(picture);
  await page.getByRole('button', { name: `Remove: seeds-${number}.jpg` }).waitFor();
  await page.getByRole('button', { name: 'Add option' }).click();
  await page.getByLabel('Option 1', { exact: true }).fill('Size');
  await page.getByLabel('Values of option 1').fill('Bag, Sack');
  await page.getByLabel('Price in United States').fill(`${number}.50`);
  await page.getByLabel('Price in Europe').fill(`${number},20`);
  await page.getByLabel('Quantity').fill('20');
  await page.getByRole('button', { name: 'Make variants' }).click();
  await page.getByRole('group', { name: 'Sack', exact: true }).getByLabel('Price in United States').fill('30');
  if (number === 1) await checkPage(page, 'the first product');
  await save(page);
  await page.getByRole('heading', { level: 1, name: `Seeds no. ${number}` }).waitFor();
}

async function makePromoCode(page: Page): Promise<void> {
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'New promo code' }).first().click();
  await page.getByRole('textbox', { name: 'Code' }).fill('SPRING');
  await page.getByLabel('Per cent').fill('10');
  await save(page);
  await page.getByRole('heading', { level: 1, name: 'SPRING' }).waitFor();
}

/** In a tab of its own, as a customer. */
async function buy(page: Page): Promise<void> {
  await goTo(page, 'Home');
  const [store] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open the shop' }).click(),
  ]);
  await store.getByRole('link', { name: 'Nora’s garden' }).waitFor();
  await store.getByRole('link', { name: 'Seeds no. 3' }).click();
  await store.getByRole('button', { name: 'Add to basket' }).click();
  await store.getByRole('link', { name: 'Basket' }).click();
  await store.getByLabel('Promo code').fill('SPRING');
  await store.keyboard.press('Enter');
  await store.getByText('Discount').waitFor();
  await checkPage(store, 'the basket');
  await store.getByRole('link', { name: 'Check out' }).click();
  await store.getByRole('button', { name: 'Place order' }).click();
  await store.getByRole('button', { name: /^Pay/ }).click();
  await store.getByRole('heading', { name: /Thank you/ }).waitFor();
  await checkPage(store, 'the thanks');
  await store.close();
}

async function shipAndRefund(page: Page): Promise<void> {
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: '#1', exact: true }).click();
  await page.getByRole('button', { name: 'Change status' }).click();
  await page.getByLabel('New status').selectOption('SHIPPED');
  await page.getByLabel('Tracking number (optional)').fill('P 42');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('P 42').waitFor();
  await button(page, 'Refund').click();
  await page.getByLabel('Amount').fill('1');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Payment: Partly refunded' }).waitFor();
  await checkPage(page, 'the order');
}

async function writeBlog(page: Page): Promise<void> {
  await goTo(page, 'Content');
  await page.getByRole('link', { name: 'New collection' }).first().click();
  await page.getByLabel('Name').fill('Blog');
  await page.getByLabel('Kind of field').selectOption('Text');
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Label').fill('Body');
  await page.getByLabel('Rich text with headings').check();
  await checkPage(page, 'the designer');
  await save(page);
  await page.getByRole('link', { name: 'New entry' }).first().click();
  for (const [name, english, german] of [
    ['Title', 'Sow now', 'Jetzt säen'],
    ['Body', 'It is time.', 'Es ist Zeit.'],
  ] as const) {
    await page.getByRole('button', { name: `Add a language ${name}` }).click();
    await page.getByRole('dialog').getByLabel('Language').fill('de');
    await page.keyboard.press('Enter');
    for (const [language, text] of [
      ['English', english],
      ['German', german],
    ] as const) {
      const field = page.getByRole('group', { name, exact: true }).getByRole('textbox', { name: language });
      await field.click();
      await page.keyboard.type(text);
    }
  }
  await page.getByLabel('Status').selectOption('Published');
  await checkPage(page, 'the entry');
  await save(page);
  await page.getByRole('heading', { level: 1, name: 'Sow now' }).waitFor();
}

async function sendNewsletter(page: Page): Promise<void> {
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'New newsletter' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Garden letter');
  await save(page);
  await page.getByRole('heading', { level: 1, name: 'Garden letter' }).waitFor();
  await page.getByRole('link', { name: 'Subscribers' }).click();
  for (const name of ['ada', 'grace', 'alan']) {
    await page.getByRole('button', { name: 'Add subscriber' }).first().click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(`${name}@example.com`);
    await page.getByRole('dialog').getByLabel('Where and how they agreed').fill('At the market');
    await page.keyboard.press('Enter');
    await page.getByText(`${name}@example.com is added.`).waitFor();
  }
  await page.getByRole('link', { name: 'Issues' }).click();
  await page.getByRole('link', { name: 'New issue' }).first().click();
  await page.getByLabel('Subject').fill('The first bulbs');
  await page.getByRole('textbox', { name: 'Text' }).click();
  await page.keyboard.type('They are here.');
  await save(page);
  await page.getByRole('heading', { level: 1, name: 'The first bulbs' }).waitFor();
  await button(page, 'Send').click();
  await button(page, 'Send now').click();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByRole('definition').filter({ hasText: /^3$/ }).first().waitFor();
  await report.getByText('Sent').first().waitFor();
  await checkPage(page, 'the report');
  await mailed(shop, 'alan@example.com', 'They are here.');
}

async function invite(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await settings(page, 'Team').click();
  await button(page, 'Invite').click();
  await page.getByRole('dialog').getByLabel('E-mail').fill('sam@example.com');
  await page.getByRole('checkbox', { name: 'SUPPORT' }).check();
  await checkPage(page, 'the invitation');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a new person makes a business, sells through the shop, ships, refunds, writes, mails and invites, in the browser alone', {
  skip,
  timeout: 300_000,
}, async () => {
  const page = await openAdmin(shop, '', { locale: 'en-US', viewport: { width: 1280, height: 900 } });
  await makeBusiness(page);
  await setUp(page);
  for (let number = 1; number <= 10; number++) await makeProduct(page, number);
  await goTo(page, 'Products');
  await page
    .getByRole('link', { name: /^Seeds no\./ })
    .nth(9)
    .waitFor();
  await checkPage(page, 'ten products');
  await makePromoCode(page);
  await buy(page);
  await shipAndRefund(page);
  await writeBlog(page);
  await sendNewsletter(page);
  await invite(page);

  const colleague = await openAdmin(shop, '', { locale: 'en-US' });
  await colleague.goto(await mailedLink(shop, 'sam@example.com', '/invitation'));
  await colleague.getByLabel('Password').fill(PASSWORD);
  await button(colleague, 'Create the account and accept').click();
  await colleague.getByRole('link', { name: 'Open the admin' }).click();
  await colleague.getByLabel('E-mail').fill('sam@example.com');
  await colleague.getByLabel('Password').fill(PASSWORD);
  await colleague.keyboard.press('Enter');
  await goTo(colleague, 'Orders');
  await colleague.getByRole('link', { name: '#1', exact: true }).waitFor();
  const rooms = await colleague.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
  for (const closed of ['Products', 'Promo codes', 'Settings']) assert.ok(!rooms.includes(closed), closed);
});
