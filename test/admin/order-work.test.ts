import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, joinAs, logIn, mailed, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 180_000 };

async function createOrder(country: string) {
  const { items } = await souk.products.list({ limit: 1, status: 'ACTIVE' }).page();
  const product = items[0]!;
  const { items: people } = await souk.customers.list({ limit: 1 }).page();
  const line = {
    type: 'PRODUCT_VARIANT' as const,
    productId: product.id,
    variantId: product.variants[0]!.id,
    quantity: 1,
  };
  return souk.orders.create({
    customerId: people[0]!.id,
    market: product.variants[0]!.pricing.markets[0]!.marketId,
    lines: [line],
    email: `work-${country.toLowerCase()}@example.com`,
    shippingAddress: { name: 'Ada Lovelace', street: 'Main Street 1', city: 'Springfield', zip: '10115', country },
    statuses: [{ status: 'PROCESSING' }],
  });
}

test(
  'a team filters orders, tags and ships many at once, prints their slips and mentions a colleague in a note',
  options,
  async () => {
    const sam = await joinAs(shop, 'SUPPORT');
    // Members are known to the team once they have used their role.
    await (await logIn(shop, '/orders', sam)).context().close();
    const orders = [await createOrder('NL'), await createOrder('NL'), await createOrder('BE')];
    const [first, second] = orders;
    const page = await open();
    await goTo(page, 'Orders');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('combobox', { name: 'Country' }).selectOption('Netherlands');
    await page.getByRole('link', { name: `#${first!.number}`, exact: true }).waitFor();
    await page.getByRole('link', { name: `#${orders[2]!.number}`, exact: true }).waitFor({ state: 'detached' });

    await page
      .getByRole('row')
      .filter({ hasText: `#${first!.number}` })
      .getByText('Ada Lovelace')
      .waitFor();
    for (const { number } of [first!, second!]) await page.getByRole('checkbox', { name: `#${number}` }).check();
    await checkPage(page, 'selected orders');
    await page.getByRole('button', { name: 'Edit tags' }).click();
    const tagging = page.getByRole('dialog', { name: 'Edit tags for 2 orders' });
    await tagging.getByLabel('Tags to add').fill('urgent, gift');
    await checkPage(page, 'tagging orders');
    await tagging.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tags saved for 2 orders').waitFor();
    assert.deepEqual((await souk.orders.get(second!.id)).tags, ['urgent', 'gift']);
    await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('urgent');

    await souk.orders.setStatus(second!.id, { status: 'CANCELLED' });
    for (const { number } of [first!, second!]) await page.getByRole('checkbox', { name: `#${number}` }).check();
    await page.getByRole('link', { name: 'Print packing slips' }).click();
    await page.getByRole('heading', { level: 1, name: '2 packing slips' }).waitFor();
    await page.locator('article.paper').nth(1).waitFor();
    await checkPage(page, 'packing slips of two orders');
    await page.goBack();

    await page.getByRole('checkbox', { name: `#${first!.number}` }).check();
    await page.getByRole('button', { name: 'Ship', exact: true }).click();
    await page.getByRole('dialog', { name: 'Ship 1 order?' }).getByRole('button', { name: 'Ship' }).click();
    await page.getByText('1 order shipped').waitFor();
    assert.equal((await souk.orders.get(first!.id)).fulfillment, 'FULFILLED');

    await page.getByRole('link', { name: `#${first!.number}`, exact: true }).click();
    const note = page.getByLabel('New note');
    await note.fill('Please call the customer, ');
    await note.press('End');
    await note.pressSequentially('@sam');
    await page.getByRole('option', { name: 'Sam Support' }).waitFor();
    await checkPage(page, 'a mention being typed');
    await note.press('Enter');
    assert.equal(await note.inputValue(), 'Please call the customer, @Sam Support ');
    await page.getByRole('button', { name: 'Add note' }).press('Enter');
    await page.getByText('Please call the customer, @Sam Support').waitFor();
    assert.match(
      await mailed(shop, sam.email, 'mentioned you'),
      new RegExp(`/admin/${shop.businessId}/orders/${first!.id}`),
    );

    await page.getByRole('button', { name: 'Edit assignee and tags' }).click();
    const work = page.getByRole('dialog', { name: 'Edit assignee and tags' });
    await work.getByLabel('Assignee').selectOption('Sam Support');
    await checkPage(page, 'assignee and tags');
    await work.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Sam Support', { exact: true }).waitFor();
    await checkPage(page, 'an order with notes');

    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click();
    await page.getByText('Please call the customer, @Sam Support').waitFor({ state: 'detached' });
  },
);

test("a customer's page shows what they spent by currency, and links to all of their orders", options, async () => {
  const { items } = await souk.customers.list({ limit: 1 }).page();
  const { id } = items[0]!;
  const order = await createOrder('LU');
  await souk.orders.setPaymentStatus(order.id, { status: 'PAID' });
  const [spend] = (await souk.customers.getSpend(id).page()).items;
  const page = await logIn(shop, `/customers/${id}`);
  await page.getByText(`Spent on ${spend!.orders} order`).waitFor();
  await page.getByRole('link', { name: `#${order.number}`, exact: true }).waitFor();
  await checkPage(page, 'a customer with orders');
  await page.goto(`${shop.url}/admin/${shop.businessId}/orders?customer=${id}`);
  await page.getByRole('link', { name: `#${order.number}`, exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Customer' }).selectOption('');
  await page.getByRole('combobox', { name: 'Customer' }).waitFor({ state: 'detached' });
});

test('tags, assignees and notes on orders fit on a phone screen, in German', options, async () => {
  const order = await createOrder('AT');
  const page = await open();
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('link', { name: 'Bestellungen', exact: true }).first().click();
  await page.getByRole('checkbox', { name: `#${order.number}` }).check();
  await page.getByRole('button', { name: 'Tags bearbeiten' }).click();
  await checkPage(page, 'tagging orders in German');
  await page.getByRole('dialog').getByRole('button', { name: 'Abbrechen' }).click();
  await page.getByRole('link', { name: `#${order.number}`, exact: true }).click();
  await page.getByRole('heading', { name: 'Teamnotizen' }).waitFor();
  await checkPage(page, 'an order in German');
});
