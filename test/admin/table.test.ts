import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, countDrafts, goTo, startAdmin } from './browser.ts';
import { arrive, go, press, tabTo } from './keyboard.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const VARIANTS = 60;
const PRODUCTS = 5;

for (let p = 0; p < PRODUCTS; p++) {
  const variants = Array.from({ length: VARIANTS }, (_, v) => ({
    id: `v${v}`,
    name: `Size ${v}`,
    sku: `BULK-${p}-${v}`,
    pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1000 }] },
    inventory: { quantity: 10 },
  }));
  await souk.products.create({ name: `Bulk ${p}`, slug: `bulk-${p}`, variants, status: 'ACTIVE' });
}

const bulk = async () =>
  (await souk.products.list({ query: 'bulk', limit: 10 }).take(10)).filter(({ slug }) => slug.startsWith('bulk-'));
const cell = (page: Page, row: string, column: number) =>
  page
    .getByRole('row', { name: new RegExp(row) })
    .getByRole('gridcell')
    .nth(column);
const PRICE = 4;
const STOCK = 6;
const ROWS_OF_A_PAGE = 15;

/** Pastes cells copied from a spreadsheet. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
  await page.evaluate((block) => (globalThis as any).navigator.clipboard.writeText(block), text);
  await page.keyboard.press('Control+v');
}

/** Moves from the last row up to the first test product, then to the prices. */
async function toFirstPrice(page: Page): Promise<void> {
  await go(page, 'Products', 'Products');
  await press(page, page.getByRole('link', { name: 'Edit as table' }));
  await arrive(page, 'Edit as table');
  await tabTo(page, page.getByRole('gridcell').first());
  await page.keyboard.press('Control+End');
  await page.getByText('BULK-4-59').waitFor();
  const up = VARIANTS * PRODUCTS - 1;
  for (let i = 0; i < Math.floor(up / ROWS_OF_A_PAGE); i++) await page.keyboard.press('PageUp');
  for (let i = 0; i < up % ROWS_OF_A_PAGE; i++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  for (let i = 0; i < PRICE; i++) await page.keyboard.press('ArrowRight');
  await cell(page, 'BULK-0-0\\b', PRICE).and(page.locator(':focus')).waitFor();
}

test(
  'when 300 prices are pasted by keyboard, the invalid one shows an error, the others are saved, and undo restores all',
  options,
  async () => {
    const page = await open();
    await toFirstPrice(page);
    const prices = Array.from({ length: VARIANTS * PRODUCTS }, (_, i) => (i === 7 ? 'seven' : `${20 + i}.50`));
    await paste(page, prices.join('\n'));
    await page.getByText('300 cells changed').waitFor();
    await checkPage(page, 'the table');
    await page.keyboard.press('Control+s');
    await page.getByText('5 products saved').waitFor();
    await page.getByText("1 cell has an error and wasn't saved").waitFor();
    await cell(page, 'BULK-0-7\\b', PRICE).and(page.locator('[aria-invalid="true"]')).waitFor();
    assert.equal(await cell(page, 'BULK-0-7\\b', PRICE).getAttribute('title'), 'Enter an amount');
    const stored = (await bulk()).find(({ slug }) => slug === 'bulk-0')!;
    const amounts = stored.variants.map(({ pricing }) => pricing.markets[0]!.price);
    assert.deepEqual(amounts.slice(0, 9), [2050, 2150, 2250, 2350, 2450, 2550, 2650, 1000, 2850]);

    await page.keyboard.press('Control+z');
    await page.getByText('Action undone').waitFor();
    for (const { variants } of await bulk()) {
      assert.ok(
        variants.every(({ pricing, inventory }) => pricing.markets[0]!.price === 1000 && inventory.quantity === 10),
      );
    }
  },
);

test(
  'typing, fill down and undo work by keyboard; stock changes by the difference; a duplicate SKU shows an error',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Products');
    await page.getByRole('link', { name: 'Edit as table' }).click();
    const lamp = cell(page, 'LINEN-SHIRT-S\\b', PRICE);
    await lamp.click();
    await page.keyboard.type('71.50');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    await page.getByText('3 cells changed').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('1 cell changed').waitFor();

    const product = (await souk.products.list({ slug: 'linen-shirt' }).take(1))[0]!;
    const before = product.variants[0]!.inventory.quantity;
    await souk.products.adjustStock(product.id, product.variants[0]!.id, { adjust: -3 });
    await cell(page, 'LINEN-SHIRT-S\\b', STOCK).click();
    await page.keyboard.type(String(before + 10));
    await page.keyboard.press('Enter');
    await cell(page, 'LINEN-SHIRT-M\\b', 2).click();
    await page.keyboard.type('BULK-0-0');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('1 product saved').waitFor();
    await page.getByText("1 cell has an error and wasn't saved").waitFor();
    const { variants } = await souk.products.get(product.id);
    assert.equal(variants[0]!.pricing.markets.find(({ marketId }) => marketId === 'us')?.price, 7150);
    assert.equal(variants[0]!.inventory.quantity, before + 7);
    assert.equal(variants[1]!.sku, 'LINEN-SHIRT-M');
  },
);

test('unsaved cells in the table can be restored after the tab is closed', options, async () => {
  const page = await open();
  await goTo(page, 'Products');
  await page.getByRole('link', { name: 'Edit as table' }).click();
  await cell(page, 'LINEN-SHIRT-M\\b', PRICE).click();
  await page.keyboard.type('73.25');
  await page.keyboard.press('Enter');
  await page.getByText('1 cell changed').waitFor();
  const context = page.context();
  await eventually('the draft is stored', () => page.evaluate(countDrafts));
  await page.close();
  const again = await context.newPage();
  await again.goto(page.url());
  await again.getByRole('button', { name: 'Restore changes' }).click();
  await again.getByText('1 cell changed').waitFor();
  await again.keyboard.press('Control+s');
  await again.getByText('1 product saved').waitFor();
  const [shirt] = await souk.products.list({ slug: 'linen-shirt' }).take(1);
  const medium = shirt!.variants.find(({ sku }) => sku === 'LINEN-SHIRT-M')!;
  assert.ok(medium.pricing.markets.some(({ price }) => price === 7325));
});
