import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';
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

/** What was copied in a spreadsheet, by its key. Returns how long it took until it was shown. */
async function paste(page: Page, text: string): Promise<number> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(async (block) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { addEventListener, navigator, requestAnimationFrame, performance } = globalThis as any;
    const note = () => {
      const start = performance.now();
      const shown = () => Object.assign(globalThis, { pasteMs: performance.now() - start });
      requestAnimationFrame(() => requestAnimationFrame(shown));
    };
    addEventListener('paste', note, { capture: true, once: true });
    await navigator.clipboard.writeText(block);
  }, text);
  await page.keyboard.press('Control+v');
  return eventually('it is pasted', () => page.evaluate('globalThis.pasteMs')) as Promise<number>;
}

/** From the last row up to the first of those that were made for this, then to the prices. */
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
  'by keyboard: 300 prices are pasted, one is wrong: its cell says why, the others are saved, undo brings all back',
  options,
  async () => {
    const page = await open();
    await toFirstPrice(page);
    const prices = Array.from({ length: VARIANTS * PRODUCTS }, (_, i) => (i === 7 ? 'seven' : `${20 + i}.50`));
    const tookMs = await paste(page, prices.join('\n'));
    await page.getByText('300 cells changed').waitFor();
    assert.ok(tookMs < 1000, `pasting took ${tookMs} ms`);
    await checkPage(page, 'the table');
    await page.keyboard.press('Control+s');
    await page.getByText('5 products saved.').waitFor();
    await page.getByText('1 cell could not be saved. It says why.').waitFor();
    await cell(page, 'BULK-0-7\\b', PRICE).and(page.locator('[aria-invalid="true"]')).waitFor();
    assert.equal(await cell(page, 'BULK-0-7\\b', PRICE).getAttribute('title'), 'This is no amount.');
    const stored = (await bulk()).find(({ slug }) => slug === 'bulk-0')!;
    const amounts = stored.variants.map(({ pricing }) => pricing.markets[0]!.price);
    assert.deepEqual(amounts.slice(0, 9), [2050, 2150, 2250, 2350, 2450, 2550, 2650, 1000, 2850]);

    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    for (const { variants } of await bulk()) {
      assert.ok(
        variants.every(({ pricing, inventory }) => pricing.markets[0]!.price === 1000 && inventory.quantity === 10),
      );
    }
  },
);

test(
  'by keyboard: type, fill down, undo; stock changes by the difference; a taken SKU is told at its cell',
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
    await page.getByText('1 product saved.').waitFor();
    await page.getByText('1 cell could not be saved.').waitFor();
    const { variants } = await souk.products.get(product.id);
    assert.equal(variants[0]!.pricing.markets.find(({ marketId }) => marketId === 'us')?.price, 7150);
    assert.equal(variants[0]!.inventory.quantity, before + 7);
    assert.equal(variants[1]!.sku, 'LINEN-SHIRT-M');
  },
);
