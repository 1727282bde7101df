import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();

test('invoices are set up and previewed in the settings', { skip, timeout: 120_000 }, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/invoices`);
  await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
  await page.getByLabel('Invoice number prefix').fill('RE-2026-');
  await page.getByLabel('Next invoice number').fill('1000');
  await page.getByLabel('Format').selectOption({ label: 'PDF with e-invoice (Factur-X, ZUGFeRD)' });
  await page.getByLabel('Legal text (optional)').fill('Thank you for your order.');
  await page.getByLabel('VAT ID (optional)').fill('DE123456789');
  await page.getByLabel('IBAN (optional)').fill('DE02 1203 0000 0000 2020 52');
  await checkPage(page, 'the settings of invoices');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await page.getByLabel('IBAN (optional)').fill('DE02 1203 0000 0000 2020 51');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { configs } = await souk.businesses.get(shop.businessId);
  assert.deepEqual(
    [configs.invoicing?.series, configs.invoicing?.nextNumber, configs.invoicing?.format, configs.seller?.bank?.iban],
    ['RE-2026-', 1000, 'FACTUR_X', 'DE02 1203 0000 0000 2020 51'],
  );
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Preview PDF' }).click();
  assert.equal((await downloading).suggestedFilename(), 'preview.pdf');
});
