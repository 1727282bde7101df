import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { openPage, skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';

const shop = await startShop();
const options = { skip, timeout: 120_000 };
const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });

/** A page that fails its test when something on it goes wrong. */
async function open(path: string, context: Parameters<typeof openPage>[0] = {}): Promise<Page> {
  const page = await openPage(context);
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => assert.fail(error));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) assert.fail(message.text());
  });
  await page.goto(shop.url + path);
  return page;
}

const click = (page: Page, role: 'link' | 'button', name: string) =>
  page.getByRole(role, { name, exact: true }).first().click();

const latestOrder = async () => (await staff.orders.list({ limit: 1 }).take(1))[0]!;

test('four clicks and Pay: from the first page to a paid order and back', options, async () => {
  const page = await open('/');
  await click(page, 'button', 'Add to basket');
  await click(page, 'link', 'Basket');
  await click(page, 'link', 'Check out');
  await click(page, 'button', 'Place order');
  await click(page, 'button', 'Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  await page.locator('.state', { hasText: 'Being packed' }).waitFor();
  const order = await latestOrder();
  assert.ok(page.url().startsWith(`${shop.url}/shop/orders/${order.id}`));
  assert.equal(order.paymentStatus.at(-1)?.status, 'PAID');
  assert.match(await page.getByRole('link', { name: 'Linen shirt' }).innerText(), /Linen shirt/);
  assert.equal(await page.locator('.count').isVisible(), false);
});

test('everything can be bought by keyboard alone, with the focus always to be seen', options, async () => {
  const page = await open('/');
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
  /** Presses Tab until this has the focus. */
  async function tabTo(name: string): Promise<void> {
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press('Tab');
      const { text, outline } = await page.evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
        const { document, getComputedStyle } = globalThis as any;
        const element = document.activeElement;
        const shown = element.matches('.choices input') ? element.nextElementSibling : element;
        const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
        return { text: String(label).trim(), outline: getComputedStyle(shown).outlineStyle };
      });
      assert.notEqual(outline, 'none', `${text} shows no focus`);
      if (text === name) return;
    }
    assert.fail(`${name} cannot be reached`);
  }
  await tabTo('Ceramic mug');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ceramic mug' }).waitFor();
  await tabTo('Sea blue');
  await page.keyboard.press('ArrowRight');
  await tabTo('Add to basket');
  await page.keyboard.press('Enter');
  await page.getByText('Ceramic mug, Sand, is in your basket.').waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('link', { name: 'Demo shop' }).focus();
  await tabTo('Basket');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your basket' }).waitFor();
  await tabTo('Check out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check out' }).waitFor();
  await tabTo('Place order');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pay', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.equal((await latestOrder()).lines[0]?.variantId, 'sand');
});

test('search answers while one types, forgives a typo, and says when there is nothing', options, async () => {
  const page = await open('/');
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.pressSequentially('blankt');
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Wool blanket' }).waitFor();
  await search.fill('zzzzz');
  await page.getByText('Nothing here fits “zzzzz”.').waitFor();
  await search.fill('');
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
});

test('a promo code counts, and a wrong one says so at its field', options, async () => {
  const page = await open('/shop/products/desk-lamp');
  await click(page, 'button', 'Add to basket');
  await click(page, 'link', 'Basket');
  const code = page.getByLabel('Promo code');
  await code.fill('NOTHING');
  await click(page, 'button', 'Use');
  await page.locator('#promo-problem:not(:empty)').waitFor();
  await code.fill('WELCOME10');
  await click(page, 'button', 'Use');
  await page.getByText('-$8.90').waitFor();
  await page.getByText('$8.90').waitFor();
  assert.equal(await page.locator('#promo-problem').innerText(), '');
});

test('the service stops in the middle: people are told, nothing is lost, and it goes on', options, async () => {
  const page = await open('/shop/products/desk-lamp');
  await click(page, 'button', 'Add to basket');
  await click(page, 'link', 'Basket');
  await click(page, 'link', 'Check out');
  await page.getByText('$101.52').waitFor();
  await page.getByLabel('Name').fill('Grace Hopper');
  const before = await latestOrder();
  await shop.stop('SIGKILL');
  await click(page, 'button', 'Place order');
  await page.getByText('The shop does not answer right now. Nothing is lost').waitFor();
  await click(page, 'link', 'Basket');
  await page.getByText('The shop cannot be reached. Your basket is safe here').waitFor();
  await shop.restart();
  await page.getByText('$89.00').first().waitFor();
  await page.locator('.away').waitFor({ state: 'hidden' });
  await click(page, 'link', 'Check out');
  await click(page, 'button', 'Place order');
  await click(page, 'button', 'Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.equal((await latestOrder()).number, before.number + 1);
});

test('who logs out in one tab is logged out in the other', options, async () => {
  const page = await open('/shop/login');
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('admin@example.com');
  await page.getByLabel('Password').fill(shop.password);
  await click(page, 'button', 'Log in');
  await page.getByRole('heading', { name: 'My orders' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${shop.url}/`);
  await other.getByRole('navigation', { name: 'Yours' }).getByRole('link', { name: 'My orders' }).waitFor();
  await page.goto(`${shop.url}/shop/login`);
  await click(page, 'button', 'Log out');
  await other.getByRole('navigation', { name: 'Yours' }).getByRole('link', { name: 'Log in' }).waitFor();
});

test('one signs up for the letter, and reads the blog', options, async () => {
  const page = await open('/shop/blog');
  await click(page, 'link', 'A visit to the weaver');
  await page.getByText('Forty looms, one room, and a radio.').waitFor();
  await page.getByLabel('Your e-mail').fill('reader@example.com');
  await click(page, 'button', 'Sign up');
  await page.getByText(/Welcome!|Almost done/).waitFor();
});

test(
  'the first page loads less than 40 KB of script, and nothing waits in line but the guest and the list',
  options,
  async () => {
    const page = await openPage();
    const script: Promise<number>[] = [];
    const asked: string[] = [];
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js')) script.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      if (pathname.startsWith('/v1/')) asked.push(pathname.split('/').at(-1)!);
    });
    await page.goto(`${shop.url}/`);
    await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(script)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 0 && bytes < 40_000, `${bytes} bytes`);
    assert.deepEqual(asked.sort(), ['biz_demo', 'categories', 'login', 'products']);
  },
);

test(
  'an address signs up: pending until the button behind the mailed link; a scanner changes nothing; the consent is shown',
  options,
  async () => {
    const [letter] = await staff.collections.list({ type: 'NEWSLETTER' }).take(1);
    await staff.collections.update(letter!.id, { settings: { ...letter!.settings, doubleOptIn: true } });
    const email = 'new.reader@example.com';
    const subscriber = async () => (await staff.newsletters.listSubscribers(letter!.id, { email }).take(1))[0]!;
    const page = await open('/');
    await page.getByLabel('Your e-mail').fill(email);
    await click(page, 'button', 'Sign up');
    await page.getByText('Almost done: confirm it with the link we have mailed to you.').waitFor();
    assert.equal((await subscriber()).status, 'PENDING');
    const link = await eventually('the mail', async () => {
      const answer = await fetch(`${shop.url}/dev/mailbox`, { headers: { accept: 'application/json' } });
      const { items } = (await answer.json()) as { items: { to: string; text: string }[] };
      return items.find(({ to }) => to === email)?.text.match(/http\S+confirm-subscription\S+/)?.[0];
    });
    await fetch(link, { headers: { accept: 'text/html' } });
    await fetch(link, { headers: { accept: 'application/json' } });
    assert.equal((await subscriber()).status, 'PENDING', 'a scanner has followed the link');
    await page.goto(link);
    await click(page, 'button', 'Yes, subscribe me');
    await page.getByText('The next issue comes to you by mail.').waitFor();
    const { id, status } = await subscriber();
    assert.equal(status, 'ACTIVE');
    const consent = await staff.newsletters.getSubscriberConsent(letter!.id, id);
    assert.equal(consent.source, 'DOUBLE_OPT_IN');
    assert.match(consent.text!, /new\.reader@example\.com/);
  },
);
