import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { startShop } from '../client/shop.ts';
import { openPage, skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { ADDRESSES, deliveryConfigs } from './delivery-shop.ts';

/** VAT IDs whose number starts with 1 are valid. */
const vies = await startReceiver(({ event }, response) =>
  response.end(JSON.stringify({ ...event, valid: event.vatNumber.startsWith('1') })),
);
const shop = await startShop({ VIES_URL: vies.url });
const options = { skip, timeout: 400_000 };
const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
const { configs } = await staff.businesses.get(shop.businessId);
await staff.businesses.update(shop.businessId, { configs: deliveryConfigs(configs) });
const [shirt] = await staff.products.list({ slug: 'linen-shirt' }).take(1);
await staff.products.adjustStock(shirt!.id, shirt!.variants[0]!.id, { adjust: 1000 });

async function open(path: string, context: Parameters<typeof openPage>[0] = {}): Promise<Page> {
  const page = await openPage(context);
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(shop.url + path);
  return page;
}

const click = (page: Page, role: 'link' | 'button', name: string) =>
  page.getByRole(role, { name, exact: true }).first().click();

/** The button shows the amount. */
const placeOrder = (page: Page) => page.getByRole('button', { name: /^Place order/ }).click();

/** A checkout with one linen shirt. */
async function openCheckout(given?: Page): Promise<Page> {
  const page = given ?? (await open('/shop/products/linen-shirt'));
  if (given) await page.goto(`${shop.url}/shop/products/linen-shirt`);
  await click(page, 'button', 'Add to cart');
  await page.getByText('Linen shirt added to cart').waitFor();
  await page.goto(`${shop.url}/shop/checkout`);
  await page.getByText('Shipping method', { exact: true }).waitFor();
  return page;
}

const countryOf = (page: Page) => page.getByLabel('Country', { exact: true }).first();
const field = (page: Page, token: string, kind = 'shipping') => page.locator(`[autocomplete="${kind} ${token}"]`);
const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' });

/** Waits for the error on the field with this label. */
const problemAt = (page: Page, label: string, text: string) =>
  eventually(`“${text}” at ${label}`, async () => {
    const input = page.getByLabel(label, { exact: true });
    if ((await input.getAttribute('aria-invalid')) !== 'true') return false;
    return (await page.locator(`[id="${await input.getAttribute('aria-describedby')}"]`).allInnerTexts())[0] === text;
  });

const TOKENS = { street: 'address-line1', city: 'address-level2', zip: 'postal-code' } as const;

/** Types the address into the fields of its country. */
async function type(page: Page, { country, state, ...address }: (typeof ADDRESSES)[number]): Promise<void> {
  await countryOf(page).selectOption(country);
  // The previous country's fields are shown until the new country's fields are loaded.
  await eventually(`the form of ${country}`, async () => {
    const has = async (token: string) => (await field(page, token).count()) === 1;
    return (await has('postal-code')) === (address.zip !== undefined) && (!state || (await has('address-level1')));
  });
  await field(page, 'name').fill('Ada Lovelace');
  for (const [name, token] of Object.entries(TOKENS)) {
    const text = address[name as keyof typeof TOKENS];
    if (text) await field(page, token).fill(text);
  }
  if (!state) return;
  const isSelect = await field(page, 'address-level1').evaluate((element) => element.tagName === 'SELECT');
  if (isSelect) await field(page, 'address-level1').selectOption({ label: state });
  else await field(page, 'address-level1').fill(state);
}

const latestOrder = async () => (await staff.orders.list({ limit: 1 }).take(1))[0]!;

/** The address as the order shows it. */
const PLACE_LINES: Record<string, string> = {
  DE: '80538 München',
  JP: '1000001 Tokyo Chiyoda-ku',
  MX: '06600 Cuauhtémoc, Ciudad de México',
  US: 'San Francisco, CA 94105',
};

test(
  'addresses of 30 countries are accepted as people type them, and shown in the format of their country',
  options,
  async () => {
    let page: Page | undefined;
    for (const address of ADDRESSES) {
      page = await openCheckout(page);
      await type(page, address);
      await page.getByLabel('Cash').check();
      await placeOrder(page);
      await page
        .getByRole('heading', { name: 'Thank you!' })
        .waitFor()
        .catch(async () => assert.fail(`${address.country}: ${await page!.locator('.field-error').allInnerTexts()}`));
      const line = PLACE_LINES[address.country];
      if (line) await page.locator('address').getByText(line, { exact: true }).waitFor();
      const { shippingAddress } = await latestOrder();
      assert.equal(shippingAddress?.country, address.country);
      assert.equal(shippingAddress.street, address.street);
      assert.equal(shippingAddress.city, address.city ?? '');
      assert.equal(shippingAddress.zip !== '', address.zip !== undefined, address.country);
    }
  },
);

test('a wrong postal code and a missing state each show an error on their field', options, async () => {
  const page = await openCheckout();
  await countryOf(page).selectOption('AU');
  await page.getByLabel('Suburb').fill('Sydney');
  await field(page, 'name').fill('Ada Lovelace');
  await field(page, 'address-line1').fill('1 Macquarie Street');
  await field(page, 'postal-code').fill('12');
  await field(page, 'name').focus();
  await problemAt(page, 'Postal code', 'Enter a valid postal code, for example 2060.');
  await placeOrder(page);
  await page.getByText('State is required.').waitFor();
  await problemAt(page, 'State', 'State is required.');
  assert.ok(await field(page, 'address-level1').evaluate((element) => element.matches(':focus')));
  for (const [country, label, wrong, example] of [
    ['US', 'ZIP code', '1234', '95014'],
    ['IN', 'PIN code', '11', '110034'],
    ['DE', 'Postal code', '8033', '26133'],
    ['GB', 'Postal code', 'ABC', 'EC1Y 8SY'],
  ] as const) {
    await countryOf(page).selectOption(country);
    await page.getByLabel(label, { exact: true }).fill(wrong);
    await placeOrder(page);
    const name = label === 'Postal code' ? 'postal code' : label;
    await problemAt(page, label, `Enter a valid ${name}, for example ${example}.`);
  }
});

test(
  'on a phone, a visitor buys with a German address and sees it on the order and in the email',
  options,
  async () => {
    const page = await open('/', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    await click(page, 'link', 'Linen shirt');
    await page.getByRole('heading', { name: 'Linen shirt' }).waitFor();
    await click(page, 'button', 'Add to cart');
    await click(page, 'link', 'Cart');
    await click(page, 'link', 'Check out');
    await page.getByLabel('Email', { exact: true }).fill('hannah@example.com');
    await type(page, { country: 'DE', street: 'Lindenallee 7', zip: '20457', city: 'Hamburg' });
    await page.getByText('Standard').waitFor();
    await page.getByText('Express').waitFor({ state: 'detached' });
    await field(page, 'postal-code').fill('80538');
    await page.getByText('Express').click();
    await summary(page).getByText('€14.90').waitFor();
    await summary(page)
      .getByText(/^Includes €[\d.]+ VAT 19%$/)
      .waitFor();
    await placeOrder(page);
    await click(page, 'button', 'Pay');
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    assert.match(await summary(page).innerText(), /Ada Lovelace\s+Lindenallee 7\s+80538 Hamburg\s+Germany/);
    assert.match(await summary(page).innerText(), /Express, Next day/);
    assert.match(await summary(page).innerText(), /Includes €[\d.]+ VAT 19%/);
    const text = await mailTo('hannah@example.com');
    assert.match(text, /Shipping address:\n {2}Ada Lovelace\n {2}Lindenallee 7\n {2}80538 Hamburg\n {2}Germany/);
    assert.match(text, /Shipping method:\n {2}Express, Next day/);
    assert.match(text, /Includes €[\d.]+ VAT 19%/);
    const link = /\S+\/order\/\S+/.exec(text)![0];
    const linked = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
    for (const shown of ['Lindenallee 7', 'Express, Next day', 'VAT 19%']) assert.ok(linked.includes(shown), shown);
  },
);

const mailTo = (email: string) =>
  eventually('the email', async () => {
    const response = await fetch(`${shop.url}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const { items } = (await response.json()) as { items: { to: string; text: string }[] };
    return items.find(({ to }) => to === email)?.text;
  });

test('pressing a button while the checkout updates still counts', options, async () => {
  const page = await openCheckout();
  await page.getByLabel('Cash').check();
  await page.locator('body[aria-busy]').waitFor({ state: 'detached' });
  await field(page, 'address-line1').fill('7 Side Street');
  const button = page.getByRole('button', { name: /^Place order/ });
  await button.hover();
  // Pressing the button moves the focus out of the field, which submits the form.
  const updated = page.waitForResponse((response) => response.request().method() === 'GET');
  await page.mouse.down();
  await (await updated).finished();
  await page.evaluate('fetch(location.href).then((response) => response.text())');
  await page.mouse.up();
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.equal((await latestOrder()).shippingAddress?.street, '7 Side Street');
});

test('the entered address is kept when the country changes, and after a canceled payment', options, async () => {
  const page = await openCheckout();
  await type(page, { country: 'US', street: '7 Side Street', city: 'Oakland', state: 'California', zip: '94601' });
  await countryOf(page).selectOption('FR');
  await page.getByLabel('Postal code').waitFor();
  assert.equal(await field(page, 'address-line1').inputValue(), '7 Side Street');
  await countryOf(page).selectOption('US');
  await page.getByLabel('ZIP code').waitFor();
  assert.equal(await field(page, 'address-level1').inputValue(), 'CA');
  await placeOrder(page);
  await click(page, 'button', 'Cancel');
  await page.getByText('Your payment was canceled.').waitFor();
  await field(page, 'address-level1').waitFor();
  assert.equal(await field(page, 'address-level2').inputValue(), 'Oakland');
  assert.equal(await field(page, 'address-level1').inputValue(), 'CA');
  assert.equal(await field(page, 'postal-code').inputValue(), '94601');
});

test(
  'a shipping method chosen while the checkout updates is kept, even if it is not available in between',
  options,
  async () => {
    const page = await openCheckout();
    await type(page, { country: 'DE', street: 'Lindenallee 7', zip: '80538', city: 'Hamburg' });
    const express = page.getByText('Express');
    await express.waitFor();
    await page.locator('body[aria-busy]').waitFor({ state: 'detached' });
    await page.evaluate(`
      const sending = window.fetch;
      window.fetch = async (...request) => {
        await new Promise((send) => addEventListener('send', send));
        return sending(...request);
      };
    `);
    await field(page, 'postal-code').fill('20457');
    await page.locator('body[aria-busy]').waitFor();
    await express.click();
    await field(page, 'postal-code').fill('80539');
    await page.evaluate(`setInterval(() => dispatchEvent(new Event('send')), 10)`);
    await summary(page).getByText('€14.90').waitFor();
    await page.getByText('Standard').click();
    await summary(page).getByText('€4.90').waitFor();
    await field(page, 'postal-code').fill('20457');
    await express.waitFor({ state: 'detached' });
    await field(page, 'postal-code').fill('80538');
    await express.waitFor();
    assert.ok(await page.getByRole('radio', { name: /Standard/ }).isChecked());
  },
);

test('where no shipping method delivers, the shop says so and offers pickup', options, async () => {
  const page = await openCheckout();
  await countryOf(page).selectOption('IS');
  await page.getByText('Enter your postal code to see shipping methods.').waitFor();
  await field(page, 'postal-code').fill('600');
  await page.getByText("We don't deliver to this country yet: Iceland. You can pick up your order instead.").waitFor();
  await field(page, 'postal-code').fill('101');
  await summary(page).getByText('$19.90').waitFor();
});

test('where delivery depends on the state, only the missing state is reported', options, async () => {
  const page = await openCheckout();
  await countryOf(page).selectOption('CN');
  await field(page, 'postal-code').fill('100000');
  await page.getByText('Enter your province to see shipping methods.').waitFor();
  await placeOrder(page);
  await problemAt(page, 'Province', 'Province is required.');
  assert.deepEqual(await page.locator('.field-error:visible').allInnerTexts(), ['Province is required.']);
  await field(page, 'address-level1').selectOption({ label: 'Beijing Shi' });
  await summary(page).getByText('$29.90').waitFor();
});

test('an order can be picked up at a chosen location, without an address', options, async () => {
  const page = await openCheckout();
  await page.getByText('Pick up', { exact: true }).click();
  await page.getByText('Depot').click();
  await summary(page).getByText('Free').waitFor();
  assert.equal(await countryOf(page).count(), 0);
  await page.getByLabel('Name of the person picking up the order').fill('Pia Picker');
  await page.getByLabel('Cash').check();
  await placeOrder(page);
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.match(await summary(page).innerText(), /Pickup location\s+Depot\s+Am Sandtorkai 3\s+20457 Hamburg\s+Germany/);
  const { shippingAddress, pickupLocationId } = await latestOrder();
  assert.deepEqual({ shippingAddress, pickupLocationId }, { shippingAddress: null, pickupLocationId: 'depot' });
});

test('a customer with an account saves an address and ships to it again', options, async () => {
  const page = await open('/shop/login');
  await page.getByRole('textbox', { name: 'Email', exact: true }).first().fill('admin@example.com');
  await page.getByLabel('Password').first().fill(shop.password);
  await click(page, 'button', 'Log in');
  await page.getByRole('heading', { name: 'My orders' }).waitFor();
  await openCheckout(page);
  await type(page, { country: 'NL', street: 'Damrak 1', zip: '1012LG', city: 'Amsterdam' });
  await page.getByLabel('Save this address to my account').check();
  await page.getByLabel('Cash').check();
  await placeOrder(page);
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();

  const other = await page.context().newPage();
  await openCheckout(other);
  const saved = other.getByRole('radiogroup', { name: 'Saved addresses' });
  await saved.waitFor();
  assert.ok(await saved.getByLabel(/Damrak 1/).isChecked());
  assert.equal(await other.getByLabel('Email', { exact: true }).inputValue(), 'admin@example.com');
  await other.getByLabel('Cash').check();
  await placeOrder(other);
  await other.getByRole('heading', { name: 'Thank you!' }).waitFor();
  assert.equal((await latestOrder()).shippingAddress?.street, 'Damrak 1');
});

test('the billing address can differ from the shipping address', options, async () => {
  const page = await openCheckout();
  await type(page, { country: 'FR', street: '10 rue de la République', zip: '69001', city: 'Lyon' });
  await page.getByLabel('Use a different billing address').check();
  await field(page, 'country', 'billing').selectOption('CH');
  await page.locator('.billing').getByText('Postal code').waitFor();
  await field(page, 'name', 'billing').fill('Berta Biller');
  await field(page, 'address-line1', 'billing').fill('Bundesplatz 3');
  await field(page, 'postal-code', 'billing').fill('30');
  await field(page, 'address-level2', 'billing').fill('Bern');
  await page.getByLabel('Cash').check();
  await placeOrder(page);
  await page.locator('.billing .field-error').waitFor();
  await field(page, 'postal-code', 'billing').fill('3011');
  await placeOrder(page);
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  const { shippingAddress, billingAddress } = await latestOrder();
  assert.equal(shippingAddress?.city, 'Lyon');
  assert.deepEqual([billingAddress?.name, billingAddress?.zip], ['Berta Biller', '3011']);
});

test('a business in another EU country pays no VAT if its VAT ID is valid', options, async () => {
  const page = await openCheckout();
  await type(page, { country: 'AT', street: 'Herrengasse 4/2', zip: '1010', city: 'Wien' });
  await summary(page)
    .getByText(/^VAT 20%|Includes/)
    .waitFor();
  await page.getByText('Ordering for a business?').click();
  await page.getByLabel('Company').fill('Mozart GmbH');
  await page.getByLabel('VAT ID').fill('ATU23456789');
  await page.getByLabel('Company').focus();
  await page.getByLabel('VAT ID').fill('AT123456789');
  await page.getByLabel('Company').focus();
  await page.getByText('Reverse charge: VAT to be accounted for by the customer').waitFor();
  assert.doesNotMatch(await summary(page).innerText(), /20%/);
  await page.getByLabel('Cash').check();
  await placeOrder(page);
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
  await summary(page).getByText('Reverse charge').first().waitFor();
  const { tax, taxExempt, shippingAddress } = await latestOrder();
  assert.deepEqual([tax, taxExempt, shippingAddress?.vatId], [0, 'REVERSE_CHARGE', 'AT123456789']);
  assert.equal(shippingAddress?.company, 'Mozart GmbH');
});
