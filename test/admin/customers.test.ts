import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, joinAs, logIn, searchFor } from './browser.ts';

const shop = await startShop();
const options = { skip, timeout: 120_000 };
const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });

test('a customer is created, found by search and tag, deleted and restored', options, async () => {
  const page = await logIn(shop, '/customers');
  await page.getByRole('link', { name: 'New customer' }).first().click();
  await page.getByRole('heading', { name: 'New customer' }).waitFor();
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('Email', { exact: true }).fill('not an address');
  await page.getByLabel('Tags').fill('navy, regular');
  await page.getByRole('button', { name: 'Add address' }).click();
  await page.getByLabel('City').fill('Arlington');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').first().waitFor();
  assert.equal(await page.getByLabel('Email', { exact: true }).getAttribute('aria-invalid'), 'true');
  await checkPage(page, 'a form with an error');
  await page.getByLabel('Email', { exact: true }).fill('rear.admiral@example.com');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();
  await page.getByText('No orders yet').waitFor();
  await page.getByText('No newsletter subscriptions').waitFor();
  await checkPage(page, 'a customer');

  await page.getByRole('link', { name: 'Back' }).click();
  await searchFor(page, 'Search by name, email, or phone', 'grac');
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('navy');
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  await checkPage(page, 'the list');
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Grace Hopper deleted').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Grace Hopper' }).count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
});

test('edits by two people are merged, and a field that both changed is shown with both values', options, async () => {
  const { id } = await staff.customers.create({ name: 'Ada', email: 'ada.l@example.com' });
  const page = await logIn(shop, `/customers/${id}`);
  await page.getByLabel('Note').fill('Calls in the evening.');
  await staff.customers.update(id, { tags: ['poet'] });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("Saved and merged with someone else's changes").waitFor();
  const merged = await staff.customers.get(id);
  assert.deepEqual([merged.note, merged.tags], ['Calls in the evening.', ['poet']]);

  await page.getByLabel('Name').fill('Ada King');
  await staff.customers.update(id, { name: 'Ada Lovelace' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else edited this' });
  await dialog.getByText('Ada Lovelace').waitFor();
  await dialog.getByText('Ada King').waitFor();
  await checkPage(page, 'the conflict');
  await dialog.getByRole('radio', { name: 'Their changes' }).check();
  await dialog.getByRole('button', { name: 'Save selection' }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  assert.equal((await staff.customers.get(id)).name, 'Ada Lovelace');
});

test('the profile shows the orders, returns and subscriptions of a customer', options, async () => {
  const email = 'grace@example.com';
  const { id } = await staff.customers.create({ name: 'Grace', email });
  const [order] = await staff.orders.list({ query: email }).take(1);
  const [newsletter] = await staff.collections.list({ type: 'NEWSLETTER' }).take(1);
  const lines = [{ lineId: order!.lines[0]!.id, quantity: 1 }];
  await staff.orders.requestReturn(order!.id, { type: 'WITHDRAWAL', lines });
  const page = await logIn(shop, `/customers/${id}`, await joinAs(shop, 'SUPPORT'));
  await page.getByRole('link', { name: `#${order!.number}`, exact: true }).waitFor();
  await page.getByRole('link', { name: `#${order!.number} Withdrawal` }).waitFor();
  await page.getByRole('link', { name: newsletter!.name }).waitFor();
  const amount = page.locator('.facts .amount');
  await amount.waitFor();
  assert.equal(await amount.evaluate((element) => element.getClientRects().length), 1, 'the amount is on one line');
  const isInside = await amount.evaluate(
    (element) => element.getBoundingClientRect().right <= element.closest('dl')!.getBoundingClientRect().right,
  );
  assert.ok(isInside, 'the amount is inside its card');
  await checkPage(page, 'a customer with orders and returns');
});

test(
  'a member without access has no link to customers, and their page names the missing permission',
  options,
  async () => {
    const page = await logIn(shop, '/customers', await joinAs(shop, 'EDITOR'));
    await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
    await page.getByText('View customers').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Customers' }).count(), 0);
    await checkPage(page, 'a page without access');
  },
);

test('a list of 2,000 customers renders only the rows near the viewport', options, async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `row${i}@example.com,Row ${i}`);
  const file = new Blob([['email,name', ...rows].join('\n')]);
  const headers = { 'content-type': 'application/octet-stream' };
  const { id } = await staff.imports.create(file, { query: { type: 'customers' }, headers });
  await eventually('the import is done', async () => (await staff.imports.get(id)).status === 'DONE');
  const page = await logIn(shop, '/customers');
  const seen = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, innerHeight, requestAnimationFrame, scrollBy } = globalThis as any;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const result = { most: 0, last: 0 };
    const deadline = Date.now() + 60_000;
    while (result.last < 2000 && Date.now() < deadline) {
      scrollBy(0, innerHeight * 2);
      await frame();
      const shown = [...document.querySelectorAll('tbody tr[aria-rowindex]')];
      result.most = Math.max(result.most, shown.length);
      result.last = Number(shown.at(-1)?.getAttribute('aria-rowindex') ?? 0);
    }
    return result;
  });
  assert.ok(seen.last >= 2000, `only ${seen.last} rows were reached`);
  assert.ok(seen.most < 100, `${seen.most} rows were in the document`);
});
