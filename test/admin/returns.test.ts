import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { openPage, skip } from '../pages/browser.ts';
import { checkPage, goTo, mailed, startAdmin, whenValue } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 180_000 };

/** A guest buys two notebooks, which are paid and shipped. */
async function sell(email: string) {
  const guest = createClient({ baseUrl: shop.url, businessId: shop.businessId, guest: true });
  const [product] = await guest.products.list({ slug: 'notebook' }).take(1);
  const items = [{ productId: product!.id, variantId: product!.variants[0]!.id, quantity: 2 }];
  const blocks = [{ id: 'address', type: 'TEXT' as const, value: '1 Market Street' }];
  const common = { market: 'us', shippingMethodId: 'standard', items, blocks, email };
  const { orderId } = await guest.orders.checkout({ ...common, paymentMethod: 'CASH' });
  await souk.orders.setPaymentStatus(orderId, { status: 'PAID' });
  await souk.orders.setStatus(orderId, { status: 'SHIPPED' });
  return souk.orders.get(orderId);
}

test('staff refund and restock one of two items, and the dialog computes the amount', options, async () => {
  const order = await sell('line-refund@example.com');
  const page = await open();
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: `#${order.number}` }).click();
  await page.locator('a[href*="/customers/"]').waitFor();
  assert.equal(await page.getByText('line-refund@example.com', { exact: true }).count(), 1);
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Notebook').first().fill('1');
  const half = (order.refundable!.lines[0]!.amount / 2 / 100).toFixed(2);
  await dialog.getByRole('button', { name: `Refund $${half}` }).waitFor();
  await whenValue(dialog.getByLabel('Amount'), half);
  assert.ok(await dialog.getByLabel('Restock items').isChecked());
  await dialog.getByLabel('Reason (optional)').fill('Torn page');
  await checkPage(page, 'the refund dialog');
  await dialog.getByRole('button', { name: `Refund $${half}` }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: /Refund: .*1 × Notebook.*Torn page/ })
    .waitFor();
  const { refundable } = await souk.orders.get(order.id);
  assert.equal(refundable!.lines[0]!.quantity, 1);
});

test('a guest withdraws without JavaScript, and staff take the items back and refund them', options, async () => {
  const order = await sell('withdraw-story@example.com');
  const text = await mailed(shop, 'withdraw-story@example.com', '/order/');
  const customer = await openPage({ javaScriptEnabled: false });
  await customer.goto(text.match(/\S+\/order\/\S+/)![0]);
  await customer.getByRole('link', { name: 'Withdraw from contract here' }).click();
  await customer.getByLabel('Your name').fill('Grace Guest');
  await customer.getByRole('button', { name: 'Continue' }).click();
  await customer.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await customer.getByRole('status').getByText('We received your withdrawal on').waitFor();

  const page = await open();
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: 'Returns' }).click();
  await page.getByRole('heading', { name: 'Returns' }).waitFor();
  await page.getByRole('link', { name: `#${order.number}` }).click();
  await page.getByText("you can't decline it").waitFor();
  assert.equal(await page.getByRole('button', { name: 'Decline' }).count(), 0);
  await checkPage(page, 'a requested return');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Mark as received' }).click();
  const total = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(order.total / 100);
  await page.getByRole('button', { name: `Refund ${total}` }).waitFor();
  await checkPage(page, 'a received return');
  await page.getByRole('button', { name: `Refund ${total}` }).click();
  await page.getByText('Closed').first().waitFor();
  assert.equal((await souk.orders.get(order.id)).refunded, order.total);
  await page.getByText('Refunded', { exact: true }).waitFor();
  assert.equal(await page.locator('dt:text-is("Refunded") + dd').innerText(), total);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: `#${order.number} 2 × Notebook` }).waitFor();
  await checkPage(page, 'the list of returns');
});

test('staff exchange an item for another, and the new order shows how it was paid', options, async () => {
  const order = await sell('exchange-story@example.com');
  const page = await open();
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: `#${order.number}` }).click();
  await page.getByRole('button', { name: 'Return items' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type').selectOption('EXCHANGE');
  await dialog.getByLabel('Notebook').first().fill('1');
  await checkPage(page, 'the return dialog');
  await dialog.getByRole('button', { name: 'Return items' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Mark as received' }).click();
  await page.getByRole('combobox', { name: 'Add product' }).fill('Notebook');
  await page
    .getByRole('option', { name: /Notebook/ })
    .first()
    .click();
  await page.getByText(/^New items: \$\d+\.\d\d\. (The customer (pays|gets) \$|There is no difference)/).waitFor();
  await page.getByRole('button', { name: 'Create exchange order' }).click();
  await page.getByRole('link', { name: 'Open exchange order' }).click();
  await page.getByRole('link', { name: 'Exchange', exact: true }).waitFor();
  const [record] = await souk.orders.listReturns({ orderId: order.id }).take(1);
  const created = await souk.orders.get(record!.exchangeOrderId!);
  assert.equal(created.exchange!.credit, created.paid);
});

test(
  'an exchange for a more expensive item shows staff the value of the returned items and the amount due',
  options,
  async () => {
    const order = await sell('expensive-exchange@example.com');
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }];
    const { id } = await souk.orders.requestReturn(order.id, { type: 'EXCHANGE', lines });
    await souk.orders.approveReturn(id, {});
    const [bag] = await souk.products.list({ slug: 'canvas-tote' }).take(1);
    const bought = {
      type: 'PRODUCT_VARIANT' as const,
      productId: bag!.id,
      variantId: bag!.variants[0]!.id,
      quantity: 1,
    };
    const { exchangeOrderId } = await souk.orders.closeReturn(id, { refund: true, exchange: { lines: [bought] } });
    const { exchange, total } = await souk.orders.get(exchangeOrderId!);
    const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;
    const page = await open();
    await page.goto(`${shop.url}/admin/${shop.businessId}/orders/${exchangeOrderId}`);
    const row = (name: string) => page.locator('.totals > div').filter({ hasText: name }).locator('dd');
    assert.equal(await row('Value of returned items').textContent(), `-${dollars(exchange!.credit)}`);
    assert.equal(await row('Amount due').textContent(), dollars(total - exchange!.credit));
    await checkPage(page, 'an exchange order with an amount due');
    await souk.orders.setPaymentStatus(exchangeOrderId!, { status: 'PAID' });
    await page.reload();
    await row('Value of returned items').waitFor();
    assert.equal(await row('Amount due').count(), 0);
  },
);
