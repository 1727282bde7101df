import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const fixture = (name: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: readFileSync(new URL(`../imports/fixtures/${name}`, import.meta.url)),
});

test(
  'a dry run lists errors by row and column, the import writes the rows, and an export contains them',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Products');
    await page.getByRole('link', { name: 'Imports and exports' }).click();
    await page.getByRole('heading', { level: 1, name: 'Imports and exports' }).waitFor();
    await checkPage(page, 'the imports');
    await page.getByLabel('File', { exact: true }).setInputFiles(fixture('woocommerce-products.csv'));
    await page.getByRole('button', { name: 'Start dry run' }).click();
    await page.getByLabel('Market for prices').and(page.locator('[aria-invalid]')).waitFor();
    await page.getByLabel('Market for prices').selectOption('eu');
    await page.getByRole('button', { name: 'Start dry run' }).click();
    await page.getByRole('heading', { level: 1, name: 'woocommerce-products.csv' }).waitFor();
    await page.getByText('Completed').waitFor();
    await page.getByText('WooCommerce: Products').waitFor();
    const row = page.getByRole('row', { name: /^7 Type/ });
    await row.waitFor();
    await checkPage(page, 'a dry run with errors');
    assert.equal((await souk.products.list({ slug: 'mug' }).take(1)).length, 0, 'a dry run writes nothing');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Results' }).waitFor();
    await page.getByText('Completed').waitFor();
    const [mug] = await souk.products.list({ slug: 'mug' }).take(1);
    assert.equal(mug!.variants[0]!.pricing.markets[0]!.price, 850);

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Imports and exports' }).click();
    await page
      .getByRole('row', { name: /woocommerce-products.csv/ })
      .first()
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Products as CSV' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'demo-products.csv');
    const [whole] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Entire business as NDJSON' }).click(),
    ]);
    assert.match(readFileSync((await whole.path())!, 'utf8'), /^\{"kind":"business"/);
  },
);

test('a member chooses the encoding of a file that is not UTF-8, and the import uses it', options, async () => {
  const page = await open();
  await goTo(page, 'Products');
  await page.getByRole('link', { name: 'Imports and exports' }).click();
  const encoding = page.getByLabel('File encoding');
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer });
  // Detected as Windows-1252, where the last letter of the name is é.
  const file = (encoding: BufferEncoding) =>
    Buffer.from('ID,Type,Name,Regular price\n1,simple,Kettle é,10\n', encoding);
  await choose('utf-8.csv', file('utf8'));
  await page.getByText('utf-8.csv').waitFor();
  assert.equal(await encoding.count(), 0);
  await choose('cyrillic.csv', file('latin1'));
  await encoding.selectOption('Cyrillic (Windows-1251)');
  await page.getByLabel('Market for prices').selectOption('eu');
  await checkPage(page, 'the choice of an encoding');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Results' }).waitFor();
  await page.getByText('Completed').waitFor();
  const found = await souk.products.list({ query: 'Kettle' }).take(10);
  assert.ok(found.some(({ name }) => name === 'Kettle й'));
});
