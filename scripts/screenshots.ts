/** Takes the screenshots for the README and the site from a fresh demo shop, in light and dark. Selects by route and role, not by text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { createClient } from '../client/src/index.ts';
import { startService } from '../test/service.ts';

const FOLDER = fileURLToPath(new URL('../docs/public/screenshots/', import.meta.url));
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };
const THEMES = ['light', 'dark'] as const;

const data = mkdtempSync(join(tmpdir(), 'souk-screenshots-'));
await using cleanup = new AsyncDisposableStack();
cleanup.defer(() => rmSync(data, { recursive: true, force: true }));
const service = await startService('start', { PORT: '0', DATA_DIR: data, LOG_LEVEL: 'error' });
cleanup.defer(() => service.stop());
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
cleanup.defer(() => browser.close());

const { SOUK = '', BUSINESS = '', KEY = '' } = service.exports;
const admin = `${SOUK}/admin/${BUSINESS}`;
const souk = createClient({ baseUrl: SOUK, businessId: BUSINESS, apiKey: KEY });

async function logIn(context: BrowserContext): Promise<void> {
  const password = /^Password +(\S+)$/m.exec(service.output())![1]!;
  const login = { provider: 'EMAIL', email: 'admin@example.com', password };
  const response = await context.request.post(`${SOUK}/admin/session`, { data: login, headers: { origin: SOUK } });
  if (!response.ok()) throw new Error(`Login failed: ${await response.text()}`);
}

/** Opens a page and waits until it is fully loaded. */
async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settle(page);
}

async function settle(page: Page): Promise<void> {
  await page.waitForFunction("!document.querySelector('[aria-busy=true], .skeleton')");
  // The admin keeps a stream open, so its network is never idle.
  await page.waitForFunction(`[...document.images].every((image) => {
    const { top, left } = image.getBoundingClientRect();
    return image.complete || top > innerHeight || left > innerWidth || !image.checkVisibility();
  })`);
}

async function openShop(page: Page): Promise<void> {
  await show(page, SOUK);
  await page.locator('main img').nth(7).waitFor();
  await settle(page);
}

/** Edits some prices without saving them. */
async function editTable(page: Page): Promise<void> {
  await show(page, `${admin}/products/table`);
  const price = page.getByRole('row').nth(2).getByRole('gridcell').nth(4);
  await price.click();
  for (const text of ['64', '66.50', '69']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }
}

/** Someone else saves the description of a product while it is being edited. */
async function editTogether(page: Page): Promise<void> {
  const [found] = await souk.products.list({ slug: 'ceramic-mug' }).take(1);
  const mug = await souk.products.get(found!.id);
  await show(page, `${admin}/products/${mug.id}`);
  const description = page.getByRole('textbox').filter({ hasText: mug.description });
  const field = (await description.count()) > 0 ? description.first() : page.locator('textarea').first();
  await field.fill('Thrown by hand in our own studio. Holds 300 ml.');
  await souk.products.update(mug.id, { description: 'Glazed by hand. Holds 300 ml and is dishwasher safe.' });
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').waitFor();
  await settle(page);
  await souk.products.update(mug.id, { description: mug.description });
}

/** A welcome series. The demo has no automations. */
async function openAutomation(page: Page): Promise<void> {
  const [newsletter] = await souk.collections.list({ type: 'NEWSLETTER' }).take(1);
  const [email] = await souk.entries.list({ collectionId: newsletter!.id, status: 'PUBLISHED' }).take(1);
  const [found] = await souk.newsletters.listAutomations().take(1);
  const automation =
    found ??
    (await souk.newsletters.createAutomation({
      name: 'Welcome series',
      enabled: true,
      trigger: { type: 'subscription.confirmed', collectionId: newsletter!.id },
      steps: [
        { type: 'MAIL', entryId: email!.id },
        { type: 'CONDITION', delaySeconds: 172_800, filter: { field: 'customer.orders', op: 'is', value: 0 } },
        { type: 'TAG', tag: 'no-order-yet' },
      ],
    }));
  await show(page, `${admin}/newsletters/automations/${automation.id}`);
}

async function openProduct(page: Page): Promise<void> {
  await show(page, `${SOUK}/s/demo/products/linen-shirt`);
}

async function openIssue(page: Page): Promise<void> {
  const [newsletter] = await souk.collections.list({ type: 'NEWSLETTER' }).take(1);
  const [issue] = await souk.entries.list({ collectionId: newsletter!.id }).take(1);
  await show(page, `${admin}/newsletters/${newsletter!.id}/${issue!.id}`);
  await page.locator('[contenteditable=true]').first().waitFor();
  await page.locator('iframe').first().waitFor();
  await settle(page);
}

async function openOrder(page: Page): Promise<void> {
  const [order] = await souk.orders.list({ paymentStatus: 'PAID' }).take(1);
  await show(page, `${admin}/orders/${order!.id}`);
}

const SCREENSHOTS: { name: string; size?: typeof DESKTOP; open(page: Page): Promise<void> }[] = [
  { name: 'shop', open: openShop },
  { name: 'product', open: openProduct },
  { name: 'admin-home', open: (page) => show(page, admin) },
  { name: 'orders', open: (page) => show(page, `${admin}/orders`) },
  { name: 'table', open: editTable },
  { name: 'conflict', open: editTogether },
  { name: 'newsletter', open: openIssue },
  { name: 'automation', open: openAutomation },
  { name: 'phone', size: PHONE, open: openOrder },
];

for (const theme of THEMES) {
  for (const { name, size = DESKTOP, open } of SCREENSHOTS) {
    const context = await browser.newContext({
      viewport: size,
      deviceScaleFactor: 1.5,
      colorScheme: theme,
      locale: 'en-US',
      timezoneId: 'America/New_York',
      reducedMotion: 'reduce',
      // Required to run the function that waits for images.
      bypassCSP: true,
    });
    context.setDefaultTimeout(120_000);
    if (name !== 'shop' && name !== 'product') await logIn(context);
    const page = await context.newPage();
    await open(page);
    await sharp(await page.screenshot())
      .webp({ quality: 78, effort: 6 })
      .toFile(`${FOLDER}${name}-${theme}.webp`);
    await context.close();
  }
}
