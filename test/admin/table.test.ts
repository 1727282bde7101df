import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

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

/** As a spreadsheet does it. */
async function paste(page: Page, text: string): Promise<number> {
  return page.evaluate(async (block) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, DataTransfer, ClipboardEvent, requestAnimationFrame, performance } = globalThis as any;
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', block);
    const start = performance.now();
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - start;
  }, text);
}

test(
  '300 prices are pasted, one is wrong: its cell says why, the others are saved, undo brings all back',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Products');
    await page.getByRole('link', { name: 'Edit as table' }).click();
    await page.getByRole('grid', { name: 'Edit as table' }).waitFor();
    await page.getByRole('gridcell').first().click();
    await page.keyboard.press('Control+End');
    await page.getByText('BULK-4-59').waitFor();
    for (let i = 1; i < VARIANTS * PRODUCTS; i += 15) await page.keyboard.press('PageUp');
    await cell(page, 'BULK-0-0\\b', PRICE).click();
    const prices = Array.from({ length: VARIANTS * PRODUCTS }, (_, i) => (i === 7 ? 'seven' : `${20 + i}.50`));
    const tookMs = await paste(page, prices.join('\n'));
    await page.getByText('300 cells changed').waitFor();
    assert.ok(tookMs < 1000, `pasting took ${tookMs} ms`);
    await checkPage(page, 'the table');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('5 products saved.').waitFor();
    await page.getByText('1 cell could not be saved. It says why.').waitFor();
    await cell(page, 'BULK-0-7\\b', PRICE).and(page.locator('[aria-invalid="true"]')).waitFor();
    assert.equal(await cell(page, 'BULK-0-7\\b', PRICE).getAttribute('title'), 'This is no amount.');
    const stored = (await bulk()).find(({ slug }) => slug === 'bulk-0')!;
    const amounts = stored.variants.map(({ pricing }) => pricing.markets[0]!.price);
    assert.deepEqual(amounts.slice(0, 9), [2050, 2150, 2250, 2350, 2450, 2550, 2650, 1000, 2850]);

    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
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
