import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { encode } from 'uqr';
import { referenceOf } from '../../../src/domains/orders/bank-transfer/reference.ts';
import { skipTriggers } from '../../databases.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { last, openShop, problems } from '../shop.ts';
import { ACCOUNT, type Credit, camt, sparkasse } from './files.ts';

const h = await shareHarness();
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const market = { id: 'de', currency: 'eur', paymentMethods: [{ method: 'BANK_TRANSFER' }] };
const bankTransfer = { holder: 'Souk GmbH', iban: ACCOUNT, bic: 'COBADEFFXXX' };

async function open(configs: object = {}) {
  const shop = await openShop(h, { markets: [market], bankTransfer, ...configs });
  const order = async (price = 4900, more: object = {}) => {
    const product = await shop.product({ price, currency: 'eur', market: 'de' });
    const { body, status } = await shop.checkout(product, { market: 'de', paymentMethod: 'BANK_TRANSFER', ...more });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, { orderId: body.orderId, status: 'PENDING' });
    return { product, ...(await shop.order(body.orderId)) } as Json;
  };
  const statements = `${shop.base}/bank-statements` as const;
  const upload = (file: string | Uint8Array, { token = shop.staff.token, type = 'application/xml' } = {}) =>
    fetch(`${h.url}${statements}?fileName=november.xml`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: file as never,
    }).then(async (response) => ({ status: response.status, body: (await response.json()) as Json }));
  const preview = async (...credits: Credit[]) => {
    const { body, status } = await upload(camt(credits));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const book = (id: string, entries: object[], token = shop.staff.token) =>
    h.call('POST', `${statements}/${id}/book`, { token, body: { entries } });
  const states = ({ entries }: Json) => entries.map(({ state }: Json) => state);
  return {
    ...shop,
    order,
    statements,
    upload,
    preview,
    book,
    states,
    read: shop.order as (id: string) => Promise<Json>,
  };
}

/** The modules of the QR code in this image: whether each is dark. */
async function modulesIn(url: string): Promise<boolean[][]> {
  const image = sharp(await (await fetch(url)).arrayBuffer());
  const side = (await image.metadata()).width! / 8;
  const pixels = await image.resize(side, side, { kernel: 'nearest' }).greyscale().raw().toBuffer();
  return times(side, (y) => times(side, (x) => pixels[y * side + x] === 0));
}

/** Makes the expiry of all unpaid orders due. Advancing the clock would also expire tokens. */
async function expire({ businessId }: { businessId: string }, count: number): Promise<void> {
  const due = await h.pool`
    update order_tasks t set due_at = 1 from orders o
    where t.business_id = ${businessId} and t.kind = 'EXPIRY' and o.business_id = t.business_id and o.id = t.order_id
      and t.due_at = o.created_at + ${14 * 86_400} returning t.id`;
  assert.equal(due.length, count);
  await h.drain();
}

test('a bank transfer order waits for its payment and shows how to pay', async () => {
  const shop = await open();
  const customer = await h.user();
  const order = await shop.order(4900, { token: customer.token });
  assert.deepEqual([last(order.statuses), last(order.paymentStatus), order.paid], ['PENDING', 'PENDING', 0]);
  assert.equal(await shop.stock(order.product), 9);
  const reference = referenceOf(order.number);
  const expected = {
    holder: 'Souk GmbH',
    iban: ACCOUNT,
    bic: 'COBADEFFXXX',
    bankName: null,
    reference,
    amount: 4900,
    currency: 'eur',
    dueAt: order.createdAt + 14 * 86_400,
    epc: `BCD\n002\n1\nSCT\nCOBADEFFXXX\nSouk GmbH\n${ACCOUNT}\nEUR49.00\n\n${reference}`,
  };
  assert.deepEqual(order.bankTransfer, expected);
  const own = await h.call('GET', `${shop.base}/orders/${order.id}`, { token: customer.token });
  assert.deepEqual(own.body.bankTransfer, expected);
  await h.drain();
  const [mail] = (await h.mailbox()).filter(({ to }) => to === customer.email) as Json[];
  assert.match(mail.subject, /^Order #\d+ received$/);
  for (const text of ['€49.00', 'DE89 3704 0044 0532 0130 00', 'Souk GmbH', reference.replace(/(.{4})(?=.)/g, '$1 ')])
    assert.ok(mail.text.includes(text), text);
  const link = /https?:\S+\/order\/\S+/.exec(mail.text)![0];
  const page = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
  assert.ok(page.includes('DE89 3704 0044 0532 0130 00') && page.includes('<svg'));
  const image = /<img src="([^"]+)" alt="QR code for your banking app"/.exec(mail.html)![1]!;
  assert.ok(mail.text.includes(`QR code for your banking app: ${image}`));
  assert.deepEqual(await modulesIn(image), encode(expected.epc, { ecc: 'M', border: 4 }).data);
  await shop.setPayment(order.id, 'PAID');
  assert.equal((await fetch(image)).status, 404, 'there is nothing left to pay');
  const paid = await shop.read(order.id);
  assert.deepEqual([paid.paid, paid.bankTransfer, last(paid.statuses)], [4900, undefined, 'PROCESSING']);
});

test('emails and the order page show dates in the time zone of the business', async () => {
  // Its date differs from the one in UTC.
  const timeZone = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const shop = await open({ profile: { timeZone } });
  const customer = await h.user();
  const { createdAt, bankTransfer } = await shop.order(4900, { token: customer.token });
  await h.drain();
  const { text } = ((await h.mailbox()) as Json[]).find(({ to }) => to === customer.email)!;
  const page = await fetch(/https?:\S+\/order\/\S+/.exec(text)![0], { headers: { accept: 'text/html' } });
  const html = await page.text();
  const day = (seconds: number) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(seconds * 1000);
  assert.ok(text.includes(day(bankTransfer.dueAt)), text);
  for (const seconds of [createdAt, bankTransfer.dueAt]) assert.ok(html.includes(day(seconds)), day(seconds));
});

test('an unpaid order expires once and returns its stock, but not if part of the money has arrived', async () => {
  const shop = await open();
  const [unpaid, partial] = [await shop.order(), await shop.order()];
  const byStaff = await h.call('POST', `${shop.base}/orders`, {
    token: shop.staff.token,
    body: {
      customerId: shop.customer.userId,
      market: 'de',
      paymentMethod: 'BANK_TRANSFER',
      lines: [{ productId: unpaid.product, variantId: 'main', quantity: 2 }],
    },
  });
  assert.equal(byStaff.body.bankTransfer!.amount, 9800);
  const { id, entries } = await shop.preview({ amount: '1.00', text: partial.bankTransfer.reference });
  await shop.book(id, [{ id: entries[0].id }]);
  await h.drain();
  assert.equal(last((await shop.read(unpaid.id)).statuses), 'PENDING');
  await expire(shop, 3);
  const expired = await shop.read(unpaid.id);
  assert.deepEqual([last(expired.statuses), last(expired.paymentStatus)], ['CANCELLED', 'FAILED']);
  assert.equal(last((await shop.read(byStaff.body.id)).statuses), 'CANCELLED');
  assert.equal(await shop.stock(unpaid.product), 10);
  assert.equal(last((await shop.read(partial.id)).statuses), 'PENDING');
  assert.equal(await shop.stock(partial.product), 9);
  const mail = ((await h.mailbox()) as Json[]).find(
    ({ subject, text }) => / canceled$/.test(subject) && text.includes(unpaid.id),
  )!;
  for (const part of [mail.text, mail.html])
    assert.match(part, /We didn(?:'|&#39;)t receive your payment by \w+ \d+, \d+\./);
});

test('after a partial payment, the order page and emails show the amount received and the amount due', async () => {
  const shop = await open();
  const customer = await h.user();
  const order = await shop.order(4900, { token: customer.token });
  const { id, entries } = await shop.preview({ amount: '40.00', text: order.bankTransfer.reference });
  await shop.book(id, [{ id: entries[0].id }]);
  await h.drain();
  await h.call('POST', `${shop.base}/orders/${order.id}/resend`, {
    token: shop.staff.token,
    body: { kind: 'RECEIVED' },
  });
  await h.drain();
  const mails = (await h.mailbox()).filter(({ to }) => to === customer.email) as Json[];
  const mail = mails.find(({ text }) => /Already received: €40\.00\s+Amount: €9\.00/.test(text))!;
  assert.equal(mails.length, 2);
  const page = await (await fetch(/https?:\S+\/order\/\S+/.exec(mail.text)![0])).text();
  assert.match(page, /Already received<\/th><td>€40\.00[\s\S]*Amount<\/th><td>€9\.00/);
});

test('an order that staff switch to bank transfer expires, and one that they switch back does not', async () => {
  const shop = await open();
  const product = await shop.product({ price: 4900, currency: 'eur', market: 'de' });
  const lines = [{ productId: product, variantId: 'main', quantity: 1 }];
  const body = { customerId: shop.staff.userId, market: 'de', paymentMethod: 'CASH', lines };
  const create = async () => {
    const created = await h.call('POST', `${shop.base}/orders`, { token: shop.staff.token, body });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    return created.body.id;
  };
  const [kept, back] = [await create(), await create()];
  const pay = (id: string, paymentMethod: string) =>
    h.call('PUT', `${shop.base}/orders/update`, { token: shop.staff.token, body: { id, paymentMethod } });
  for (const id of [kept, back]) assert.equal((await pay(id, 'BANK_TRANSFER')).status, 200);
  await pay(back, 'CASH');
  const due = await h.pool`
    update order_tasks set due_at = 1 where business_id = ${shop.businessId} and kind = 'EXPIRY' returning order_id`;
  assert.deepEqual(due, [{ orderId: kept }]);
  await h.drain();
  assert.deepEqual(
    [last((await shop.read(kept)).statuses), last((await shop.read(back)).statuses)],
    ['CANCELLED', 'PENDING'],
  );
});

test('a payment for an order that staff marked as paid is shown as already paid', async () => {
  const shop = await open();
  const order = await shop.order();
  await shop.setPayment(order.id, 'PAID');
  const statement = await shop.preview({ amount: '49.00', text: order.bankTransfer.reference });
  assert.deepEqual(shop.states(statement), ['ALREADY_PAID']);
});

test('a payment recorded from a CAMT file is a possible duplicate in a CSV file; identical payments in one file are not', async () => {
  const shop = await open();
  const order = await shop.order(4000);
  const { reference } = order.bankTransfer;
  const first = await shop.preview({ amount: '20.00', text: reference, ref: 'A1' });
  await shop.book(first.id, [{ id: first.entries[0].id }]);
  const again = await shop.upload(sparkasse([['17.11.2026', 'Ada Lovelace', reference, '20,00']]), {
    type: 'text/csv',
  });
  assert.deepEqual(shop.states(again.body), ['POSSIBLE_DUPLICATE']);
  const both = await shop.preview(
    { amount: '20.00', text: reference, ref: 'A1' },
    { amount: '20.00', text: reference, ref: 'A2' },
  );
  assert.deepEqual(shop.states(both), ['ALREADY_BOOKED', 'EXACT']);
});

test('a market accepts bank transfers only once an account with a valid IBAN is set', async () => {
  const shop = await openShop(h, { markets: [{ ...market, paymentMethods: [{ method: 'CASH' }] }] });
  const admin = await h.member(shop.businessId, 'ADMIN');
  const set = (configs: object) => h.call('PUT', shop.base, { token: admin.token, body: { configs } });
  const missing = await set({ markets: [market] });
  assert.deepEqual([missing.status, ...problems(missing)], [422, 'configs.markets[0].paymentMethods REQUIRED']);
  assert.match(missing.body.details[0]!.message, /IBAN/);
  const wrong = await set({ bankTransfer: { ...bankTransfer, iban: 'DE89370400440532013001' } });
  assert.deepEqual(problems(wrong), ['configs.bankTransfer.iban INVALID_IBAN']);
  const product = await shop.product({ currency: 'eur', market: 'de' });
  const buy = (more: object = {}) => shop.checkout(product, { market: 'de', paymentMethod: 'BANK_TRANSFER', ...more });
  assert.deepEqual(problems(await buy()), ['paymentMethod INVALID_VALUE']);
  const spaced = { ...bankTransfer, iban: 'de89 3704 0044 0532 0130 00' };
  const allowed = await set({ markets: [market], bankTransfer: spaced });
  assert.deepEqual(allowed.body.configs.bankTransfer, { ...bankTransfer, days: 14 });
  assert.equal((await shop.quote(product, { market: 'de', paymentMethod: 'BANK_TRANSFER' })).status, 200);
  assert.equal((await buy()).status, 200);
  const shown = await h.call('GET', shop.base, { token: shop.customer.token });
  assert.equal(shown.body.configs?.bankTransfer, undefined, 'only members see the account');
});

test('without a list of methods, a market does not accept bank transfers', async () => {
  const shop = await openShop(h, { markets: [{ id: 'de', currency: 'eur' }], bankTransfer });
  const product = await shop.product({ currency: 'eur', market: 'de' });
  const refused = await shop.checkout(product, { market: 'de', paymentMethod: 'BANK_TRANSFER' });
  assert.deepEqual(problems(refused), ['paymentMethod INVALID_VALUE']);
});

test('a statement shows the status of each payment and records nothing until staff record it', async () => {
  const shop = await open();
  const orders = [await shop.order(), await shop.order(), await shop.order(), await shop.order()];
  const [exact, partial, excess, foreign] = orders.map(({ bankTransfer }) => bankTransfer.reference) as string[];
  const statement = await shop.preview(
    { amount: '49.00', text: `danke ${exact!.toLowerCase().replace(/(.)/g, '$1 ')}` },
    { amount: '20.00', text: `Order ${partial}`, ref: 'P1' },
    { amount: '50.00', text: excess! },
    { amount: '49.00', text: 'Rent' },
    { amount: '49.00', text: foreign!, currency: 'CHF' },
    { amount: '98.00', text: `${exact} ${partial}` },
    { amount: '9.00', text: exact!, indicator: 'DBIT' },
  );
  assert.deepEqual(shop.states(statement), ['EXACT', 'PARTIAL', 'EXCESS', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
  assert.deepEqual([statement.skipped, statement.fileName, statement.iban], [1, 'november.xml', ACCOUNT]);
  assert.ok((await Promise.all(orders.map(({ id }) => shop.read(id)))).every(({ received }) => received === undefined));

  const [first, second, third, fourth] = statement.entries as Json[];
  const unknown = await shop.book(statement.id, [{ id: first!.id }, { id: fourth!.id }]);
  assert.deepEqual([unknown.status, ...problems(unknown)], [422, 'entries[1].orderId REQUIRED']);
  assert.equal((await shop.read(orders[0]!.id)).paid, 0, 'all or none');
  const booked = await shop.book(statement.id, [{ id: first!.id }, { id: second!.id }, { id: third!.id }]);
  assert.equal(booked.status, 200, JSON.stringify(booked.body));
  assert.deepEqual(shop.states(booked.body).slice(0, 3), Array(3).fill('ALREADY_BOOKED'));
  const [paid, waiting, surplus] = (await Promise.all(orders.map(({ id }) => shop.read(id)))) as Json[];
  assert.deepEqual(
    [paid.paid, paid.received, last(paid.statuses), last(paid.paymentStatus)],
    [4900, 4900, 'PROCESSING', 'PAID'],
  );
  assert.deepEqual([waiting.paid, waiting.received, last(waiting.paymentStatus)], [0, 2000, 'PENDING']);
  assert.equal(waiting.bankTransfer.amount, 2900);
  assert.deepEqual([surplus.paid, surplus.received, last(surplus.paymentStatus)], [4900, 5000, 'PAID']);
  const { amount, date, userId } = surplus.bankPayments[0];
  assert.deepEqual([amount, date, userId], [5000, '2026-11-17', shop.staff.userId]);
  const own = await h.call('GET', `${shop.base}/orders/${surplus.id}`, { token: shop.customer.token });
  assert.deepEqual([own.body.received, own.body.bankPayments], [5000, undefined]);

  const rest = await shop.preview(
    { amount: '29.00', text: partial! },
    { amount: '20.00', text: `Order ${partial}`, ref: 'P1' },
  );
  assert.deepEqual(shop.states(rest), ['EXACT', 'ALREADY_BOOKED']);
  await shop.book(rest.id, [{ id: rest.entries[0].id }, { id: rest.entries[1].id }]);
  assert.deepEqual([(await shop.read(waiting.id)).paid, (await shop.read(waiting.id)).received], [4900, 4900]);
  const over = await shop.refund(surplus.id, { amount: 5000 });
  assert.deepEqual([over.status, ...problems(over)], [422, 'amount OUT_OF_RANGE']);
});

test('a payment without a reference is recorded on the order that staff choose', async () => {
  const shop = await open();
  const order = await shop.order();
  const { id, entries } = await shop.preview({ amount: '49.00', text: 'for the mug' });
  const cash = await shop.product({ currency: 'eur', market: 'de' });
  const other = await h.call('POST', `${shop.base}/orders`, {
    token: shop.staff.token,
    body: {
      customerId: shop.customer.userId,
      market: 'de',
      lines: [{ productId: cash, variantId: 'main', quantity: 1 }],
    },
  });
  for (const [orderId, error] of [
    ['ord_none', 'NOT_FOUND'],
    [other.body.id, 'INVALID_VALUE'],
  ]) {
    assert.deepEqual(problems(await shop.book(id, [{ id: entries[0].id, orderId }])), [`entries[0].orderId ${error}`]);
  }
  const { body } = await shop.book(id, [{ id: entries[0].id, orderId: order.id }]);
  assert.equal(body.entries[0]?.order?.id, order.id);
  assert.equal(last((await shop.read(order.id)).paymentStatus), 'PAID');
});

test('20 parallel requests, from two uploads of the same file, record a payment once', async () => {
  const shop = await open();
  const order = await shop.order();
  const credit = { amount: '20.00', text: order.bankTransfer.reference, ref: 'X1' };
  const uploads = [await shop.preview(credit), await shop.preview(credit)];
  assert.equal(uploads[0]!.entries[0].id, uploads[1]!.entries[0].id);
  const responses = await Promise.all(
    times(20, (i) => shop.book(uploads[i % 2]!.id, [{ id: uploads[0]!.entries[0].id }])),
  );
  assert.ok(responses.every(({ status, body }) => status === 200 && shop.states(body)[0] === 'ALREADY_BOOKED'));
  const { received, bankPayments } = await shop.read(order.id);
  assert.deepEqual([received, bankPayments.length], [2000, 1]);
  const deleted = await h.call('DELETE', `${shop.statements}/${uploads[0]!.id}`, { token: shop.staff.token });
  assert.equal(deleted.status, 200);
  assert.deepEqual(shop.states(await shop.preview(credit)), ['ALREADY_BOOKED'], 'even after the statement was deleted');
});

test('a payment for an expired order deducts the stock again, and for a sold-out or canceled order is only recorded', async () => {
  const shop = await open();
  const [expired, soldOut] = [await shop.order(), await shop.order()];
  await expire(shop, 2);
  const canceled = await shop.order();
  await shop.setStatus(canceled.id, 'CANCELLED');
  await h.pool`update stock set quantity = 0 where business_id = ${shop.businessId} and product_id = ${soldOut.product}`;
  const orders = [expired, soldOut, canceled];
  const { id, entries } = await shop.preview(
    ...orders.map(({ bankTransfer }) => ({ amount: '49.00', text: bankTransfer.reference })),
  );
  const { status } = await shop.book(
    id,
    entries.map(({ id }: Json) => ({ id })),
  );
  assert.equal(status, 200);
  const after = await Promise.all(orders.map((order) => shop.read(order.id)));
  assert.deepEqual(
    after.map(({ statuses, paid, received }) => [last(statuses), paid, received]),
    [
      ['PROCESSING', 4900, 4900],
      ['CANCELLED', 0, 4900],
      ['CANCELLED', 0, 4900],
    ],
  );
  assert.deepEqual([await shop.stock(expired.product), await shop.stock(canceled.product)], [9, 10]);
});

test('a failure between recording a payment and changing its order leaves neither', {
  skip: skipTriggers,
}, async () => {
  const shop = await open();
  const order = await shop.order();
  const { id, entries } = await shop.preview({ amount: '49.00', text: order.bankTransfer.reference });
  await h.pool.text(`
    create function fail_update() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger fail before update on orders for each row when (new.id = '${order.id}') execute function fail_update()`);
  assert.equal((await shop.book(id, [{ id: entries[0].id }])).status, 500);
  await h.pool.text('drop trigger fail on orders; drop function fail_update()');
  const none = await h.pool`select from bank_bookings where business_id = ${shop.businessId}`;
  assert.deepEqual([none.length, (await shop.read(order.id)).received], [0, undefined]);
  assert.equal((await shop.book(id, [{ id: entries[0].id }])).status, 200);
  assert.equal((await shop.read(order.id)).paid, 4900);
});

test('statements are visible to staff of their business only', async () => {
  const [shop, other] = [await open(), await open()];
  const order = await shop.order();
  const { id, entries } = await shop.preview({ amount: '49.00', text: order.bankTransfer.reference });
  const reader = await h.member(shop.businessId, 'ORDER_READ');
  assert.equal((await h.call('GET', `${shop.statements}/${id}`, { token: reader.token })).status, 200);
  assert.equal((await shop.book(id, [{ id: entries[0].id }], reader.token)).status, 403);
  assert.equal((await h.call('GET', shop.statements, { token: shop.customer.token })).status, 403);
  assert.equal((await h.call('GET', `${shop.statements}/${id}`, { token: other.staff.token })).status, 403);
  assert.equal((await h.call('GET', `${other.statements}/${id}`, { token: other.staff.token })).status, 404);
  assert.equal((await other.book(id, [{ id: entries[0].id }])).status, 404);
  assert.equal((await h.call('DELETE', `${other.statements}/${id}`, { token: other.staff.token })).status, 404);
  const foreign = await other.preview({ amount: '49.00', text: order.bankTransfer.reference });
  assert.equal(foreign.entries[0].order?.id === order.id, false);
  const listed = await h.call('GET', shop.statements, { token: shop.staff.token });
  assert.deepEqual(
    listed.body.items.map(({ id, count, booked }: Json) => [id, count, booked]),
    [[id, 1, 0]],
  );
});

test('files that are broken, too large or of another type are rejected', async () => {
  const shop = await open();
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><Document>&b;</Document>';
  for (const file of ['', '<Document>', bomb, 'PK\u0003\u0004'])
    assert.equal((await shop.upload(file)).status, 422, file);
  assert.equal((await shop.upload(Buffer.alloc(2 * 1_048_576 + 1, 'a'))).status, 413);
  assert.equal((await shop.upload('{}', { type: 'application/json' })).status, 422);
  assert.equal((await shop.upload('x', { type: 'image/png' })).status, 415);
});

test('erasure removes payers from statements, and statements are deleted after 90 days', async () => {
  const shop = await open();
  const customer = await h.user();
  const order = await shop.order(4900, { token: customer.token });
  const iban = 'GB82WEST12345698765432';
  const { id } = await shop.preview(
    { amount: '49.00', text: order.bankTransfer.reference, name: 'Erase Me', iban },
    { amount: '1.00', text: 'Erase Me again', name: 'Erase Me', iban },
    { amount: '2.00', text: 'Rent', name: 'Someone Else' },
  );
  const admin = await h.member(shop.businessId, 'ADMIN');
  const erased = await h.call('DELETE', `${shop.base}/customers/${order.customerId}/personal-data`, {
    token: admin.token,
  });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  await h.drain();
  const { body } = await h.call('GET', `${shop.statements}/${id}`, { token: shop.staff.token });
  assert.deepEqual(
    body.entries.map(({ name, iban, text }: Json) => [name, iban === null, text]),
    [
      [null, true, null],
      [null, true, null],
      ['Someone Else', false, 'Rent'],
    ],
  );
  await h.pool`update bank_statements set created_at = created_at - ${91 * 86_400} where id = ${id}`;
  await h.service.contexts.system().transaction((ctx) => ctx.enqueue('bank-statements-upkeep', {}));
  await h.drain('bank-statements-upkeep');
  assert.equal((await h.call('GET', `${shop.statements}/${id}`, { token: shop.staff.token })).status, 404);
});
