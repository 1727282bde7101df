import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, openAdmin, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

test(
  'a newcomer logs in with what one click has filled in, and is still logged in after a reload',
  options,
  async () => {
    const page = await openAdmin(shop, '');
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await checkPage(page, 'the log-in');
    await page.getByLabel('E-mail').fill('admin@example.com');
    await page.getByLabel('Password').fill('wrong-password-1');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Fill in the demo log-in' }).click();
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
  },
);

test('who logs out in one tab is logged out in the other', options, async () => {
  const page = await open();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in to Souk' }).waitFor();
  await other.getByRole('heading', { name: 'Log in to Souk' }).waitFor();
});

test('Home shows sales, waiting orders and low stock, and fits a phone by day and by night', options, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      const page = await open({ colorScheme, viewport: { width, height: 800 } });
      await page.getByRole('heading', { name: 'Sales of the last 30 days' }).waitFor();
      await page.getByRole('img', { name: /Sales by day/ }).waitFor();
      await page.getByRole('region', { name: 'Orders that wait' }).getByRole('link', { name: '#2' }).waitFor();
      await page.getByRole('region', { name: 'Low stock' }).getByRole('link').first().waitFor();
      await checkPage(page, `Home, ${colorScheme}, ${width} px`);
      await goTo(page, 'Products');
      await page.getByRole('link', { name: 'Notebook' }).waitFor();
      await checkPage(page, `Products, ${colorScheme}, ${width} px`);
      await page.getByRole('link', { name: 'Notebook' }).click();
      await page.getByLabel('Slug').waitFor();
      await checkPage(page, `a product, ${colorScheme}, ${width} px`);
      await goTo(page, 'Orders');
      await page.getByRole('link', { name: '#1' }).click();
      await page.getByText('Linen shirt').waitFor();
      await checkPage(page, `an order, ${colorScheme}, ${width} px`);
      await page.context().close();
    }
  }
});

test('the palette finds products, orders, entries and actions, by keyboard alone', options, async () => {
  const page = await open();
  const finds = async (text: string, option: RegExp, heading: string | RegExp) => {
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search everything' });
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
  await finds('grace', /#3/, 'Order #3');
  await finds('new product', /New product/, 'New product');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  await page.keyboard.press('/');
  assert.ok(await page.getByRole('searchbox').evaluate((box) => box.matches(':focus')));
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await checkPage(page, 'the keys');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
});

test('every text is there in German too, and colours can be chosen', options, async () => {
  const page = await open();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('link', { name: 'Bestellungen', exact: true }).click();
  await page.getByRole('heading', { name: 'Bestellungen' }).waitFor();
  await page.getByRole('combobox', { name: 'Farben' }).selectOption('dark');
  const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  assert.equal(await background(), 'rgb(22, 19, 17)');
  await page.reload();
  await page.getByRole('heading', { name: 'Bestellungen' }).waitFor();
  assert.equal(await background(), 'rgb(22, 19, 17)');
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await checkPage(page, 'Bestellungen');
  await page.goto(`${shop.url}/admin/${souk.businessId}/products/new`);
  const price = page.getByLabel('Preis in United States').first();
  await price.fill('4.9');
  await price.blur();
  assert.equal(await price.inputValue(), '4,90');
});

test('a new business begins empty, with a list of what it needs, and one goes back and forth', options, async () => {
  const page = await open();
  await page.getByRole('combobox', { name: 'Business' }).selectOption('new');
  await page.getByRole('dialog').getByLabel('Name').fill('Second shop');
  await page.getByRole('button', { name: 'Create business' }).click();
  await page.getByRole('heading', { name: 'Set up your business' }).waitFor();
  await page.getByRole('link', { name: 'Make your first product' }).waitFor();
  await goTo(page, 'Orders');
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  await checkPage(page, 'an empty list');
  await page.getByRole('combobox', { name: 'Business' }).selectOption({ label: 'Demo shop' });
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: '#1' }).waitFor();
});

test('an address that leads nowhere says so', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${souk.businessId}/nowhere`);
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  await checkPage(page, 'nowhere');
});
