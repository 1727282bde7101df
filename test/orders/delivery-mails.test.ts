import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop, press } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE' }],
  shippingMethods: [
    {
      id: 'post',
      name: 'Post',
      etaText: '2 days',
      zones: [{ countries: ['US'], rates: [{ market: 'us', amount: 500 }] }],
    },
  ],
  taxRates: [{ id: 'ca', name: 'Sales tax', country: 'US', state: 'CA', classId: 'standard', bps: 725 }],
});
const mug = await shop.product({ name: 'Mug', price: 1000 });

const ADDRESS = {
  name: 'Ada Lovelace',
  company: 'Engines Ltd',
  street: '1 Market Street',
  street2: 'Floor 4',
  city: 'San Francisco',
  state: 'CA',
  zip: '94105',
  country: 'US',
};

/** The email about an order that a guest pays for, with an unverified address. */
async function mailTo(email: string, address: object = {}): Promise<string> {
  const { token } = await h.guest();
  const order = { token, email, shippingMethodId: 'post', shippingAddress: { ...ADDRESS, ...address } };
  const { body } = await shop.checkout(mug, order);
  await press(body.checkoutUrl!, 'pay');
  await h.drain('order-tasks');
  return ((await h.mailbox()).find(({ to }) => to === email) as Json).text;
}

test('the email shows the address, the shipping method and a row for each tax rate', async () => {
  const text = await mailTo('plain@example.com');
  assert.match(
    text,
    /Shipping address:\n {2}Ada Lovelace\n {2}1 Market Street\n {2}Floor 4\n {2}San Francisco, CA 94105\n {2}United States\n\nShipping method:\n {2}Post, 2 days\n/,
  );
  assert.match(text, /Sales tax 7\.25% {3}\$0\.73/);
});

test('an email to an unverified address leaves out address lines with a link, a line break or more than 80 characters', async () => {
  const spam = {
    name: 'Win at https://spam.example',
    company: 'Cheap pills',
    street: 'www.spam.example 1',
    street2: 'x'.repeat(81),
    city: 'spam.example',
  };
  const text = await mailTo('victim@example.com', spam);
  assert.match(text, /Shipping address:\n {2}United States\n/);
  for (const part of ['spam', 'pills', 'xxx']) assert.ok(!text.includes(part), part);
  const broken = await mailTo('other@example.com', { name: 'Ada\n\nBuy now', street: 'Buy at spam.example' });
  assert.match(broken, /\n {2}Ada Buy now\n {2}Floor 4\n/);
});
