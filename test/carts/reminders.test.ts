import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { problems } from '../orders/shop.ts';
import { openCarts } from './cart-shop.ts';

const h = await shareHarness();
const ON = { cartReminder: { enabled: true, delayHours: 2, url: 'https://shop.example/cart' } };
const shop = await openCarts(h, ON);
const mug = await shop.product({ price: 1000, quantity: null });

let mailboxes = 0;
const newEmail = () => `reader${++mailboxes}@example.com`;

/** The cart of a guest who asked for a reminder. */
async function leaveCart(more: object = {}, at = shop, product = mug) {
  const guest = await h.guest();
  const email = newEmail();
  const cart = await at.create(guest, product, 2, { email, reminder: true, ...more });
  return { guest, email, cart };
}

async function mailsTo(email: string, hours = 3) {
  h.clock.advance(hours * 3600);
  await h.drain('cart-reminders');
  return (await h.mailbox()).filter(({ to }) => to === email) as {
    subject: string;
    text: string;
    html: string;
    headers: Record<string, string>;
  }[];
}

test('a customer who asked for a reminder gets one email with today’s prices and a link that restores the items only', async () => {
  const address = { name: 'Ada Lovelace', street: '1 Main Street' };
  const { email } = await leaveCart({ shippingAddress: address, locale: 'de' });
  const [mail, ...others] = await mailsTo(email);
  assert.equal(others.length, 0);
  assert.equal(mail!.subject, 'Du hast noch etwas im Warenkorb');
  assert.match(mail!.text, /2 × Mug \(Main\) {3}20,00\s\$/);
  assert.match(mail!.html, /Warenkorb ansehen<\/a>/);
  const token = /https:\/\/shop\.example\/cart\?restore=(\S+)/.exec(mail!.text)![1]!;
  const visitor = await h.guest();
  const restored = await h.call('POST', `${shop.carts}/restore`, { token: visitor.token, body: { token } });
  assert.equal(restored.status, 200, JSON.stringify(restored.body));
  const { items, shippingAddress, email: copied } = restored.body;
  assert.deepEqual([items[0]!.quantity, shippingAddress, copied], [2, null, null]);
  const forged = await h.call('POST', `${shop.carts}/restore`, { token: visitor.token, body: { token: `${token}x` } });
  assert.deepEqual(problems(forged), ['token TOKEN_INVALID']);
  assert.deepEqual(await mailsTo(email, 48), [mail]);
});

test('no reminder is sent without consent, without the setting, after an order, or while the address is suppressed', async () => {
  const suppressed = await leaveCart();
  const { token } = await h.member(shop.businessId, 'SUBSCRIBER_WRITE');
  await h.call('POST', `${shop.base}/suppressions`, { token, body: { email: suppressed.email.toUpperCase() } });
  const silent = await leaveCart({ reminder: false });
  const takenBack = await leaveCart();
  await shop.put(takenBack.guest, takenBack.cart.id, { reminder: false });
  const ordered = await leaveCart();
  await shop.order(ordered.guest, ordered.cart.id, { paymentMethod: 'CASH' });
  const elsewhere = await leaveCart();
  await shop.checkout(mug, { email: elsewhere.email, token: (await h.guest()).token, paymentMethod: 'CASH' });
  const off = await openCarts(h);
  const other = await leaveCart({}, off, await off.product());
  for (const { email } of [silent, takenBack, ordered, elsewhere, other, suppressed])
    assert.deepEqual(
      (await mailsTo(email)).filter(({ subject }) => /cart/i.test(subject)),
      [],
      email,
    );
});

test('a reminder needs an email address', async () => {
  const guest = await h.guest();
  const body = { market: 'us', items: shop.items(mug), reminder: true };
  const refused = await h.call('POST', shop.carts, { token: guest.token, body });
  assert.deepEqual([refused.status, problems(refused)], [422, ['email REQUIRED']]);
});

test('the link in the email stops reminders to the mailbox, and a GET changes nothing', async () => {
  const { email } = await leaveCart();
  const [mail] = await mailsTo(email);
  const url = /(http\S+\/cart-reminders\/\S+)/.exec(mail!.text)![1]!;
  assert.ok(!url.includes(email));
  assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /Stop reminders/);
  h.clock.advance(2 * 86_400);
  await shop.create(await h.guest(), mug, 1, { email, reminder: true });
  assert.equal((await mailsTo(email)).length, 2);
  assert.equal((await fetch(url, { method: 'POST', headers: { accept: 'text/html' } })).status, 200);
  h.clock.advance(2 * 86_400);
  await shop.create(await h.guest(), mug, 1, { email, reminder: true });
  assert.equal((await mailsTo(email)).length, 2);
});

test('a mailbox gets one reminder a day, however many carts have its address', async () => {
  const email = newEmail();
  for (const tagged of [email, email.replace('@', '+1@'), email.replace('@', '+2@')])
    await shop.create(await h.guest(), mug, 1, { email: tagged, reminder: true });
  h.clock.advance(3 * 3600);
  await h.drain('cart-reminders');
  const mails = (await h.mailbox()).filter(({ to }) => to.split('@')[0]!.split('+')[0] === email.split('@')[0]);
  assert.equal(mails.length, 1);
});
