import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { formatMoney } from '../../client/src/index.ts';
import { openPage, skip } from '../pages/browser.ts';
import { checkPage, goTo, joinAs, logIn, searchFor, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 180_000 };

test('a merchant compares the sales of two periods and downloads them', options, async () => {
  const page = await open();
  await goTo(page, 'Reports');
  const sales = page.getByRole('region', { name: 'Sales', exact: true });
  await sales.getByText('Sales after refunds', { exact: true }).waitFor();
  const from = Math.floor(Date.now() / 86_400_000 - 29) * 86_400;
  const report = await souk.stats.getSalesReport({ from, compare: 'previous', groupBy: 'product' });
  const [total] = [...report.totals].sort((a, b) => b.orders - a.orders);
  const shown = (amount: number) => formatMoney(amount, total!.currency, 'en-US');
  await sales.getByLabel('Currency').selectOption(total!.currency);
  await sales.getByText(shown(total!.net), { exact: true }).waitFor();
  const best = report.items.find(({ currency, productId }) => currency === total!.currency && productId)!;
  const products = page.getByRole('region', { name: 'Sales by product' });
  const row = products.getByRole('row', { name: best.name! }).first();
  await row
    .getByRole('cell', { name: shown(best.gross), exact: true })
    .first()
    .waitFor();
  await page.getByRole('region', { name: 'Sales by country' }).getByRole('row').nth(1).waitFor();
  await checkPage(page, 'reports');
  const widest = await sales.locator('.facts').evaluate((facts) => facts.scrollWidth - facts.clientWidth);
  assert.ok(widest <= 0, `figures are ${widest} px wider than their column`);

  await page.getByLabel('Period').selectOption('Custom period');
  await page.getByLabel('From').fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2020-01-31');
  await page.getByText('No sales in this period').first().waitFor();
  await page.getByLabel('Period').selectOption('Last 90 days');
  await page.getByLabel('Compare with').selectOption('No comparison');
  await sales.getByRole('img', { name: /^Sales after refunds/ }).waitFor();
  assert.equal(await sales.locator('.chart-then').count(), 0);
  const downloaded = page.waitForEvent('download');
  await products.getByRole('button', { name: 'Download CSV' }).click();
  const [header] = (await readFile(await (await downloaded).path(), 'utf8')).split('\r\n');
  assert.equal(header, 'productId,name,quantity,currency,orders,gross,refunds,net,average');
});

test('Home and the report of the last 30 days show the same figures, comparison and days', options, async () => {
  const page = await open();
  const read = async (title: string) => {
    const sales = page.getByRole('region', { name: title, exact: true });
    await sales.locator('.chart').waitFor();
    await sales.getByText('As table').click();
    const texts = ['.sales-total', '.sales-total + p', 'figcaption', '.chart-x span:first-child', 'tbody'];
    return Promise.all(texts.map((each) => sales.locator(each).first().innerText()));
  };
  const home = await read('Sales, last 30 days');
  await goTo(page, 'Reports');
  assert.deepEqual(home, await read('Sales'));
});

test("members without the permission to view orders don't see sales", options, async () => {
  const login = await joinAs(shop, 'EDITOR');
  const page = await logIn(shop, '/reports', login, { locale: 'en-US' });
  await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Reports' }).count(), 0);
});

test('abandoned checkouts have their own page, and the order search finds them', options, async () => {
  const { items } = await souk.orders.listAbandonedCheckouts({ limit: 100 }).page();
  const abandoned = items[0]!;
  const page = await open();
  await goTo(page, 'Orders');
  const isListed = () => page.getByRole('link', { name: `#${abandoned.number}`, exact: true });
  await page
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .waitFor();
  assert.equal(await isListed().count(), 0);
  await searchFor(page, 'Search by number or email', `${abandoned.number}`);
  await isListed().waitFor();
  await page.getByRole('link', { name: 'Abandoned checkouts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Abandoned checkouts' }).waitFor();
  const row = page.getByRole('row', { name: new RegExp(`#${abandoned.number}\\b`) }).first();
  await row.waitFor();
  await checkPage(page, 'abandoned checkouts');
  await row.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: `Order #${abandoned.number}` }).waitFor();
});

test('the shop and the product page in the admin show the lowest price before a reduction', options, async () => {
  const { items } = await souk.products.list({ limit: 100 }).page();
  const reduced = items.find(({ variants }) => variants[0]!.pricing.markets[0]!.lowestPrice30 !== undefined)!;
  const { lowestPrice30, currency } = reduced.variants[0]!.pricing.markets[0]!;
  const price = formatMoney(lowestPrice30!, currency, 'en-US');
  const page = await openPage({ locale: 'en-US' });
  await page.goto(`${shop.url}/shop/products/${reduced.slug}?market=us`);
  await page.getByText(`Lowest price in the 30 days before the sale: ${price}`).first().waitFor();
  const admin = await open();
  await admin.goto(`${shop.url}/admin/${shop.businessId}/products/${reduced.id}`);
  await admin.getByText('Compare-at price', { exact: true }).first().click();
  await admin.getByText(`Lowest price in the 30 days before the sale: ${price}`).first().waitFor();
});
