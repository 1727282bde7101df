import assert from 'node:assert/strict';
import test from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, openAdmin, startAdmin } from './browser.ts';

const { shop, souk } = await startAdmin();

/** Whether the focus is there, and whether it can be seen. */
const focusOf = (target: Locator) =>
  target.evaluate((element) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, getComputedStyle } = globalThis as any;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return { isThere: element === document.activeElement, isSeen };
  });

/** Goes on with Tab until the focus is there, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < 150; i++) {
    const { isThere, isSeen } = await focusOf(target);
    if (isThere) return assert.ok(isSeen, `The focus on ${target} cannot be seen`);
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${target}`);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** By the palette, which finds rooms and actions. */
async function go(page: Page, words: string, heading: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option', { name: new RegExp(`^${words}`, 'i'), selected: true }).waitFor();
  await page.keyboard.press('Enter');
  const title = page.getByRole('heading', { level: 1, name: heading });
  await title.waitFor();
  await eventually('the heading has the focus', async () => (await focusOf(title)).isThere);
}

async function save(page: Page): Promise<void> {
  await page.getByText('Unsaved changes').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
  await page.getByText('Saving').waitFor({ state: 'hidden' });
}

test('the main path of each room by keyboard alone, from the log-in on', { skip, timeout: 240_000 }, async () => {
  const page = await openAdmin(shop, '', { locale: 'en-US' });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  await type(page, field('E-mail'), 'admin@example.com');
  await type(page, field('Password'), shop.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await press(page, page.getByText('As a table'));
  await page.getByRole('columnheader', { name: 'Day', exact: true }).waitFor();

  await go(page, 'New product', 'New product');
  await type(page, field('Name'), 'Keyboard');
  await type(page, field('Variant name').first(), 'Small');
  await type(page, field('Price in United States').first(), '49.00');
  await press(page, button('Add variant'));
  await type(page, field('Variant name').last(), 'Large');
  await type(page, field('Price in United States').last(), '59.00');
  await save(page);
  const [product] = await souk.products.list({ slug: 'keyboard' }).take(1);
  assert.deepEqual(
    product?.variants.map(({ name, pricing }) => [name, pricing.markets[0]?.price]),
    [
      ['Small', 4900],
      ['Large', 5900],
    ],
  );

  await go(page, 'New promo code', 'New promo code');
  await type(page, page.getByRole('textbox', { name: 'Code' }), 'KEYS');
  await type(page, field('Per cent'), '10');
  await save(page);

  await go(page, 'New order', 'New order');
  await press(page, button('Somebody without an account'));
  await type(page, page.getByLabel('E-mail (optional)'), 'keys@example.com');
  await type(page, page.getByRole('combobox', { name: 'Add a product' }), 'wall cl');
  await page.getByRole('option', { name: /Wall clock/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('$64.00').first().waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: /^Order #/ }).waitFor();
  await press(page, button('Mark as paid'));
  await press(page, button('Ship'));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }));
  await page.getByRole('listitem').filter({ hasText: 'Order: Shipped' }).waitFor();
  await press(page, button('Refund'));
  await type(page, page.getByRole('dialog').getByLabel('Amount'), '4');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Payment: Partly refunded' }).waitFor();

  await go(page, 'New customer', 'New customer');
  await type(page, page.getByLabel('Name'), 'Key Board');
  await save(page);

  await go(page, 'Content', 'Content');
  await press(page, page.getByRole('link', { name: 'Blog' }));
  await press(page, page.getByRole('link', { name: 'New entry' }));
  await type(page, page.getByRole('textbox', { name: 'Title' }), 'Without a mouse');
  await save(page);

  await go(page, 'Newsletters', 'Newsletters');
  await press(page, page.getByRole('link', { name: 'Letter from the shop' }));
  await press(page, page.getByRole('link', { name: 'Subscribers' }));
  await press(page, button('Add subscriber'));
  await type(page, page.getByRole('dialog').getByLabel('E-mail'), 'keys@example.com');
  await type(page, page.getByRole('dialog').getByLabel('Where and how they agreed'), 'On paper');
  await page.keyboard.press('Enter');
  await page.getByText('keys@example.com is added.').waitFor();

  await go(page, 'Media', 'Media');
  await press(page, page.getByRole('link', { name: 'wall-clock.svg' }));
  await tabTo(page, page.getByLabel('From left to right'));
  await page.keyboard.press('ArrowRight');
  await type(page, page.getByLabel('Alternative text (English)'), 'A clock at ten to two');
  await save(page);
  const [clock] = await souk.media.list({ query: 'clock' }).take(1);
  assert.deepEqual([clock?.alt, clock?.focalPoint], [{ en: 'A clock at ten to two' }, { x: 0.51, y: 0.5 }]);

  await go(page, 'Settings', 'Business');
  await press(page, page.getByRole('link', { name: 'Team' }));
  await press(page, button('Invite'));
  await type(page, page.getByRole('dialog').getByLabel('E-mail'), 'colleague@example.com');
  await press(page, page.getByRole('checkbox', { name: 'SUPPORT' }), 'Space');
  await page.keyboard.press('Enter');
  await page.getByText('colleague@example.com').first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await go(page, 'Account', /Profile|Account/);
  await type(page, field('Name'), 'Ada by keyboard');
  await save(page);
  await checkPage(page, 'the account');
});
