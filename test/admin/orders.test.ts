import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, goTo, joinAs, logIn, mailed, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

/** A guest buys in the shop. */
async function buy(email: string) {
  const guest = createClient({ baseUrl: shop.url, businessId: shop.businessId, guest: true });
  const [product] = await guest.products.list({ slug: 'notebook' }).take(1);
  const items = [{ productId: product!.id, variantId: product!.variants[0]!.id, quantity: 2 }];
  const blocks = [{ id: 'address', type: 'TEXT' as const, value: '1 Market Street' }];
  const common = { market: 'us', shippingMethodId: 'standard', items, blocks, email };
  const { orderId } = await guest.orders.checkout({ ...common, paymentMethod: 'CASH' });
  return souk.orders.get(orderId);
}

test('a phone shows orders first, with secondary actions and filters in menus', options, async () => {
  const page = await open({ viewport: { width: 360, height: 800 } });
  await goTo(page, 'Orders');
  const first = page.getByRole('link', { name: /^#\d+$/ }).first();
  await first.waitFor();
  const { y } = (await first.boundingBox())!;
  assert.ok(y < 400, `the first order is ${y} px from the top`);

  const status = page.getByRole('combobox', { name: 'Status', exact: true });
  assert.equal(await status.isVisible(), false);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await status.selectOption('Processing');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  assert.ok(await status.isVisible(), 'a filter in use stays visible');
  assert.equal(await page.getByRole('combobox', { name: 'Payment', exact: true }).isVisible(), false);

  await first.click();
  await page.getByRole('heading', { level: 1, name: /Order #/ }).waitFor();
  const change = page.getByRole('button', { name: 'Change status' });
  assert.equal(await change.isVisible(), false);
  await page.getByRole('button', { name: 'More actions' }).click();
  await checkPage(page, 'the actions of an order');
  await change.click();
  await page.getByRole('dialog', { name: 'Change status' }).waitFor();
  assert.equal(await page.locator('.more-actions').isVisible(), false);
});

test('a hidden tab closes its connection, and catches up when it is shown again', options, async () => {
  const page = await open();
  const setHidden = (isHidden: boolean) =>
    page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'));`);
  const isStream = (request: { url(): string }) => request.url().includes('/events/stream');
  await goTo(page, 'Orders');
  const started = page.waitForResponse(isStream);
  await page.reload();
  await started;
  const ended = page.waitForEvent('requestfailed', isStream);
  await setHidden(true);
  await ended;
  const order = await buy('hidden@example.com');
  await setHidden(false);
  await page.getByRole('status').getByText(`New order #${order.number}`).waitFor();
  await page.getByRole('row', { name: /hidden@example\.com/ }).waitFor();
});

test(
  'a new order appears without a reload, and is paid, shipped with tracking and partially refunded',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Orders');
    await page.getByRole('link', { name: /^#\d+/ }).first().waitFor();
    const order = await buy('lin@example.com');
    await page.getByRole('status').getByText(`New order #${order.number}`).waitFor();
    await page.getByRole('row', { name: /lin@example\.com/ }).waitFor();
    await checkPage(page, 'the list of orders');

    await page.getByRole('link', { name: `#${order.number}` }).click();
    await page.getByRole('heading', { name: `Order #${order.number}` }).waitFor();
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    await page.getByRole('button', { name: 'Change status' }).click();
    await page.getByLabel('New status').selectOption('SHIPPED');
    await page.getByLabel('Carrier (optional)').fill('Post');
    await page.getByLabel('Tracking number (optional)').fill('P 42');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Post P 42').waitFor();

    await page.getByRole('button', { name: 'Refund' }).click();
    const amount = page.getByLabel('Amount');
    assert.equal(await amount.inputValue(), (order.total / 100).toFixed(2));
    await amount.fill('1000');
    await page.getByRole('button', { name: 'Refund $1,000.00' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('Enter an amount from $0.01 to $').waitFor();
    await amount.fill('5');
    await page.getByLabel('Reason (optional)').fill('Scratched');
    await page.getByRole('button', { name: 'Refund $5.00' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Payment: Partially refunded' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /Refund: \$5\.00.*by you.*Scratched/ })
      .waitFor();
    await page.getByRole('button', { name: 'Refund' }).click();
    assert.equal(await amount.inputValue(), ((order.total - 500) / 100).toFixed(2), 'the remaining amount');
    await page.keyboard.press('Escape');
    await checkPage(page, 'an order');
    await page.getByText(/^Invoice INV-\d+/).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: /^PDF of CN-\d+/ }).click();
    assert.match((await downloading).suggestedFilename(), /^CN-\d+\.pdf$/);

    await page.getByRole('button', { name: 'Edit email and order fields' }).click();
    await page.getByLabel('Email (optional)').fill('lin.new@example.com');
    await page.getByRole('textbox', { name: 'Address' }).fill('2 Market Street');
    await checkPage(page, 'the fields of an order');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 Market Street').waitFor();
    await page.getByRole('button', { name: 'Resend email' }).click();
    await page.getByLabel('Email', { exact: true }).selectOption('Shipping confirmation');
    await checkPage(page, 'resending an email');
    await page.getByRole('button', { name: 'Send email', exact: true }).click();
    await page.getByText('Email sent to lin.new@example.com').waitFor();
    await mailed(shop, 'lin.new@example.com', 'Post P 42');

    const stored = await souk.orders.get(order.id);
    assert.equal(stored.statuses.at(-1)?.status, 'SHIPPED');
    assert.deepEqual(stored.tracking, { carrier: 'Post', number: 'P 42' });
    assert.equal(stored.paymentStatus.at(-1)?.status, 'PARTIALLY_REFUNDED');
  },
);

test(
  'an order ships in parts by keyboard, with a packing slip for each, and a shipment can be undone',
  options,
  async () => {
    const { id, number } = await buy('parts@example.com');
    await souk.orders.setPaymentStatus(id, { status: 'PAID' });
    const page = await open();
    await page.goto(`${shop.url}/admin/${shop.businessId}/orders/${id}`);
    await page.getByText('Unfulfilled').waitFor();
    await page.getByRole('button', { name: 'Ship items' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Ship items from order #${number}` });
    const quantity = dialog.getByLabel(/Notebook/);
    assert.equal(await quantity.inputValue(), '2');
    await checkPage(page, 'the shipping dialog');
    await quantity.fill('3');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a number from 0 to 2').waitFor();
    await quantity.fill('0');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a quantity for at least one item').waitFor();
    await quantity.fill('1');
    await dialog.getByLabel('Tracking number (optional)').fill('P 43');
    await page.keyboard.press('Enter');
    await page.getByText('Partially fulfilled').waitFor();
    await mailed(shop, 'parts@example.com', 'Still to come:');
    const shipments = page.getByRole('region', { name: 'Shipments' });
    await shipments.getByText('P 43').waitFor();
    await checkPage(page, 'a part-shipped order');

    await page.getByRole('button', { name: 'Ship items' }).click();
    assert.equal(await quantity.inputValue(), '1');
    await dialog.getByLabel('Email the customer').uncheck();
    await dialog.getByRole('button', { name: 'Ship items' }).click();
    await page.getByText('Fulfilled', { exact: true }).waitFor();
    await shipments.getByRole('button', { name: 'Edit tracking: Shipment 2' }).click();
    await page.getByLabel('Carrier (optional)').fill('Post');
    await checkPage(page, 'the tracking of a shipment');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await shipments.getByText('Post').waitFor();
    await shipments.getByRole('link', { name: 'Packing slip: Shipment 2' }).click();
    await page.getByText('Shipment 2 of 2 · Post').waitFor();
    await page.getByRole('row', { name: /Notebook.*1/ }).waitFor();
    await checkPage(page, 'the packing slip of a shipment');
    await page.getByRole('link', { name: 'Back' }).click();
    await shipments.getByRole('button', { name: 'Undo shipment: Shipment 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo shipment' }).click();
    await page.getByText('Partially fulfilled').waitFor();
    await page.getByRole('button', { name: 'Ship items' }).waitFor();

    await goTo(page, 'Orders');
    await page.getByRole('combobox', { name: 'Fulfillment' }).selectOption('Partially fulfilled');
    await page.getByRole('row', { name: /parts@example\.com/ }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('fulfillment'), 'PARTIAL');
    const stored = await souk.orders.get(id);
    assert.deepEqual([stored.fulfillment, stored.shipments.length], ['PARTIAL', 1]);
  },
);

test(
  'the packing slip and the invoice print without navigation, with the address and tax ID of the business',
  options,
  async () => {
    const profile = {
      legalName: 'Souk Demo Ltd',
      taxId: 'DE 123',
      address: { street: '2 Bazaar Lane', city: 'Marrakesh' },
    };
    await souk.businesses.update(shop.businessId, { configs: { profile } });
    const [order] = await souk.orders.list({ query: 'alan@example.com', limit: 1 }).take(1);
    const page = await open();
    await page.goto(`${shop.url}/admin/${shop.businessId}/orders/${order!.id}`);
    await page.getByRole('link', { name: 'Packing slip', exact: true }).click();
    await page.getByRole('cell', { name: 'Linen shirt, S' }).waitFor();
    assert.equal(await page.getByText('$').count(), 0);
    await page.getByRole('link', { name: 'Back' }).click();
    // The order in the admin links to its invoice instead. Orders without one are printed here.
    await page.goto(`${shop.url}/admin/${shop.businessId}/orders/${order!.id}/invoice`);
    for (const text of ['Souk Demo Ltd', '2 Bazaar Lane', 'Tax ID: DE 123']) await page.getByText(text).waitFor();
    await page.getByRole('cell', { name: '8%' }).waitFor();
    await checkPage(page, 'the invoice');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('navigation').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
  },
);

test('a manual order created by keyboard has the price of a checkout', options, async () => {
  const page = await open();
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: 'New order' }).click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('Choose a customer or guest').waitFor();
  await page.getByRole('button', { name: 'Guest' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Email (optional)').fill('walk-in@example.com');
  const products = page.getByRole('combobox', { name: 'Add product' });
  await products.fill('desk la');
  await page.getByRole('option', { name: /Desk lamp/ }).waitFor();
  await products.press('Enter');
  await page.getByLabel('Quantity').fill('2');
  await page.getByText('$192.24').waitFor();
  await checkPage(page, 'a new order');
  await page.getByLabel('Promo code (optional)').fill('NOTHING');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Promo code (optional)').fill('');
  await page.getByText('$192.24').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: /Order #\d+/ }).waitFor();
  const [order] = await souk.orders.list({ limit: 1 }).take(1);
  assert.equal(order?.total, 19_224);
  await mailed(shop, 'walk-in@example.com', 'Thank you for your order');
});

test('a late response from before a change does not undo the change on the page', options, async () => {
  const order = await buy('late@example.com');
  const page = await open();
  await page.route('**/events/stream*', (route) => route.abort());
  await goTo(page, 'Orders');
  const link = page.getByRole('link', { name: `#${order.number}` });
  await link.click();
  await page.getByRole('button', { name: 'Mark as paid' }).waitFor();
  await page.getByRole('link', { name: 'Back' }).click();
  await link.waitFor();

  const read = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const fulfilled: Promise<void>[] = [];
  await page.route(`**/orders/${order.id}`, async (route) => {
    const response = await route.fetch();
    read.resolve();
    await late.promise;
    fulfilled.push(route.fulfill({ response }));
  });
  await link.click();
  await read.promise;
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('button', { name: 'Refund' }).waitFor();
  late.resolve();
  await eventually('the late response arrived', async () => fulfilled.length > 0);
  await Promise.allSettled(fulfilled);
  await page.evaluate(() => fetch('/healthz'));
  assert.equal(await page.getByRole('button', { name: 'Refund' }).count(), 1);
});

test('filters are in the URL and can be saved as a view', options, async () => {
  const page = await open();
  await goTo(page, 'Orders');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('PENDING');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('View name').fill('To do');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('');
  await page.getByRole('link', { name: 'To do' }).click();
  assert.equal(new URL(page.url()).searchParams.get('status'), 'PENDING');
  await page.reload();
  await page.getByRole('link', { name: 'To do' }).waitFor();
  await page.getByRole('searchbox').fill('nobody@nowhere');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByRole('link', { name: /^#\d+/ }).first().waitFor();
});

test('a SUPPORT member sees orders but not the catalog', options, async () => {
  const page = await logIn(shop, '/products', await joinAs(shop, 'SUPPORT'));
  await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
  const names = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
  assert.ok(names.includes('Orders') && !names.includes('Products') && !names.includes('Settings'), names.join());
  await checkPage(page, 'a page without access');
});
