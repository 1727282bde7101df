import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { newSecret } from '../../src/shared/security/webhook-signing.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { startReceiver, verify } from '../webhooks/receiver.ts';
import { checkPage, countDrafts, logIn, startAdmin } from './browser.ts';

const { shop, souk } = await startAdmin();
const options = { skip, timeout: 180_000 };

/** A business without tax settings. */
async function newShop(name: string) {
  const markets = [
    { id: 'eu', name: 'Europe', currency: 'eur', taxMode: 'INCLUSIVE' as const, taxBps: 1900 },
    { id: 'us', name: 'United States', currency: 'usd', taxMode: 'EXCLUSIVE' as const, taxBps: 800 },
  ];
  const { id } = await souk.businesses.create({ name, configs: { markets } });
  return { ...shop, businessId: id, staff: souk.forBusiness(id) };
}

const save = async (page: Page) => {
  const saved = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  assert.equal((await saved).status(), 200);
  await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
};

test(
  'a merchant sets up VAT in three steps, sees the preview, and the invoice has the same amounts',
  options,
  async () => {
    const mine = await newShop('Bookshop');
    const page = await logIn(mine, '/settings/taxes');
    const origin = page.getByRole('region', { name: '1. Where you ship from' });
    await origin.getByLabel('Country').selectOption('Germany');
    await origin.getByLabel('Registered for the EU One-Stop Shop (OSS)').check();
    await page.getByRole('button', { name: 'Use current EU, UK, Swiss, and Norwegian rates' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^VAT rates as of \w+ \d+, \d{4}$/ }).waitFor();
    await dialog.getByText(/^\d+ new rates$/).waitFor();
    assert.deepEqual(
      await dialog
        .getByRole('row', { name: /^France/ })
        .getByRole('cell')
        .allTextContents(),
      ['20%', '5.5%', '5.5%'],
    );
    await checkPage(page, 'current VAT rates');
    await dialog.getByRole('button', { name: 'Use these rates' }).click();
    await page.getByRole('button', { name: 'Use current EU, UK, Swiss, and Norwegian rates' }).click();
    await dialog.getByText('All rates are up to date.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Cancel' }).count(), 0);
    await dialog.getByText('Close', { exact: true }).click();
    await page.getByLabel('Tax rate for shipping').selectOption('Always the Standard rate');

    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByLabel('Tax class').selectOption('Books');
    await preview.getByLabel('Ship to').selectOption('France');
    await preview.getByText('Books item, €50, destination France: 5.5% tax (€2.61), included in the price').waitFor();
    await preview.getByText('Shipping for €4.90: €0.82 tax').waitFor();
    await preview.getByLabel('Market').selectOption('United States');
    await preview.getByText('Books item, $50, destination France: 5.5% tax ($2.75), added to the price').waitFor();
    await origin.getByLabel('Registered for the EU One-Stop Shop (OSS)').uncheck();
    await preview
      .getByText("Taxed at the rate of the country you ship from (Germany), because you're not registered for OSS.")
      .waitFor();
    await origin.getByLabel('Registered for the EU One-Stop Shop (OSS)').check();
    await checkPage(page, 'tax settings');
    await save(page);

    const { tax, taxRates = [], taxClasses } = (await mine.staff.businesses.get(mine.businessId)).configs;
    assert.deepEqual(tax, { origin: 'DE', oss: true, shipping: 'standard' });
    assert.deepEqual(
      taxClasses?.map(({ id }) => id),
      ['standard', 'reduced', 'books'],
    );
    assert.equal(taxRates.find(({ country, classId }) => country === 'FR' && classId === 'books')?.bps, 550);

    await page.goto(`${shop.url}/admin/${mine.businessId}/products/new`);
    await page.getByLabel('Name', { exact: true }).fill('Atlas');
    await page.getByLabel('Tax class').selectOption('Books');
    await page.getByLabel('Price (Europe)', { exact: true }).fill('50');
    await page.getByLabel('Track stock').uncheck();
    await page.getByText('Shipping and customs').click();
    await page.getByLabel('Weight (optional)').fill('850');
    await page.getByLabel('Barcode (optional)').fill('9783161484100');
    await page.getByLabel('HS code (optional)').fill('4905.20');
    await page.getByLabel('Country of origin (optional)').selectOption('Germany');
    await checkPage(page, 'a product with a tax class');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Atlas', level: 1 }).waitFor();
    const [product] = await mine.staff.products.list({ query: 'Atlas' }).take(1);
    const { weight, barcode, hsCode, originCountry, requiresShipping } = product!.variants[0]!;
    assert.deepEqual(
      [product!.taxClassId, weight, barcode, hsCode, originCountry, requiresShipping],
      ['books', 850, '9783161484100', '4905.20', 'DE', true],
    );

    await page.goto(`${shop.url}/admin/${mine.businessId}/orders/new`);
    await page.getByRole('button', { name: 'Guest' }).click();
    const products = page.getByRole('combobox', { name: 'Add product' });
    await products.fill('atlas');
    await page.getByRole('option', { name: /Atlas/ }).waitFor();
    await products.press('Enter');
    const address = page.getByRole('group', { name: 'Shipping address' });
    await address.getByLabel('Country').selectOption('France');
    await address.getByLabel('Name (optional)').fill('Colette Martin');
    await address.getByLabel('Street address').fill('12 rue Mercière');
    await address.getByLabel('Postal code').fill('69002');
    await address.getByLabel('City').fill('Lyon');
    await page.getByText('Includes €2.61 VAT (5.5%)').waitFor();
    await checkPage(page, 'a new order with an address');
    await page.getByRole('button', { name: 'Create order' }).click();
    await page.getByRole('heading', { name: /^Order #\d+/ }).waitFor();
    await page.getByText('69002 Lyon').waitFor();
    await page.getByText('Same as shipping address').waitFor();
    await checkPage(page, 'an order with an address');

    await page.getByRole('button', { name: 'Edit addresses' }).click();
    await page.getByLabel('Billing address is the same as the shipping address').uncheck();
    const billing = page.getByRole('group', { name: 'Billing address' });
    await billing.getByLabel('Country').selectOption('Germany');
    await billing.getByLabel('Company').fill('Martin GmbH');
    await billing.getByLabel('Street address').fill('Hauptstraße 5');
    await billing.getByLabel('Postal code').fill('1');
    await billing.getByLabel('City').fill('Berlin');
    await billing.getByText('Check the postal code. It usually looks like 26133').waitFor();
    await checkPage(page, 'addresses with a wrong postal code');
    await billing.getByLabel('Postal code').fill('10115');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('10115 Berlin').waitFor();

    await page.getByRole('link', { name: 'Invoice' }).click();
    await page.getByText('Martin GmbH').waitFor();
    await page.getByText('12 rue Mercière').waitFor();
    const row = page.getByRole('row', { name: /^VAT 5\.5%/ });
    assert.deepEqual(await row.getByRole('cell').allTextContents(), ['VAT 5.5%', '€47.39', '€2.61', '€50.00']);
    await checkPage(page, 'an invoice with addresses');
  },
);

test(
  'a rate is added, limited to a state and removed by keyboard, and a draft survives a reload',
  options,
  async () => {
    const mine = await newShop('By hand');
    const page = await logIn(mine, '/settings/taxes');
    await page.getByText('No tax rates yet.').waitFor();
    await checkPage(page, 'taxes of a new business');
    await page.getByRole('button', { name: 'Edit tax classes' }).press('Enter');
    await page.getByRole('button', { name: 'Add tax class' }).press('Enter');
    await page.getByRole('textbox', { name: 'Tax class 2' }).fill('Food');
    await checkPage(page, 'tax classes');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add rate' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Country').selectOption('United States');
    await dialog.getByLabel('Name on invoices').fill('Sales tax');
    await dialog.getByLabel('Standard rate').fill('7.25');
    await dialog.getByLabel('Food rate').fill('0');
    await dialog.getByText('Limit to regions or postal codes').press('Enter');
    await dialog.getByLabel('State or region (optional)').selectOption('California');
    await checkPage(page, 'a tax rate');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'United States, CA' }).waitFor();
    await eventually('the draft is kept', async () => (await page.evaluate(countDrafts)) > 0);
    await page.reload();
    await page.getByRole('button', { name: 'Restore changes' }).click();
    await page.getByRole('row', { name: /^United States, CA 7\.25% 0%/ }).waitFor();
    await save(page);
    const { taxRates } = (await mine.staff.businesses.get(mine.businessId)).configs;
    const common = { name: 'Sales tax', country: 'US', state: 'CA' };
    assert.deepEqual(taxRates, [
      { id: 'us-ca-standard', ...common, classId: 'standard', bps: 725 },
      { id: 'us-ca-class-2', ...common, classId: 'class-2', bps: 0 },
    ]);
    await page.getByRole('button', { name: 'United States, CA' }).press('Enter');
    await dialog.getByRole('button', { name: 'Remove rate' }).press('Enter');
    await save(page);
    assert.deepEqual((await mine.staff.businesses.get(mine.businessId)).configs.taxRates, []);
  },
);

test('the tax report has the tax on paid orders by country and rate, and downloads as CSV', options, async () => {
  const page = await logIn(shop, '/settings/taxes');
  await page.getByRole('link', { name: 'Tax report' }).click();
  await page.getByRole('heading', { name: 'Tax report', level: 1 }).waitFor();
  await page.getByLabel('Period').selectOption('This year');
  await page.getByRole('table').waitFor();
  const at = Math.floor(new Date(new Date().getFullYear(), 0, 1).getTime() / 1000);
  const { items } = await souk.stats.getTaxReport({ from: at, interval: 'month' });
  assert.equal(await page.locator('tbody tr').count(), items.length);
  const tax = items.filter(({ currency }) => currency === 'eur').reduce((sum, line) => sum + line.tax, 0);
  const euros = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(tax / 100);
  await page.locator('tfoot').getByText(euros, { exact: true }).waitFor();
  await checkPage(page, 'the tax report');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await downloading;
  assert.equal(file.suggestedFilename(), 'tax-report.csv');
  const rows = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
  assert.equal(rows.length, items.length + 1);
});

test('a merchant connects a tax provider; its tax applies, and the tax rates if it fails', options, async () => {
  const mine = await newShop('Sales tax');
  let isDown = false;
  const provider = await startReceiver(({ event }, response) => {
    if (isDown) response.destroy();
    else response.end(JSON.stringify({ lines: event.lines.map(() => ({ tax: 444 })), shipping: 0 }));
  });
  const secret = newSecret();
  const page = await logIn(mine, '/settings/taxes');
  await page
    .getByRole('region', { name: '1. Where you ship from' })
    .getByLabel('Country')
    .selectOption('United States');
  await page.getByRole('button', { name: 'Add rate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Country').selectOption('United States');
  await dialog.getByLabel('Name on invoices').fill('Sales tax');
  await dialog.getByLabel('Standard rate').fill('4');
  await page.keyboard.press('Escape');
  await page.getByText('External tax calculation').click();
  await page.getByLabel('Endpoint URL').fill('http://');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await checkPage(page, 'a tax provider with a wrong URL');
  await page.getByLabel('Endpoint URL').fill(provider.url);
  await page.getByLabel('Signing secret').fill(secret);
  await checkPage(page, 'a tax provider');
  await save(page);
  await page.reload();
  const stored = page.getByLabel('Signing secret');
  await stored.waitFor();
  assert.equal(await stored.inputValue(), `****${secret.slice(-4)}`);

  const product = await mine.staff.products.create({
    name: 'Lamp',
    variants: [
      {
        id: 'a',
        name: 'A',
        pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 5000 }] },
        inventory: { tracked: false },
      },
    ],
    statuses: [{ status: 'ACTIVE' }],
  });
  const guest = createClient({ baseUrl: shop.url, businessId: mine.businessId, guest: true });
  const shippingAddress = { street: '1 Main St', city: 'New York', state: 'NY', zip: '10001', country: 'US' };
  const taxOf = async (quantity: number) => {
    const items = [{ productId: product.id, variantId: 'a', quantity }];
    return (await guest.payments.quote({ market: 'us', items, shippingAddress })).tax;
  };
  assert.equal(await taxOf(1), 444);
  verify(secret, provider.calls[0]!);
  isDown = true;
  assert.equal(await taxOf(2), 400, '4% of 10000');
});
