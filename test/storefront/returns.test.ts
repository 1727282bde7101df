import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { openPage, skip } from '../pages/browser.ts';

const shop = await startShop();
const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });

test('a customer returns an item on the page of the order, and withdraws from the rest', {
  skip,
  timeout: 120_000,
}, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 } });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(shop.url);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  await press('Add to cart');
  await page.getByRole('link', { name: 'Cart', exact: true }).first().click();
  await page.getByRole('link', { name: 'Check out' }).click();
  await page.getByRole('button', { name: /^Place order/ }).click();
  await press('Pay');
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  const [order] = await staff.orders.list({ limit: 1 }).take(1);
  await staff.orders.setStatus(order!.id, { status: 'SHIPPED' });
  await page.goto(`${shop.url}/shop/account/orders/${order!.id}`);
  const request = async (type: string) => {
    await page.getByText('Return items or withdraw from the contract').click();
    await page.getByRole('spinbutton').first().fill('1');
    await page.getByLabel('What do you want to do?').selectOption(type);
    await page.getByLabel('Reason or message (optional)').fill('Too small');
    await press('Send request');
  };
  await request('RETURN');
  await page.getByText('Return: Requested').waitFor();
  const [first] = await staff.orders.listReturns({ orderId: order!.id }).take(1);
  assert.equal(first!.note, 'Too small');
  await staff.orders.rejectReturn(first!.id, { reason: 'Please send a photo.' });
  await page.reload();
  await page.getByText('Please send a photo.').waitFor();
  await request('WITHDRAWAL');
  await page.getByText('Withdrawal: Requested').waitFor();
  const [second] = await staff.orders.listReturns({ orderId: order!.id }).take(1);
  assert.deepEqual([second!.type, second!.rejectable], ['WITHDRAWAL', false]);
});
