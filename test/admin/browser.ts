/** The admin of the demo shop in a real browser, logged in; and what is checked on each page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { type Shop, startShop } from '../client/shop.ts';
import { openPage } from '../pages/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function startAdmin(settings: Record<string, string> = {}) {
  const shop = await startShop(settings);
  const souk = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
  return { shop, souk, open: (context?: Parameters<typeof openPage>[0]) => openAdmin(shop, context) };
}

/** A page of the admin that fails its test when something on it goes wrong. */
async function openAdmin(shop: Shop, context: Parameters<typeof openPage>[0] = {}): Promise<Page> {
  const page = await openPage({ locale: 'en-US', reducedMotion: 'reduce', ...context });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => assert.fail(error));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) assert.fail(message.text());
  });
  await page.goto(`${shop.url}/admin`);
  await page.getByLabel('E-mail').fill('admin@example.com');
  await page.getByLabel('Password').fill(shop.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor({ state: 'detached' });
  return page;
}

/** Goes to a room by its link, which a phone shows behind "Menu". */
export async function goTo(page: Page, room: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: room, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: room }).waitFor();
}

/** Axe finds nothing, and nothing is wider than the screen. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await page.evaluate(axe);
  const { problems, overflow } = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { axe: found, document, innerWidth } = globalThis as any;
    const { violations } = await found.run();
    return {
      problems: violations.flatMap((each: { id: string; nodes: { html: string }[] }) =>
        each.nodes.map(({ html }) => `${each.id}: ${html}`),
      ),
      overflow: document.documentElement.scrollWidth - innerWidth,
    };
  });
  assert.deepEqual(problems, [], name);
  assert.ok(overflow <= 0, `${name} is wider than the screen by ${overflow} px`);
}
