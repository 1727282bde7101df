import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startShop } from '../client/shop.ts';
import { axeProblems, overflow } from '../pages/axe.ts';
import { openPage, skip } from '../pages/browser.ts';

const shop = await startShop();

const LIGHT = { colorScheme: 'light', forcedColors: 'none' } as const;
const MODES = [
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

async function check(page: Page, name: string): Promise<void> {
  await page.emulateMedia(LIGHT);
  assert.deepEqual(await axeProblems(page), [], name);
  for (const mode of MODES) {
    await page.emulateMedia(mode);
    assert.deepEqual(await axeProblems(page, 'colors'), [], `${name}, ${JSON.stringify(mode)}`);
  }
  assert.ok((await overflow(page)) <= 0, `${name} is wider than the screen`);
}

/** The text that shows that a page has loaded, by path. */
const OPEN: Record<string, string> = {
  '/': 'Linen shirt',
  '/shop/products': 'Sort by',
  '/shop/search?q=zzzz': 'No results',
  '/shop/categories/kitchen': 'Ceramic mug',
  '/shop/products/ceramic-mug': 'You may also like',
  '/shop/cart': 'Total',
  '/shop/checkout': 'Shipping method',
  '/shop/orders': 'These are the orders placed in this browser',
  '/shop/blog': 'A visit to the weaver',
  '/shop/letter': 'Subscribe',
  '/shop/letter/archive': 'Past issues',
  '/shop/letter/subscribe': 'Email',
  '/shop/letter/subscribe?done=paid': 'Thank you',
  '/shop/pages/shipping': 'Standard shipping takes',
  '/shop/login': 'Create account',
  '/shop/login-code': 'Enter your code',
  '/shop/confirm': 'Confirm email',
  '/shop/reset-password': 'Save password',
  '/shop/login/support': 'View the storefront as a customer',
  '/shop/nowhere': 'Page not found',
};
const ACCOUNT: Record<string, string> = {
  '/shop/account': 'My orders',
  '/shop/account/addresses': 'New address',
  '/shop/account/newsletters': 'Newsletters and plans',
  '/shop/account/security': 'Change password',
  '/shop/account/data': 'Export my data',
};

/** Text shown on each admin page that sets up the storefront or an audience, by path. */
const SETTINGS: Record<string, string> = {
  '/settings/storefront': 'Open to the public',
  '/settings/storefront/design': 'Font',
  '/settings/storefront/navigation': 'Add link',
  '/settings/storefront/domains': 'Add domain',
  '/settings/storefront/legal': 'Privacy policy',
  '/settings/redirects': 'New redirect',
  '/settings/sender': 'Sender address',
  '/products/categories': 'Kitchen',
  '/newsletters': 'Letter from the shop',
  '/newsletters/automations': 'New automation',
  '/newsletters/segments': 'New segment',
  '/newsletters/forms': 'New form',
  '/newsletters/suppressions': 'Suppress address',
};

for (const width of [360, 1280]) {
  test(`no page of the shop has an axe violation or overflows: light, dark and forced colors, ${width} px`, {
    skip,
    timeout: 300_000,
  }, async () => {
    const page = await openPage({ reducedMotion: 'reduce', viewport: { width, height: 800 } });
    const walk = async (pages: Record<string, string>) => {
      for (const [path, text] of Object.entries(pages)) {
        await page.goto(shop.url + path);
        await page.locator('main').getByText(text).first().waitFor();
        await check(page, path);
      }
    };
    await page.goto(`${shop.url}/`);
    await page.getByRole('button', { name: 'Add to cart' }).first().click();
    await walk(OPEN);
    await page.goto(`${shop.url}/shop/blog`);
    await page.getByRole('link', { name: 'A visit to the weaver' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'A visit to the weaver' }).waitFor();
    await check(page, 'a post');
    await page.goto(`${shop.url}/shop/products/ceramic-mug`);
    await page.getByText('Variant sold out?').click();
    await check(page, 'the form for back-in-stock emails');
    await page.getByRole('link', { name: 'Enlarge image' }).click();
    await page.getByRole('button', { name: 'Enlarge image' }).click();
    await page.getByRole('button', { name: 'Enlarge image', pressed: true }).waitFor();
    await check(page, 'the image viewer');
    await page.goto(`${shop.url}/shop/products#filters`);
    await check(page, 'the filters');
    await page.goto(`${shop.url}/shop/checkout`);
    await page.getByLabel('Use a different billing address').check();
    await page.locator('[autocomplete="billing postal-code"]').waitFor();
    await page.getByText('Ordering for a business?').click();
    await page.getByLabel('VAT ID').fill('DE123456789');
    await page.locator('[autocomplete="billing postal-code"]').fill('1');
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByText('Company is required.').waitFor();
    await check(page, 'errors of the checkout');
    await page.getByLabel('VAT ID').fill('');
    await page.getByLabel('Same as the shipping address').check();
    await page.locator('[autocomplete="billing postal-code"]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    await check(page, 'thanks');
    await page.goto(`${shop.url}/shop/account`);
    await page
      .getByRole('link', { name: /^Order #/ })
      .first()
      .click();
    await page.getByRole('link', { name: /^Invoice/ }).waitFor();
    await page.getByText('Return items or withdraw').click();
    await check(page, 'an order');
    await page.goto(`${shop.url}/shop/login`);
    await page.getByLabel('Email').first().fill('admin@example.com');
    await page.getByLabel('Password').first().fill(shop.password);
    await page.getByRole('button', { name: 'Log in' }).first().click();
    await page.getByRole('button', { name: 'Log out' }).first().waitFor();
    await walk(ACCOUNT);
  });
}

for (const width of [360, 1280]) {
  test(`no page that sets up the storefront or an audience has an axe violation or overflows: light, dark and forced colors, ${width} px`, {
    skip,
    timeout: 300_000,
  }, async () => {
    const page = await openPage({ reducedMotion: 'reduce', locale: 'en-US', viewport: { width, height: 800 } });
    const login = { provider: 'EMAIL', email: 'admin@example.com', password: shop.password };
    await page.context().request.post(`${shop.url}/admin/session`, { data: login, headers: { origin: shop.url } });
    for (const [path, text] of Object.entries(SETTINGS)) {
      await page.goto(`${shop.url}/admin/${shop.businessId}${path}`);
      await page.locator('main').getByText(text).first().waitFor();
      await check(page, path);
    }
  });
}
