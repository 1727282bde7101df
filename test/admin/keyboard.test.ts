import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, openAdmin, startAdmin } from './browser.ts';
import { arrive, go, press, save, tabTo, type } from './keyboard.ts';

const { shop, souk } = await startAdmin();

test('every admin page can be used by keyboard alone', { skip, timeout: 240_000 }, async () => {
  const page = await openAdmin(shop, '', { locale: 'en-US' });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  await type(page, field('Email'), 'admin@example.com');
  await type(page, field('Password'), shop.password);
  await page.keyboard.press('Enter');
  await arrive(page, 'Home');
  await press(page, page.getByText('View as table'));
  await page.getByRole('columnheader', { name: 'Day', exact: true }).waitFor();

  await go(page, 'New product', 'New product');
  await type(page, field('Name'), 'Keyboard');
  await type(page, field('Variant name').first(), 'Small');
  await type(page, field('Price (United States)').first(), '49.00');
  await press(page, button('Add variant'));
  await type(page, field('Variant name').last(), 'Large');
  await type(page, field('Price (United States)').last(), '59.00');
  await press(page, button('Add variant'));
  await press(page, button('Remove Variant 3'));
  await save(page);
  const [product] = await souk.products.list({ slug: 'keyboard' }).take(1);
  assert.deepEqual(
    product?.variants.map(({ name, pricing }) => [name, pricing.markets[0]?.price]),
    [
      ['Small', 4900],
      ['Large', 5900],
    ],
  );

  await go(page, 'New order', 'New order');
  await press(page, button('Guest'));
  await type(page, page.getByLabel('Email (optional)'), 'keys@example.com');
  await type(page, page.getByRole('combobox', { name: 'Add product' }), 'wall cl');
  await page.getByRole('option', { name: /Wall clock/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('$64.00').first().waitFor();
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: /^Order #/ }).waitFor();
  await press(page, button('Mark as paid'));
  await press(page, button('Ship items'));
  await press(
    page,
    page.getByRole('dialog', { name: /^Ship items from order/ }).getByRole('button', { name: 'Ship items' }),
  );
  await page.getByRole('listitem').filter({ hasText: 'Order: Shipped' }).waitFor();
  await tabTo(page, button('Mark as delivered'));

  await go(page, 'New customer', 'New customer');
  await type(page, page.getByLabel('Name'), 'Key Board');
  await save(page);

  await go(page, 'Media', 'Media');
  await press(page, page.getByRole('link', { name: 'wall-clock.svg' }));
  await tabTo(page, page.getByLabel('Horizontal position'));
  await page.keyboard.press('ArrowRight');
  await type(page, page.getByLabel('Alt text (English)'), 'A clock at ten to two');
  await save(page);
  const [clock] = await souk.media.list({ query: 'clock' }).take(1);
  assert.deepEqual([clock?.alt, clock?.focalPoint], [{ en: 'A clock at ten to two' }, { x: 0.51, y: 0.5 }]);

  await go(page, 'Settings', 'Business');
  await press(page, page.getByRole('link', { name: 'Markets' }));
  await arrive(page, 'Markets');
  await press(page, button('Move United States down'));
  await tabTo(page, button('Move United States up'));
  await press(page, button('Remove United States'));
  await press(page, button('Discard'));
  await tabTo(page, button('Save'));

  await go(page, 'Account', /Profile|Account/);
  await type(page, field('Name'), 'Ada by keyboard');
  await save(page);
  await checkPage(page, 'the account');
});
