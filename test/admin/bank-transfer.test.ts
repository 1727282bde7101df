import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { camt } from '../orders/bank-transfer/files.ts';
import { openPage, skip } from '../pages/browser.ts';
import { checkPage, goTo, mailed, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const folder = process.env.SCREENSHOTS;

/** With SCREENSHOTS, writes images of the page. */
async function look(page: Page, name: string): Promise<void> {
  if (!folder) return;
  const before = page.viewportSize()!;
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize(before);
}

async function buy(email: string) {
  const guest = createClient({ baseUrl: shop.url, businessId: shop.businessId, guest: true });
  const [product] = await guest.products.list({ slug: 'notebook' }).take(1);
  const items = [{ productId: product!.id, variantId: product!.variants[0]!.id, quantity: 1 }];
  const shippingAddress = { name: 'Ada', street: 'Hauptstr. 1', zip: '10115', city: 'Berlin', country: 'DE' };
  const cart = { market: 'eu', shippingMethodId: 'standard', items, email, shippingAddress };
  const { orderId } = await guest.orders.checkout({ ...cart, paymentMethod: 'BANK_TRANSFER' });
  return souk.orders.get(orderId);
}

test('staff set up bank transfers, and match a bank statement with orders', { skip, timeout: 240_000 }, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/payment`);
  await page.getByLabel('Account holder').fill('Souk GmbH');
  await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('is not a valid IBAN').first().waitFor();
  await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  await checkPage(page, 'payment settings');
  await look(page, 'settings');
  await page.getByRole('link', { name: 'Markets', exact: true }).click();
  await page.getByText('European Union').first().click();
  await page.getByRole('checkbox', { name: 'Bank transfer' }).last().check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();

  const [exact, partial] = [await buy('exact@example.com'), await buy('partial@example.com')];
  const euros = (minor: number) => (minor / 100).toFixed(2);
  const file = camt([
    { amount: euros(exact.total), text: `Danke ${exact.bankTransfer!.reference.toLowerCase()}` },
    { amount: '1.00', text: partial.bankTransfer!.reference, name: 'Grace Hopper' },
    { amount: euros(partial.total), text: 'for the notebook', name: 'Alan Turing' },
  ]);
  await goTo(page, 'Orders');
  await page.getByRole('link', { name: 'Bank statements' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bank statements' }).waitFor();
  await checkPage(page, 'bank statements');
  await page
    .getByLabel('Bank statement', { exact: true })
    .setInputFiles({ name: 'november.xml', mimeType: 'application/xml', buffer: Buffer.from(file) });
  await page.getByRole('heading', { level: 1, name: 'november.xml' }).waitFor();
  await checkPage(page, 'a bank statement');
  await look(page, 'statement');
  await page.getByRole('button', { name: 'Record 1 payment' }).click();
  await page.getByText('1 payment recorded').waitFor();
  assert.equal((await souk.orders.get(exact.id)).paid, exact.total);
  await page.getByRole('checkbox', { name: 'Grace Hopper' }).check();
  await page.getByLabel('Order number for the payment from Alan Turing').fill(String(partial.number));
  await page.getByRole('button', { name: 'Record 2 payments' }).click();
  await page.getByText('2 payments recorded').waitFor();
  await look(page, 'booked');

  await page
    .getByRole('link', { name: `#${partial.number}` })
    .first()
    .click();
  await page.getByRole('heading', { level: 2, name: 'Bank transfer' }).waitFor();
  await page.getByText('Overpayment', { exact: true }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Bank transfer of €1.00 received' }).waitFor();
  await checkPage(page, 'a paid order with an overpayment');
  await look(page, 'order');

  await page.goto(/\S+\/order\/\S+/.exec(await mailed(shop, 'partial@example.com', 'RF'))![0]);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const waiting = await buy('waiting@example.com');
  await page.goto(
    /\S+\/order\/\S+/.exec(await mailed(shop, 'waiting@example.com', waiting.bankTransfer!.iban.slice(0, 4)))![0],
  );
  await page.getByRole('img', { name: 'QR code for your banking app' }).waitFor();
  await checkPage(page, 'the order page');
  await look(page, 'order-link');

  const store = await openPage({ reducedMotion: 'reduce' });
  store.setDefaultTimeout(20_000);
  store.on('pageerror', (error) => assert.fail(error));
  await store.goto(`${shop.url}/shop/products/notebook?market=eu`);
  await store.getByRole('button', { name: 'Add to cart' }).first().click();
  await store.getByText('added to cart').waitFor();
  await store.goto(`${shop.url}/shop/checkout?market=eu`);
  await store.getByLabel('Country', { exact: true }).first().selectOption('DE');
  const address = { 'address-line1': 'Hauptstr. 1', 'address-level2': 'Berlin', 'postal-code': '10115' };
  for (const [token, text] of Object.entries(address))
    await store.locator(`[autocomplete="shipping ${token}"]`).fill(text);
  await store.getByRole('radio', { name: 'Bank transfer' }).check();
  await look(store, 'checkout');
  await store.getByRole('button', { name: 'Place order' }).click();
  await store.getByRole('heading', { name: 'Thank you!' }).waitFor();
  await store.getByRole('img', { name: 'QR code for your banking app' }).waitFor();
  await store.getByText('Awaiting payment').first().waitFor();
  await checkPage(store, 'the confirmation');
  await look(store, 'thanks');
});
