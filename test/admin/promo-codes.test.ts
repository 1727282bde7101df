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

test('amounts are taken as people write them; of what is none, people are told', options, async () => {
  const page = await open();
  await goTo(page, 'Promo codes');
  await page.getByRole('link', { name: 'New promo code' }).click();
  const amount = page.getByLabel('From a basket of');
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
    await page.getByText('That is no number.').waitFor();
  }
  assert.equal(await write('−5'), '-5.00');
  await page.getByText('That is no number.').waitFor({ state: 'hidden' });
  const share = page.getByLabel('Per cent');
  await share.fill('10');
  await share.press('End');
  await share.pressSequentially('e');
  await page.getByText('That is no number.').waitFor();
  await share.blur();
  assert.equal(await share.inputValue(), '10');
  await page.getByRole('textbox', { name: 'Code' }).fill('below');
  await page.getByRole('button', { name: 'Save' }).click();
  await amount.and(page.locator('[aria-invalid="true"]')).waitFor();
});

test('an old link to what is deleted leads back to the list', options, async () => {
  const page = await open();
  const discount = { type: 'ITEMS_PERCENTAGE', bps: 100 };
  const { id } = await souk.promoCodes.create({ code: 'GONE', discounts: [discount] });
  await souk.promoCodes.delete(id);
  await page.goto(page.url().replace(/[/]?$/, `/promo-codes/${id}`));
  await page.getByRole('alert').getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'WELCOME10' }).waitFor();
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
