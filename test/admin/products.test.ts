import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { photo } from '../media/files.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, countDrafts, goTo, joinAs, searchFor, startAdmin } from './browser.ts';
import { arrive, go, press, save, tabTo, type } from './keyboard.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

const find = async (slug: string) => (await souk.products.list({ slug, limit: 1 }).take(1))[0]!;

async function openProduct(page: Page, name: string): Promise<void> {
  await goTo(page, 'Products');
  await searchFor(page, 'Search products', name);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByLabel('Name', { exact: true }).waitFor();
}

/** Drops a file as if it had been dragged from the desktop. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const file = await page.evaluateHandle(
    ({ base64, fileName }) => {
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
      const { atob, DataTransfer, File } = globalThis as any;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (each: string) => each.charCodeAt(0))], fileName));
      return dataTransfer;
    },
    { base64: bytes.toString('base64'), fileName: name },
  );
  const images = page.getByRole('group', { name: 'Images' }).getByRole('button', { name: /^Upload files/ });
  await images.dispatchEvent('drop', { dataTransfer: file });
}

test('a save waits for images that are still uploading, and is not sent if one fails', options, async () => {
  const page = await open();
  await go(page, 'New product', 'New product');
  await page.getByLabel('Name', { exact: true }).fill('Slow picture');
  let isRejected = true;
  const saving = page.getByText('Saving…');
  await page.route('**/upload', async (route) => {
    await saving.waitFor();
    if (isRejected) await route.abort();
    else await route.continue();
  });
  await drop(page, 'slow.jpg', await photo(60, 40));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('list', { name: 'Uploads' }).getByRole('alert').waitFor();
  assert.equal(await find('slow-picture'), undefined);
  isRejected = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Slow picture' }).waitFor();
  assert.equal((await find('slow-picture'))?.gallery.length, 1);
});

test('a product is created with variants from options, prices per market and images', options, async () => {
  const page = await open();
  await goTo(page, 'Products');
  await checkPage(page, 'the list of products');
  await page.getByRole('link', { name: 'New product' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Name', { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Beach towel');
  await page.getByLabel('Description').fill('Soft.');
  await page.getByLabel('Category').fill('home');
  await drop(page, 'towel.jpg', await photo(600, 400));
  const images = page.getByRole('group', { name: 'Images' });
  await images.getByRole('button', { name: 'Remove towel.jpg' }).waitFor();
  await images.getByRole('button', { name: 'Choose from media library' }).click();
  await page.getByRole('button', { name: 'linen-shirt.svg' }).click();
  await page.getByRole('button', { name: 'Use file' }).click();
  await images.getByRole('button', { name: 'Move linen-shirt.svg up' }).press('Enter');
  await images.getByRole('button', { name: 'Alt text for towel.jpg' }).click();
  await page.getByLabel('Alt text (English)').fill('A towel on the sand');
  await checkPage(page, 'the alt text');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await images.getByText('A towel on the sand').waitFor();
  await page.getByLabel('Field name').fill('Made on');
  await page.getByLabel('Type', { exact: true }).selectOption('Date and time');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByLabel('Made on', { exact: true }).fill('2026-05-01T12:30');
  await page.getByRole('button', { name: 'Add option' }).click();
  await page.getByLabel('Option 1', { exact: true }).fill('Size');
  await page.getByLabel('Values for option 1').fill('Small, Large');
  await page.getByRole('button', { name: 'Add option' }).click();
  await page.getByLabel('Option 2', { exact: true }).fill('Colour');
  await page.getByLabel('Values for option 2').fill('Sand, Sea');
  await page.getByLabel('Price (United States)', { exact: true }).fill('29.50');
  await page.getByRole('button', { name: 'Generate variants' }).click();
  assert.equal(await page.getByRole('group', { name: /Small|Large/ }).count(), 4);
  const large = page.getByRole('group', { name: 'Large / Sea', exact: true });
  await large.getByText('Variant images (0)').click();
  await large.getByRole('button', { name: 'Choose from media library' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'towel.jpg' }).click();
  await page.getByRole('button', { name: 'Use file' }).click();
  await large.getByText('Variant images (1)').waitFor();
  await large.getByLabel('Price (European Union)', { exact: true }).fill('31,00');
  await large.getByLabel('Quantity').fill('7');
  await checkPage(page, 'a new product');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'Beach towel' }).waitFor();

  const product = await find('beach-towel');
  assert.deepEqual(
    product.variants.map(({ name }) => name),
    ['Small / Sand', 'Small / Sea', 'Large / Sand', 'Large / Sea'],
  );
  const prices = product.variants[3]!.pricing.markets.map(({ marketId, price }) => [marketId, price]);
  assert.deepEqual(Object.fromEntries(prices), { us: 2950, eu: 3100 });
  assert.equal(product.variants[3]!.inventory.quantity, 7);
  assert.deepEqual(
    product.variants.map(({ gallery = [] }) => gallery.map(({ fileName }) => fileName)),
    [[], [], [], ['towel.jpg']],
  );
  assert.deepEqual(
    product.gallery.map(({ fileName }) => fileName),
    ['linen-shirt.svg', 'towel.jpg'],
  );
  assert.deepEqual(product.gallery[1]!.alt, { en: 'A towel on the sand' });
  assert.equal(product.blocks[0]?.type, 'DATE');
});

test('stock is adjusted by a relative amount, and its history shows the reason', options, async () => {
  const page = await open();
  await openProduct(page, 'Wall clock');
  const before = (await find('wall-clock')).variants[0]!;
  await page.getByRole('button', { name: `Adjust stock for ${before.name}` }).click();
  await page.getByLabel('Adjust by').fill('-1000');
  await page.getByRole('dialog').getByRole('button', { name: 'Adjust stock' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Adjust by').fill('12');
  await page.getByRole('dialog').getByRole('button', { name: 'Adjust stock' }).click();
  await page.getByRole('row', { name: /Adjustment \+12/ }).waitFor();
  await checkPage(page, 'the history of stock');
  assert.equal((await find('wall-clock')).variants[0]!.inventory.quantity, before.inventory.quantity + 12);
});

test('changes to different fields in two browsers are both saved, by keyboard alone', options, async () => {
  const [first, second] = (await Promise.all([open(), open()])) as [Page, Page];
  await go(first, 'Desk lamp', 'Desk lamp');
  await go(second, 'Desk lamp', 'Desk lamp');
  await type(first, first.getByLabel('Description'), 'Brass and walnut.');
  await type(second, second.getByLabel('Category'), 'lamps');
  await save(first);
  await first.getByText('Saved', { exact: true }).waitFor();
  await save(second);
  await second.getByText("Saved and merged with someone else's changes").waitFor();
  const { description, category } = await find('desk-lamp');
  assert.deepEqual([description, category], ['Brass and walnut.', 'lamps']);
});

test(
  'after two browsers change the same field, the second one chooses a value, by keyboard alone',
  options,
  async () => {
    const [first, second] = (await Promise.all([open(), open()])) as [Page, Page];
    await go(first, 'Enamel teapot', 'Enamel teapot');
    await go(second, 'Enamel teapot', 'Enamel teapot');
    await type(first, first.getByLabel('Description'), 'Theirs.');
    await save(first);
    await first.getByText('Saved', { exact: true }).waitFor();
    await type(second, second.getByLabel('Description'), 'Mine.');
    await type(second, second.getByLabel('Category'), 'tea');
    await second.keyboard.press('Control+s');
    const dialog = second.getByRole('dialog', { name: 'Someone else edited this' });
    await dialog.getByText('Theirs.', { exact: true }).waitFor();
    await dialog.getByText('Mine.', { exact: true }).waitFor();
    await checkPage(second, 'the conflict');
    assert.equal((await find('enamel-teapot')).description, 'Theirs.');
    const mine = dialog.getByRole('radio', { name: /^Your changes/ });
    await tabTo(second, mine);
    await second.keyboard.press('ArrowDown');
    await second.keyboard.press('ArrowUp');
    assert.ok(await mine.isChecked());
    await press(second, dialog.getByRole('button', { name: 'Save selection' }));
    await dialog.waitFor({ state: 'detached' });
    await second.getByText('Saved', { exact: true }).waitFor();
    await tabTo(second, second.getByLabel('Category'));
    const { description, category } = await find('enamel-teapot');
    assert.deepEqual([description, category], ['Mine.', 'tea']);
  },
);

test('closing the tab during the undo period still deletes the product', options, async () => {
  const { id } = await souk.products.create({ name: 'Short-lived', slug: 'short-lived' });
  const page = await open();
  await openProduct(page, 'Short-lived');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Short-lived deleted').waitFor();
  assert.equal((await find('short-lived')).id, id, 'deletion waits for the undo period');
  await page.close({ runBeforeUnload: true });
  await eventually(
    'it is deleted',
    async () => (await souk.products.list({ slug: 'short-lived' }).take(1)).length === 0,
  );
});

test('text typed during a save is kept and saved next', options, async () => {
  const page = await open();
  await go(page, 'Beeswax candle', 'Beeswax candle');
  const description = page.getByLabel('Description');
  await page.route(/\/products\/[^/]+$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    const response = await route.fetch();
    await page.keyboard.type(' And a lid.');
    await route.fulfill({ response });
  });
  await type(page, description, 'Pure wax.');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await find('beeswax-candle')).description, 'Pure wax.');
  assert.equal(await description.inputValue(), 'Pure wax. And a lid.');
  await page.unroute(/\/products\/[^/]+$/);
  await save(page);
  assert.equal((await find('beeswax-candle')).description, 'Pure wax. And a lid.');
});

test('text typed while a new product is saved moves to its page and creates no second product', options, async () => {
  const page = await open();
  await go(page, 'New product', 'New product');
  await page.route(/\/products$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    await page.keyboard.type(' And a lid.');
    await page.keyboard.press('Control+s');
    await route.fulfill({ response });
  });
  await type(page, page.getByLabel('Name', { exact: true }), 'Tea tin');
  await type(page, page.getByLabel('Description'), 'Of steel.');
  await page.keyboard.press('Control+s');
  await arrive(page, 'Tea tin');
  await press(page, page.getByRole('button', { name: 'Restore changes' }));
  assert.equal(await page.getByLabel('Description').inputValue(), 'Of steel. And a lid.');
  await save(page);
  const made = await souk.products.list({ query: 'tea tin' }).take(10);
  assert.deepEqual(
    made.map(({ description }) => description),
    ['Of steel. And a lid.'],
  );
  await go(page, 'New product', 'New product');
  assert.equal(await page.evaluate(countDrafts), 0);
});

test('unsaved text can be restored after the tab is closed, by keyboard alone', options, async () => {
  const page = await open();
  await go(page, 'Fountain pen', 'Fountain pen');
  await type(page, page.getByLabel('Description'), 'It writes like it thinks.');
  await eventually('the draft is stored', () => page.evaluate(countDrafts));
  const address = page.url();
  const again = await page.context().newPage();
  await page.close({ runBeforeUnload: false });
  again.setDefaultTimeout(10_000);
  await again.goto(address);
  await press(again, again.getByRole('button', { name: 'Restore changes' }));
  await tabTo(again, again.getByLabel('Description'));
  assert.equal(await again.getByLabel('Description').inputValue(), 'It writes like it thinks.');
  await save(again);
  await again.getByText('Saved', { exact: true }).waitFor();
  await again.reload();
  await again.getByLabel('Description').waitFor();
  assert.equal(await again.getByRole('button', { name: 'Restore changes' }).count(), 0);
  assert.equal((await find('fountain-pen')).description, 'It writes like it thinks.');
});

test('unsaved edits can be restored only by the user who made them', options, async () => {
  const page = await open();
  await openProduct(page, 'Leather belt');
  const path = new URL(page.url()).pathname;
  await page.getByLabel('Description').fill('Not for everyone yet.');
  const enter = async (email: string, password: string) => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.goto(`${shop.url}${path}`);
    await page.getByLabel('Description').waitFor();
  };
  const colleague = await joinAs(shop, 'ADMIN');
  await enter(colleague.email, colleague.password);
  await page.getByLabel('Category').fill('desk');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Restore changes' }).count(), 0);
  await enter('admin@example.com', shop.password);
  await page.getByRole('button', { name: 'Restore changes' }).click();
  assert.equal(await page.getByLabel('Description').inputValue(), 'Not for everyone yet.');
});

test('when the session expires during an edit, logging in again in place saves the edit', options, async () => {
  const page = await open();
  await openProduct(page, 'Wool blanket');
  await page.getByLabel('Description').fill('Warm.');
  await page.evaluate(() => fetch('/admin/session', { method: 'DELETE' }));
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await dialog.getByLabel('Password').fill(shop.password);
  await checkPage(page, 'log in again');
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await find('wool-blanket')).description, 'Warm.');
});

test('when the server stops and restarts, the page says so and the edit is saved', options, async () => {
  const page = await open();
  await openProduct(page, 'Beeswax candle');
  await page.getByLabel('Description').fill('Smells of summer.');
  const list = await open();
  await goTo(list, 'Orders');
  await goTo(list, 'Products');
  await shop.stop('SIGKILL');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Your changes are safe').waitFor();
  await page.getByRole('status').getByText("Can't connect to the server").waitFor();
  await goTo(list, 'Orders');
  await list.getByRole('status').getByText("Can't connect to the server").waitFor();
  assert.equal(await list.getByRole('alert').count(), 0, 'the error is shown once');
  await shop.restart();
  await page.getByText("Can't connect to the server").waitFor({ state: 'hidden' });
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  assert.equal(await page.getByLabel('Description').inputValue(), 'Smells of summer.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await find('beeswax-candle')).description, 'Smells of summer.');
});

test('deleting and archiving can be undone for ten seconds', options, async () => {
  const page = await open();
  await goTo(page, 'Products');
  await page.getByRole('checkbox', { name: 'Select Notebook' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Notebook', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Notebook', exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Notebook' }).check();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('1 product set to Archived').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Action undone').waitFor();
  assert.equal((await find('notebook')).statuses.at(-1)?.status, 'ACTIVE');
});

test('long names and prices never make the list wider than the screen', options, async () => {
  const prices = { markets: [{ marketId: 'us', currency: 'usd', price: 123_456_789 }] };
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200);
  const variants = [{ name: 'One', pricing: prices }];
  const input = { name: long, category: long.slice(0, 60), slug: 'long', variants, status: 'ACTIVE' } as const;
  const { id } = await souk.products.create({ ...input });
  const page = await open();
  await goTo(page, 'Products');
  await page.getByRole('link', { name: long }).waitFor();
  for (const width of [768, 960, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await checkPage(page, `a list of long names at ${width} px`);
  }
  await souk.products.delete(id);
});

test('a keyboard shortcut moves the focus from any row of a list to the bulk actions', options, async () => {
  for (let i = 0; i < 40; i++) {
    const variants = [{ name: 'One', pricing: { markets: [] } }];
    await souk.products.create({ name: `Far ${i}`, slug: `far-${i}`, variants, status: 'DRAFT' });
  }
  const page = await open();
  await goTo(page, 'Products');
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('b');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Activate');
  await press(page, page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Archive' }));
  await page.getByText('1 product set to Archived').waitFor();
  const { items } = await souk.products.list({ status: 'ARCHIVED' }).page(null);
  assert.deepEqual(
    items.map(({ name }) => /^Far/.test(name)),
    [true],
  );
});
