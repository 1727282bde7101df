import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { newSecret } from '../../src/shared/security/webhook-signing.ts';
import { skip } from '../pages/browser.ts';
import { startReceiver, verify } from '../webhooks/receiver.ts';
import { checkPage, logIn, startAdmin } from './browser.ts';

const { shop, souk } = await startAdmin();
const options = { skip, timeout: 180_000 };

/** A business without shipping methods. */
async function newShop(name: string) {
  const markets = [{ id: 'eu', name: 'Europe', currency: 'eur', taxMode: 'INCLUSIVE' as const, taxBps: 0 }];
  const { id } = await souk.businesses.create({ name, configs: { markets } });
  return { ...shop, businessId: id, staff: souk.forBusiness(id) };
}

const save = async (page: Page) => {
  const saved = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  assert.equal((await saved).status(), 200);
  await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
};

const addCountry = async (page: Page, name: string) => {
  await page.getByRole('combobox', { name: 'Countries in this zone' }).fill(name);
  await page.getByRole('option', { name }).first().click();
};

test('a merchant delivers to two zones, by weight in one, and customers see the right price', options, async () => {
  const mine = await newShop('Two zones');
  const page = await logIn(mine, '/settings/shipping');
  await page.getByRole('button', { name: 'Add shipping method' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Parcel');
  const parcel = page.getByRole('group', { name: 'Parcel', exact: true });
  await parcel.getByLabel('Prices').selectOption('Prices by zone');
  await addCountry(page, 'Germany');
  await addCountry(page, 'Austria');
  await parcel.getByLabel('Price', { exact: true }).last().fill('4.90');
  await parcel.getByLabel('Free shipping minimum').fill('50');
  await parcel.getByRole('button', { name: /^Germany, Austria/ }).click();
  await parcel.getByText('€4.90, free on orders of €50 or more').waitFor();

  await parcel.getByRole('button', { name: 'Add zone' }).click();
  await addCountry(page, 'European Union');
  await addCountry(page, 'Switzerland');
  const zone = parcel.getByRole('group', { name: /^European Union, Switzerland/ });
  await zone.getByLabel('Price', { exact: true }).first().selectOption('By weight');
  await zone.getByLabel('Maximum weight').fill('2');
  await zone.getByLabel('Price', { exact: true }).last().fill('9.90');
  await zone.getByRole('button', { name: 'Add rate' }).click();
  const heavy = zone.getByRole('group', { name: 'Rate 2' });
  assert.equal(await heavy.getByLabel('Minimum weight').inputValue(), '2');
  await heavy.getByLabel('Price', { exact: true }).fill('19');
  await checkPage(page, 'a zone with rates by weight');
  await zone.getByText('Limit to regions or postal codes').click();
  await zone.getByLabel('Postal codes (optional)').fill('80*, !!');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Shipping method 1 › Zone 2 › Postal codes').first().waitFor();
  await checkPage(page, 'a zone with an error');
  await zone.getByLabel('Postal codes (optional)').fill('');
  await save(page);
  await parcel.getByRole('button', { name: /^European Union/ }).click();
  await parcel.getByText('€9.90–€19 by weight').waitFor();
  await checkPage(page, 'shipping zones in a list');

  const { shippingMethods } = (await mine.staff.businesses.get(mine.businessId)).configs;
  const [method] = shippingMethods!;
  assert.equal(method!.id, 'parcel');
  assert.deepEqual(method!.zones![0], {
    countries: ['DE', 'AT'],
    rates: [{ market: 'eu', amount: 490, freeAbove: 5000 }],
  });
  assert.deepEqual(method!.zones![1]!.rates, [
    { market: 'eu', amount: 990, minWeight: 0, maxWeight: 2000 },
    { market: 'eu', amount: 1900, minWeight: 2000 },
  ]);
  const prices = (price: number) => ({ markets: [{ marketId: 'eu', currency: 'eur', price }] });
  const inventory = { tracked: false };
  const product = await mine.staff.products.create({
    name: 'Anvil',
    variants: [{ id: 'a', name: 'A', pricing: prices(2000), inventory, weight: 1500 }],
    statuses: [{ status: 'ACTIVE' }],
  });
  const guest = createClient({ baseUrl: shop.url, businessId: mine.businessId, guest: true });
  const priceIn = async (country: string, quantity: number) => {
    const items = [{ productId: product.id, variantId: 'a', quantity }];
    const found = await guest.payments.listShippingOptions({ market: 'eu', items, shippingAddress: { country } });
    return found.items.map(({ amount }) => amount);
  };
  assert.deepEqual(await priceIn('DE', 1), [490]);
  assert.deepEqual(await priceIn('DE', 3), [0], 'free on orders of €50 or more');
  assert.deepEqual(await priceIn('CH', 1), [990]);
  assert.deepEqual(await priceIn('FR', 2), [1900], 'over 2 kg');
  assert.deepEqual(await priceIn('US', 1), [], 'no zone');
});

test('customers pick up orders at a location that the merchant added by keyboard', options, async () => {
  const mine = await newShop('Pickup');
  const page = await logIn(mine, '/settings/shipping');
  await page.getByRole('button', { name: 'Add shipping method' }).press('Enter');
  await page.keyboard.type('Pickup');
  const pickup = page.getByRole('group', { name: 'Pickup', exact: true });
  await pickup.getByLabel('Type').selectOption('Pickup');
  await pickup.getByRole('button', { name: 'Add location' }).press('Enter');
  await page.keyboard.type('Old Town store');
  const location = pickup.getByRole('group', { name: 'Old Town store' });
  await location.getByLabel('Country').selectOption('Germany');
  await location.getByLabel('Street address').fill('Marktplatz 1');
  await location.getByLabel('Postal code').fill('50667');
  await location.getByLabel('City').fill('Cologne');
  await checkPage(page, 'a pickup location');
  await save(page);
  const [method] = (await mine.staff.businesses.get(mine.businessId)).configs.shippingMethods!;
  assert.deepEqual(method!.locations, [
    {
      id: 'old-town-store',
      name: 'Old Town store',
      address: { street: 'Marktplatz 1', zip: '50667', city: 'Cologne', country: 'DE' },
    },
  ]);
  await pickup.getByText('Marktplatz 1, Cologne').waitFor({ state: 'hidden' });
  await page.reload();
  await pickup.getByText('Marktplatz 1, Cologne').waitFor();
});

test('a merchant connects a carrier; its rate applies, and the merchant’s own price if it fails', options, async () => {
  const mine = await newShop('Live rates');
  let isDown = false;
  const carrier = await startReceiver((_, response) =>
    isDown ? response.destroy() : response.end('{"amount": 1250}'),
  );
  const secret = newSecret();
  const page = await logIn(mine, '/settings/shipping');
  await page.getByRole('button', { name: 'Add shipping method' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Courier');
  const courier = page.getByRole('group', { name: 'Courier', exact: true });
  await courier.getByLabel('Price (Europe)').fill('7.50');
  await courier.getByText('Live rates from a carrier').click();
  await courier.getByLabel('Endpoint URL').fill(carrier.url);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await checkPage(page, 'a carrier without a secret');
  await courier.getByLabel('Signing secret').fill(secret);
  await checkPage(page, 'a carrier');
  await save(page);
  await page.reload();
  const stored = courier.getByLabel('Signing secret');
  await stored.waitFor();
  assert.equal(await stored.inputValue(), `****${secret.slice(-4)}`);
  // A change that has nothing to do with the carrier keeps its secret.
  await courier.getByLabel('Price (Europe)').fill('8');
  await save(page);

  const product = await mine.staff.products.create({
    name: 'Anvil',
    variants: [
      {
        id: 'a',
        name: 'A',
        pricing: { markets: [{ marketId: 'eu', currency: 'eur', price: 2000 }] },
        inventory: { tracked: false },
      },
    ],
    statuses: [{ status: 'ACTIVE' }],
  });
  const guest = createClient({ baseUrl: shop.url, businessId: mine.businessId, guest: true });
  const priceOf = async (quantity: number) => {
    const items = [{ productId: product.id, variantId: 'a', quantity }];
    const found = await guest.payments.listShippingOptions({ market: 'eu', items, shippingAddress: { country: 'DE' } });
    return found.items.map(({ amount }) => amount);
  };
  assert.deepEqual(await priceOf(1), [1250]);
  verify(secret, carrier.calls[0]!);
  isDown = true;
  assert.deepEqual(await priceOf(2), [800]);
});
