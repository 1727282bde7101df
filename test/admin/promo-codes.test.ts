import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, searchFor, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const find = async (query: string) => (await souk.promoCodes.list({ query }).take(1))[0]!;

test('a promo code is created with discounts and conditions, changed, deleted and restored', options, async () => {
  const page = await open();
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'WELCOME10' }).waitFor();
  await checkPage(page, 'the list');
  await page.getByRole('link', { name: 'New promo code' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill('spring');
  await page.getByLabel('Percentage').fill('12.5');
  await page.getByRole('button', { name: 'Add discount' }).click();
  await page.getByRole('group', { name: 'Discount 2' }).getByLabel('Percentage').fill('500');
  await page.getByLabel('Minimum order amount').fill('20.00');
  await page.getByLabel('Total usage limit').fill('100');
  await page.getByRole('button', { name: 'Choose Eligible products' }).click();
  await searchFor(page, 'Search records', 'linen');
  await page.getByRole('button', { name: 'Linen shirt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Discount 2 › Percentage: ').waitFor();
  await page.getByRole('group', { name: 'Discount 2' }).getByLabel('Percentage').fill('50');
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

  // Someone else changes another field: both changes are kept.
  await souk.promoCodes.update(promo.id, { code: 'SPRING26' });
  await page.getByLabel('Status').selectOption('Archived');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("Saved and merged with someone else's changes").waitFor();
  const merged = await souk.promoCodes.get(promo.id);
  assert.deepEqual([merged.code, merged.statuses.at(-1)?.status], ['SPRING26', 'ARCHIVED']);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('SPRING26 deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'SPRING26' }).waitFor();
});

test('amounts are accepted in local formats, and invalid ones show an error', options, async () => {
  const page = await open();
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'New promo code' }).click();
  const amount = page.getByLabel('Minimum order amount');
  const write = async (text: string) => {
    await amount.fill(text);
    await amount.blur();
    return amount.inputValue();
  };
  for (const text of ['1.234,50', '1,234.50', '$1234.5', '1 234,50 EUR', "1'234.50"])
    assert.equal(await write(text), '1234.50', text);
  assert.equal(await write('7'), '7.00');
  for (const text of ['12e5', '0,125', '1.2.3', '5 for 20', '-']) {
    assert.equal(await write(text), '7.00', text);
    await page.getByText('Enter a number.').waitFor();
  }
  assert.equal(await write('−5'), '-5.00');
  await page.getByText('Enter a number.').waitFor({ state: 'hidden' });
  const share = page.getByLabel('Percentage');
  await share.fill('10');
  await share.press('End');
  await share.pressSequentially('e');
  await share.blur();
  await page.getByText('Enter a number.').waitFor();
  assert.equal(await share.inputValue(), '10');
  await page.getByRole('textbox', { name: 'Code' }).fill('below');
  await page.getByRole('button', { name: 'Save' }).click();
  await amount.and(page.locator('[aria-invalid="true"]')).waitFor();
});

test('the page of a deleted promo code links back to the list', options, async () => {
  const page = await open();
  const discount = { type: 'ITEMS_PERCENTAGE', bps: 100 } as const;
  const { id } = await souk.promoCodes.create({ code: 'GONE', discounts: [discount] });
  await souk.promoCodes.delete(id);
  await page.goto(page.url().replace(/[/]?$/, `/promo-codes/${id}`));
  await page.getByRole('alert').getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'WELCOME10' }).waitFor();
});

test('the list and the editor fit a 360 px screen in dark mode', options, async () => {
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'WELCOME10' }).waitFor();
  await checkPage(page, 'the list');
  await page.getByRole('link', { name: 'WELCOME10' }).click();
  await page.getByLabel('Usage limit per customer').waitFor();
  await checkPage(page, 'the editor');
});
