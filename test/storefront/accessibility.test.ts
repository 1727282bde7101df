import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startShop } from '../client/shop.ts';
import { openPage, skip } from '../pages/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shop = await startShop();

/** The axe violations, one per line. */
async function problems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { violations } = await (globalThis as any).axe.run();
    return violations.flatMap((violation: { id: string; nodes: { html: string }[] }) =>
      violation.nodes.map(({ html }) => `${violation.id}: ${html}`),
    );
  });
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, innerWidth } = globalThis as any;
    return document.documentElement.scrollWidth - innerWidth;
  });

/** The text that shows a page has loaded, by path. */
const PAGES: Record<string, string> = {
  '/': 'Linen shirt',
  '/shop/search?q=zzzz': 'No results',
  '/shop/categories/kitchen': 'Ceramic mug',
  '/shop/products/ceramic-mug': 'You may also like',
  '/shop/cart': 'Total',
  '/shop/checkout': 'Shipping method',
  '/shop/orders': 'These are the orders placed in this browser',
  '/shop/blog': 'A visit to the weaver',
  '/shop/login': 'Create account',
  '/shop/nowhere': 'Page not found',
};

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    test(`the shop has no axe violations and no overflow: ${colorScheme}, ${width} px`, {
      skip,
      timeout: 120_000,
    }, async () => {
      const page = await openPage({ colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } });
      await page.goto(`${shop.url}/`);
      await page.getByRole('button', { name: 'Add to cart' }).first().click();
      for (const [path, text] of Object.entries(PAGES)) {
        await page.goto(shop.url + path);
        await page.locator('main').getByText(text).first().waitFor();
        assert.deepEqual(await problems(page), [], path);
        assert.ok((await overflow(page)) <= 0, `${path} is wider than the screen`);
      }
      await page.goto(`${shop.url}/shop/checkout`);
      await page.getByLabel('Use a different billing address').check();
      await page.locator('[autocomplete="billing postal-code"]').waitFor();
      await page.getByText('Ordering for a business?').click();
      await page.getByLabel('VAT ID').fill('DE123456789');
      await page.locator('[autocomplete="billing postal-code"]').fill('1');
      await page.getByRole('button', { name: 'Place order' }).click();
      await page.getByText('Company is required.').waitFor();
      assert.deepEqual(await problems(page), [], 'errors of the checkout');
      assert.ok((await overflow(page)) <= 0, 'errors of the checkout are wider than the screen');
      await page.getByLabel('VAT ID').fill('');
      await page.getByLabel('Same as the shipping address').check();
      await page.locator('[autocomplete="billing postal-code"]').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Place order' }).click();
      await page.getByRole('button', { name: 'Pay', exact: true }).click();
      await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
      assert.deepEqual(await problems(page), [], 'the order');
      assert.ok((await overflow(page)) <= 0, 'the order is wider than the screen');
    });
  }
}
