import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, searchFor, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const find = async (query: string) => (await souk.promoCodes.list({ query }).take(1))[0]!;

test('a promo code is made with discounts and conditions, changed, and deleted with an undo', options, async () => {
  const page = await open();
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'WELCOME10' }).waitFor();
  await checkPage(page, 'the list');
  await page.getByRole('link', { name: 'New promo code' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill('spring');
  await page.getByLabel('Per cent').fill('12.5');
  await page.getByRole('button', { name: 'Add a discount' }).click();
  await page.getByRole('group', { name: 'Discount 2' }).getByLabel('Per cent').fill('500');
  await page.getByLabel('From a basket of').fill('20.00');
  await page.getByLabel('Uses in all').fill('100');
  await page.getByRole('button', { name: 'Choose Only with these products' }).click();
  await searchFor(page, 'Search records', 'linen');
  await page.getByRole('button', { name: 'Linen shirt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('discounts[1].bps must be from 1 to 10000.').first().waitFor();
  await page.getByRole('group', { name: 'Discount 2' }).getByLabel('Per cent').fill('50');
  await checkPage(page, 'the editor');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'SPRING' }).waitFor();

  const promo = await find('SPRING');
  assert.deepEqual(promo.discounts, [
    { type: 'ITEMS_PERCENTAGE', bps: 1250 },
    { type: 'SHIPPING_PERCENTAGE', bps: 5000 },
  ]);
  const [product] = await souk.products.list({ query: 'linen shirt' }).take(1);
  assert.deepEqual(promo.conditions, [
    { type: 'MIN_ORDER_AMOUNT', value: 2000 },
    { type: 'MAX_USES', value: 100 },
    { type: 'PRODUCTS', value: [product!.id] },
  ]);

  // Somebody else changes another field meanwhile: both changes are there.
  await souk.promoCodes.update(promo.id, { code: 'SPRING26' });
  await page.getByLabel('Status').selectOption('Archived');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Both changes are saved.').waitFor();
  const merged = await souk.promoCodes.get(promo.id);
  assert.deepEqual([merged.code, merged.statuses.at(-1)?.status], ['SPRING26', 'ARCHIVED']);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('SPRING26 is deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'SPRING26' }).waitFor();
});

test('at 360 px, by night, list and editor are whole', options, async () => {
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'WELCOME10' }).waitFor();
  await checkPage(page, 'the list');
  await page.getByRole('link', { name: 'WELCOME10' }).click();
  await page.getByLabel('Uses per customer').waitFor();
  await checkPage(page, 'the editor');
});
