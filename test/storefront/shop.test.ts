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

/** A page that fails its test on a script error or a policy violation. */
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

/** The button shows the amount. */
const placeOrder = (page: Page) => page.getByRole('button', { name: /^Place order/ }).click();

const latestOrder = async () => (await staff.orders.list({ limit: 1 }).take(1))[0]!;

test('four clicks and Pay lead from the home page to a paid order', options, async () => {
  const page = await open('/');
  await click(page, 'button', 'Add to cart');
  await click(page, 'link', 'Cart');
  await click(page, 'link', 'Check out');
  await placeOrder(page);
  await click(page, 'button', 'Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  await page.locator('.state', { hasText: 'Processing' }).waitFor();
  const order = await latestOrder();
  assert.ok(page.url().endsWith(`/thanks?order=${order.id}`));
  assert.equal(order.paymentStatus.at(-1)?.status, 'PAID');
  await page.getByRole('link', { name: order.lines[0]!.name }).waitFor();
  assert.equal(await page.locator('.count').isVisible(), false);
});

test(
  'checking out the same cart again reopens the unpaid order, or creates a new one if that was paid or canceled',
  options,
  async () => {
    const page = await open('/shop/products/desk-lamp');
    const place = async () => {
      await page.goto(`${shop.url}/shop/checkout`);
      await placeOrder(page);
      await page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
      return (await latestOrder()).number;
    };
    await click(page, 'button', 'Add to cart');
    await page.getByText('Desk lamp added to cart').waitFor();
    const first = await place();
    assert.equal(await place(), first);
    await click(page, 'button', 'Cancel');
    await page.getByText('Your payment was canceled.').waitFor();
    const second = await place();
    assert.equal(second, first + 1);
    await click(page, 'button', 'Pay');
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    await page.goto(`${shop.url}/shop/products/desk-lamp`);
    await click(page, 'button', 'Add to cart');
    await page.getByText('Desk lamp added to cart').waitFor();
    assert.equal(await place(), second + 1);
  },
);

test('a product can be bought by keyboard alone, with a visible focus', options, async () => {
  const page = await open('/');
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
  /** Presses Tab until the element with this name has the focus. */
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
      if (text === name || text.startsWith(`${name} and pay`)) return;
    }
    assert.fail(`${name} cannot be reached`);
  }
  await tabTo('Ceramic mug');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ceramic mug' }).waitFor();
  await tabTo('Sea blue');
  await page.keyboard.press('ArrowRight');
  await tabTo('Add to cart');
  await page.keyboard.press('Enter');
  await page.getByText('Ceramic mug added to cart').waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('link', { name: 'Demo shop' }).focus();
  await tabTo('Cart');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your cart' }).waitFor();
  await tabTo('Check out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
  await page.getByText('Total', { exact: true }).waitFor();
  await tabTo('Place order');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pay', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.equal((await latestOrder()).lines[0]?.variantId, 'sand');
});

test('a product with two options has a picker for each, and its card leads to them', options, async () => {
  const price = { markets: [{ marketId: 'us', currency: 'usd', price: 3000 }] };
  const variants = ['S', 'M'].flatMap((size) =>
    ['Red', 'Blue'].map((color) => ({
      id: `${size}-${color}`,
      name: `${size} / ${color}`,
      attributes: [
        { name: 'size', value: size },
        { name: 'color', value: color },
      ],
      pricing: price,
      inventory: { tracked: false },
    })),
  );
  const { slug, id } = await staff.products.create({ name: 'Two-way scarf', variants });
  const page = await open(`/shop/products/${slug}`);
  await page.getByRole('group', { name: 'size' }).getByLabel('M').check({ force: true });
  await page.getByRole('group', { name: 'color' }).getByLabel('Blue').check({ force: true });
  assert.ok(await page.getByRole('group', { name: 'size' }).getByLabel('M').isChecked());
  await click(page, 'button', 'Add to cart');
  await page.getByText('Two-way scarf added to cart').waitFor();

  await page.goto(`${shop.url}/shop/search?q=scarf`);
  await click(page, 'link', 'Choose options');
  await page.getByRole('group', { name: 'color' }).getByLabel('Blue').check({ force: true });
  await click(page, 'button', 'Add to cart');
  await page.getByText('Two-way scarf added to cart').waitFor();
  await click(page, 'link', 'Cart');
  for (const variant of ['M / Blue', 'S / Blue']) await page.getByText(variant).waitFor();
  await staff.products.delete(id);
});

test('the entered address is kept after Decline and Back, and the order page shows tracking', options, async () => {
  const page = await open('/shop/products/desk-lamp');
  await click(page, 'button', 'Add to cart');
  await page.getByText('Desk lamp added to cart').waitFor();
  await page.goto(`${shop.url}/shop/checkout`);
  await page.getByLabel('Street address').fill('7 Side Street');
  await placeOrder(page);
  await click(page, 'button', 'Cancel');
  await page.getByText('Your payment was canceled.').waitFor();
  assert.equal(await page.getByLabel('Street address').inputValue(), '7 Side Street');
  await placeOrder(page);
  await click(page, 'button', 'Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  const { id } = await latestOrder();
  await staff.orders.setStatus(id, { status: 'SHIPPED', tracking: { carrier: 'DHL', number: '4711' } });
  await page.goto(`${shop.url}/shop/account/orders/${id}`);
  await page.getByText('DHL 4711').waitFor();
});

test('the order page lists what each shipment of a part-shipped order contains', options, async () => {
  const page = await open('/shop/products/desk-lamp');
  await click(page, 'button', 'Add to cart');
  await page.getByText('Desk lamp added to cart').waitFor();
  await page.goto(`${shop.url}/shop/cart`);
  await page.getByLabel('Quantity').first().fill('2');
  await page.keyboard.press('Tab');
  await page.getByText('$178.00').first().waitFor();
  await page.goto(`${shop.url}/shop/checkout`);
  await page.getByLabel('Street address').fill('7 Side Street');
  await placeOrder(page);
  await click(page, 'button', 'Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  const order = await latestOrder();
  await staff.orders.createShipment(order.id, {
    lines: [{ lineId: order.lines[0]!.id, quantity: 1 }],
    tracking: { carrier: 'DHL', number: '4712', url: 'https://dhl.example/4712' },
  });
  await page.goto(`${shop.url}/shop/account/orders/${order.id}`);
  await page.getByText('Partially shipped').waitFor();
  await page.getByRole('listitem').filter({ hasText: '1 × Desk lamp' }).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'DHL 4712' }).getAttribute('href'), 'https://dhl.example/4712');
});

test('where prices include tax, the cart shows listed prices and the VAT they include', options, async () => {
  const page = await open('/shop/products/linen-shirt');
  await page.getByLabel('Country and currency').selectOption('eu');
  await page.getByText('€65.00').first().waitFor();
  await click(page, 'button', 'Add to cart');
  await click(page, 'link', 'Cart');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await summary.getByText(/^Includes €[\d.]+ VAT 19%$/).waitFor();
  assert.match(await summary.innerText(), /Subtotal\s+€65\.00/);
  assert.doesNotMatch(await summary.innerText(), /Tax/);
});

test('a missing blog post and a missing product show not-found pages', options, async () => {
  const page = await open('/shop/blog/ent_missing');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  const response = await page.goto(`${shop.url}/shop/products/missing`);
  assert.equal(response?.status(), 404);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
});

test('forced colors show the selected variant and the current category', options, async () => {
  const page = await open('/shop/products/linen-shirt', { forcedColors: 'active' });
  await page.getByRole('group', { name: 'size' }).waitFor();
  const colorOf = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
        (element, property) => (globalThis as any).getComputedStyle(element)[property],
        name,
      );
  assert.notEqual(
    await colorOf('.choices :checked + span', 'backgroundColor'),
    await colorOf('.choices :not(:checked) + span', 'backgroundColor'),
  );
  await page.goto(`${shop.url}/shop/categories/clothing`);
  await page.locator('.categories [aria-current]').waitFor();
  assert.notEqual(
    await colorOf('.categories [aria-current]', 'borderBottomColor'),
    await colorOf('.categories a:not([aria-current])', 'borderBottomColor'),
  );
});

test('search shows results while typing, tolerates a typo and says when there are no results', options, async () => {
  const page = await open('/');
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.pressSequentially('blankt');
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Wool blanket' }).waitFor();
  await search.fill('zzzzz');
  await page.getByText('No results for “zzzzz”').waitFor();
  await search.fill('');
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
});

test('a promo code changes the total, and an invalid one shows an error on its field', options, async () => {
  const page = await open('/shop/products/desk-lamp');
  await click(page, 'button', 'Add to cart');
  await click(page, 'link', 'Cart');
  const code = page.getByLabel('Promo code');
  await code.fill('NOTHING');
  await click(page, 'button', 'Apply');
  await page.locator('#promo-problem:not(:empty)').waitFor();
  await code.fill('WELCOME10');
  await click(page, 'button', 'Apply');
  await page.getByText('-$8.90').waitFor();
  await page.getByText('$8.90').waitFor();
  assert.equal(await page.locator('#promo-problem').innerText(), '');
});

test('the cart survives a server restart during checkout', options, async () => {
  const page = await open('/shop/products/desk-lamp');
  await click(page, 'button', 'Add to cart');
  await click(page, 'link', 'Cart');
  await click(page, 'link', 'Check out');
  await page.getByText('$101.52').first().waitFor();
  const before = await latestOrder();
  await shop.stop('SIGKILL');
  await shop.restart();
  await page.goto(`${shop.url}/shop/checkout`);
  await placeOrder(page);
  await click(page, 'button', 'Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.equal((await latestOrder()).number, before.number + 1);
});

test('logging out in one tab logs out the other', options, async () => {
  const page = await open('/shop/login');
  await page.getByRole('textbox', { name: 'Email', exact: true }).first().fill('admin@example.com');
  await page.getByLabel('Password').first().fill(shop.password);
  await click(page, 'button', 'Log in');
  await page.getByRole('heading', { name: 'My orders' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${shop.url}/shop/account`);
  await other.getByRole('heading', { name: 'My orders' }).waitFor();
  await click(page, 'button', 'Log out');
  await page.getByRole('link', { name: 'Account' }).waitFor();
  await other.reload();
  await other.getByRole('heading', { name: 'Log in' }).waitFor();
});

test('a visitor reads the blog and subscribes to the newsletter', options, async () => {
  const page = await open('/shop/blog');
  await click(page, 'link', 'A visit to the weaver');
  await page.getByText('Forty looms, one room, and a radio.').waitFor();
  await page.getByLabel('Your email').fill('reader@example.com');
  await click(page, 'button', 'Subscribe');
  await page.getByText(/You're subscribed|Check your inbox/).waitFor();
});

test('the home page loads less than 30 KB of script and makes no API requests', options, async () => {
  const page = await openPage();
  const script: Promise<number>[] = [];
  const requested: string[] = [];
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) script.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    if (pathname.startsWith('/v1/')) requested.push(pathname.split('/').at(-1)!);
  });
  await page.goto(`${shop.url}/`);
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = (await Promise.all(script)).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 0 && bytes < 30_000, `${bytes} bytes`);
  assert.deepEqual(requested, []);
});

test(
  'a double opt-in subscription is pending until the subscriber opens the emailed link and presses the button',
  options,
  async () => {
    const [newsletter] = await staff.collections.list({ type: 'NEWSLETTER' }).take(1);
    await staff.collections.update(newsletter!.id, { settings: { ...newsletter!.settings, doubleOptIn: true } });
    const email = 'new.reader@example.com';
    const subscriber = async () => (await staff.newsletters.listSubscribers(newsletter!.id, { email }).take(1))[0]!;
    const page = await open('/');
    await page.getByLabel('Your email').fill(email);
    await click(page, 'button', 'Subscribe');
    await page.getByText('Check your inbox and confirm your subscription.').waitFor();
    assert.equal((await subscriber()).status, 'PENDING');
    const link = await eventually('the email', async () => {
      const response = await fetch(`${shop.url}/dev/mailbox`, { headers: { accept: 'application/json' } });
      const { items } = (await response.json()) as { items: { to: string; text: string }[] };
      return items.find(({ to }) => to === email)?.text.match(/http\S+confirm-subscription\S+/)?.[0];
    });
    await fetch(link, { headers: { accept: 'text/html' } });
    await fetch(link, { headers: { accept: 'application/json' } });
    assert.equal((await subscriber()).status, 'PENDING', 'a mail scanner followed the link');
    await page.goto(link);
    await click(page, 'button', 'Confirm subscription');
    await page.getByText("You'll get the next issue by email.").waitFor();
    const { id, status } = await subscriber();
    assert.equal(status, 'ACTIVE');
    const consent = await staff.newsletters.getSubscriberConsent(newsletter!.id, id);
    assert.equal(consent.source, 'DOUBLE_OPT_IN');
    assert.match(consent.text!, /new\.reader@example\.com/);
  },
);

test('plain text in a post is shown as text, and rich text as HTML', options, async () => {
  for (const variant of ['PLAIN', 'HTML']) {
    const collection = await staff.collections.create({
      name: `Notes ${variant}`,
      slug: `notes-${variant.toLowerCase()}`,
      blocks: [
        { id: 'title', type: 'TEXT' },
        { id: 'body', type: 'TEXT', settings: { variant } },
      ],
      statuses: [{ status: 'PUBLISHED' }],
    });
    const entry = await staff.entries.create({
      collectionId: collection.id,
      locale: 'en',
      blocks: [
        { id: 'title', type: 'TEXT', value: 'Notes' },
        { id: 'body', type: 'TEXT', value: '<strong>Soap</strong>' },
      ],
      statuses: [{ status: 'PUBLISHED' }],
    });
    const page = await open(`/shop/${collection.slug}/${entry.id}`);
    assert.equal(await page.locator('.post').innerText(), variant === 'HTML' ? 'Soap' : '<strong>Soap</strong>');
  }
});
