import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, joinAs, logIn, openAdmin, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

test('a user logs in with the demo login and stays logged in after a reload', options, async () => {
  const page = await openAdmin(shop, '');
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  await checkPage(page, 'the login');
  await page.getByLabel('Email').fill('admin@example.com');
  await page.getByLabel('Password').fill('wrong-password-1');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Use demo login' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const { stored, cookie } = await page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { localStorage, sessionStorage, document } = globalThis as any;
    return { stored: JSON.stringify({ ...localStorage, ...sessionStorage }), cookie: document.cookie };
  });
  assert.doesNotMatch(stored, /eyJ/);
  assert.equal(cookie, '');
});

test('logging out in one tab logs out the other', options, async () => {
  const page = await open();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in to Souk' }).waitFor();
  await other.getByRole('heading', { name: 'Log in to Souk' }).waitFor();
});

/** The demo shop's time zone is UTC. */
const todayText = () => new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format();

test('low stock on Home leaves out archived products', options, async () => {
  const variants = [{ inventory: { quantity: 1, lowStockThreshold: 2 } }];
  for (const [name, status] of [
    ['Old lamp', 'ARCHIVED'],
    ['New lamp', 'ACTIVE'],
  ] as const) {
    await souk.products.create({ name, status, variants });
  }
  const page = await logIn(shop, '', await joinAs(shop, 'EDITOR'), { locale: 'en-US' });
  await page.getByRole('link', { name: 'New lamp' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Old lamp' }).count(), 0);
});

test("a member without ORDER_READ doesn't see sales on Home", options, async () => {
  const page = await logIn(shop, '', await joinAs(shop, 'EDITOR'), { locale: 'en-US' });
  await page.getByRole('heading', { name: 'Low stock' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: /Sales|Orders/ }).count(), 0);
  assert.doesNotMatch(await page.locator('main').innerText(), /[$€]/);
});

test(
  'Home shows sales, orders to fulfill and low stock, and fits on a phone screen in light and dark mode',
  options,
  async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        const page = await open({ colorScheme, viewport: { width, height: 800 } });
        await page.getByRole('heading', { name: 'Sales, last 30 days' }).waitFor();
        await page.getByRole('img', { name: /^Sales after refunds/ }).waitFor();
        await page.locator('.chart-x span').last().getByText(todayText()).waitFor();
        await page.getByRole('region', { name: 'Orders to fulfill' }).getByRole('link').first().waitFor();
        await page.getByRole('region', { name: 'Low stock' }).getByRole('link').first().waitFor();
        await checkPage(page, `Home, ${colorScheme}, ${width} px`);
        await goTo(page, 'Products');
        await page.getByRole('link', { name: 'Notebook' }).waitFor();
        await checkPage(page, `Products, ${colorScheme}, ${width} px`);
        await page.getByRole('link', { name: 'Notebook' }).click();
        await page.getByLabel('Slug').waitFor();
        await checkPage(page, `a product, ${colorScheme}, ${width} px`);
        await goTo(page, 'Orders');
        await page.getByRole('link', { name: /^#\d+/ }).first().click();
        await page.getByRole('heading', { level: 1, name: /Order #\d+/ }).waitFor();
        await checkPage(page, `an order, ${colorScheme}, ${width} px`);
        await page.context().close();
      }
    }
  },
);

test('the palette finds products, orders, entries and actions, by keyboard alone', options, async () => {
  const page = await open();
  const finds = async (text: string, option: RegExp, heading: string | RegExp) => {
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.fill(text);
    await page.getByRole('option', { name: option }).first().waitFor();
    for (let i = 0; i < 8; i++) {
      if (await page.getByRole('option', { name: option, selected: true }).count()) break;
      await page.keyboard.press('ArrowDown');
    }
    if (text === 'linen') await checkPage(page, 'the palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  await finds('linen', /Linen shirt/, 'Linen shirt');
  const [order] = await souk.orders.list({ query: 'grace@example.com' }).take(1);
  await finds('grace', new RegExp(`#${order!.number}`), `Order #${order!.number}`);
  await finds('new product', /New product/, 'New product');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  await page.keyboard.press('/');
  assert.ok(await page.getByRole('searchbox').evaluate((box) => box.matches(':focus')));
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await checkPage(page, 'the keyboard shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
});

test('language and theme can be changed and are kept after a reload', options, async () => {
  const page = await open();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('link', { name: 'Bestellungen', exact: true }).click();
  await page.getByRole('heading', { name: 'Bestellungen' }).waitFor();
  await page.getByRole('combobox', { name: 'Design' }).selectOption('dark');
  const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  assert.equal(await background(), 'rgb(22, 19, 17)');
  await page.reload();
  await page.getByRole('heading', { name: 'Bestellungen' }).waitFor();
  assert.equal(await background(), 'rgb(22, 19, 17)');
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await checkPage(page, 'Bestellungen');
  await page.goto(`${shop.url}/admin/${souk.businessId}/products/new`);
  const price = page.getByLabel('Preis (United States)', { exact: true }).first();
  await price.fill('4.9');
  await price.blur();
  assert.equal(await price.inputValue(), '4,90');
});

test(
  'a new business starts empty with a checklist, and the switcher switches between businesses',
  options,
  async () => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Business' }).selectOption('new');
    await page.getByRole('dialog').getByLabel('Name').fill('Second shop');
    await page.getByRole('button', { name: 'Create business' }).click();
    await page.getByRole('heading', { name: 'Set up your business' }).waitFor();
    await page.getByRole('link', { name: 'Add your first product' }).waitFor();
    await goTo(page, 'Orders');
    await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
    await checkPage(page, 'an empty list');
    await page.getByRole('combobox', { name: 'Business' }).selectOption({ label: 'Demo shop' });
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await goTo(page, 'Orders');
    await page.getByRole('link', { name: /^#\d+/ }).first().waitFor();
  },
);

test('a new business in Germany starts with the euro, 19% VAT included in prices, and German', options, async () => {
  const page = await open();
  await page.getByRole('combobox', { name: 'Business' }).selectOption('new');
  await page.getByRole('dialog').getByLabel('Name').fill('Gartenladen');
  await page.getByRole('button', { name: 'Create business' }).click();
  const sales = page.getByRole('region', { name: 'Sales, last 30 days' });
  await sales.getByText('No sales in the last 30 days').waitFor();
  assert.doesNotMatch(await sales.innerText(), /0\.00/);
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
  };
  await page.getByRole('link', { name: 'Add your address and tax ID for invoices' }).click();
  await page.getByLabel('Country').selectOption('Germany');
  await save();

  await page.getByRole('link', { name: 'Markets' }).click();
  const vat = page.waitForResponse(/vat-rates/);
  await page.reload();
  await vat;
  await page.getByRole('button', { name: 'Add market' }).click();
  const termsOf = (name: string | RegExp) => {
    const market = page.getByRole('group', { name, exact: true });
    const labels = ['Currency', 'Tax calculation', 'Tax rate'];
    return Promise.all(labels.map((label) => market.getByLabel(label).inputValue()));
  };
  await page.getByRole('group', { name: 'Market 1' }).getByLabel('Code').fill('eu');
  assert.deepEqual(await termsOf('eu'), ['EUR', 'INCLUSIVE', '19']);
  await page.getByRole('button', { name: 'Add market' }).click();
  await page.getByRole('group', { name: 'Market 2' }).getByLabel('Code').fill('ch');
  await page.getByRole('group', { name: 'ch', exact: true }).getByLabel('Countries (optional)').fill('Switzerl');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Remove Switzerland' }).waitFor();
  assert.deepEqual(await termsOf('ch'), ['CHF', 'INCLUSIVE', '8.1']);
  await save();

  await page.getByRole('link', { name: 'Storefront' }).click();
  await page.getByRole('button', { name: 'Add German' }).click();
  const languages = page.getByRole('combobox', { name: 'Languages' });
  for (const [typed, name] of [
    ['french', 'French'],
    ['it', 'Italian'],
  ] as const) {
    await languages.fill(typed);
    await languages.press('Tab');
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  }
  await languages.fill('Klingon');
  await languages.press('Tab');
  await page.getByText('Choose an option from the list').waitFor();
  await languages.fill('');
  await page.getByLabel('Open to the public').check();
  await save();
  await page.getByRole('link', { name: 'View storefront' }).waitFor();
  // An open storefront still needs its legal pages.
  await page.getByText('Add text to all legal pages').waitFor();
  const chips = page.getByRole('list', { name: 'Languages' });
  assert.match(await chips.innerText(), /German\s.*French\s.*Italian/s);

  await goTo(page, 'Home');
  await sales.getByText('€0.00').first().waitFor();
  assert.equal(await sales.locator('.chart').count(), 0);
});

test('an unknown URL shows a not-found page', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${souk.businessId}/nowhere`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await checkPage(page, 'the not-found page');
});
