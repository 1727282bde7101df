import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../../harness.ts';
import { openReturnShop } from './shop.ts';

const h = await shareHarness();
const shop = await openReturnShop(h, { profile: { timeZone: 'Europe/Berlin' } });

/** A guest order and the link in its email. */
async function orderOfGuest(email: string, shipped = 2, more: object = {}) {
  const guest = await h.guest();
  const order = await shop.sold(await shop.product({ name: 'Blue mug' }), 2, shipped, {
    token: guest.token,
    email,
    name: 'Grace Guest',
    ...more,
  });
  await h.drain('order-tasks');
  const mail = (await h.mailbox()).find(({ to }) => to === email) as Json;
  const [link] = mail.text.match(/\S+\/order\/\S+/)!;
  return { ...order, link: link as string };
}

const get = async (url: string) => (await fetch(url, { headers: { accept: 'text/html' } })).text();

async function post(url: string, fields: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: response.status, text: await response.text() };
}

/** The fields of the form on a page, as a browser without JavaScript sends them. */
function fieldsOf(page: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of page.matchAll(/<input[^>]*>/g)) {
    const [, name] = /name="([^"]*)"/.exec(tag) ?? [];
    if (name) fields[name] = /value="([^"]*)"/.exec(tag)?.[1] ?? '';
  }
  return fields;
}

test('a guest withdraws from the contract in two steps, without a login or JavaScript', async () => {
  const { id, lineId, link } = await orderOfGuest('withdraw@example.com');
  assert.match(await get(link), /Withdraw from contract here/);
  const form = await get(`${link}/withdraw`);
  assert.ok(!form.includes('<script'));
  const first = fieldsOf(form);
  assert.equal(first[`quantity.${lineId}`], '2', 'by default, everything');
  const review = await post(`${link}/withdraw`, { ...first, [`quantity.${lineId}`]: '1', name: 'Grace Guest' });
  assert.match(review.text, /Confirm withdrawal/);
  assert.equal((await shop.returns(`?orderId=${id}`)).length, 0, 'the first step stores nothing');
  const second = fieldsOf(review.text);
  const done = await post(`${link}/withdraw`, second);
  assert.match(done.text, /We received your withdrawal on \w+ \d+, \d{4} at [\d:]+ [AP]M GMT\+[12]/);
  const again = await post(`${link}/withdraw`, second);
  assert.match(again.text, /We received your withdrawal/);
  const returns = await shop.returns(`?orderId=${id}`);
  assert.deepEqual(
    returns.map(({ type, status, name, rejectable, lines }) => [type, status, name, rejectable, lines[0]!.quantity]),
    [['WITHDRAWAL', 'REQUESTED', 'Grace Guest', false, 1]],
  );
  await h.drain('order-tasks');
  const mails = (await h.mailbox()).filter(({ to }) => to === 'withdraw@example.com') as Json[];
  const mail = mails.find(({ subject }) => /Withdrawal received/.test(subject))!;
  assert.match(
    mail.text,
    /Items:\n {2}1 × Blue mug.*\n\nWithdrawal received:\n {2}\w+ \d+, \d{4} at [\d:]+ [AP]M GMT\+[12]\n/,
  );
});

test('the order page and the withdrawal are in the language of the order', async () => {
  const { link } = await orderOfGuest('widerruf@example.com', 0, { locale: 'de-DE' });
  const page = await get(link);
  for (const text of ['<html lang="de">', 'Bestellung #', 'Zwischensumme', 'Bezahlt', 'Vertrag hier widerrufen'])
    assert.ok(page.includes(text), text);
  const review = await post(`${link}/withdraw`, { ...fieldsOf(await get(`${link}/withdraw`)), name: 'Grace' });
  assert.match(review.text, /Widerruf bestätigen/);
});

test('a rejected request and an invalid link are explained in the customer’s language', async () => {
  const { link, lineId } = await orderOfGuest('zurueck@example.com', 2, { locale: 'de-DE' });
  const refused = await post(`${link}/return`, { [`quantity.${lineId}`]: '3' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Einige dieser Artikel können nicht mehr zurückgegeben werden/);
  const response = await fetch(`${link}x`, { headers: { accept: 'text/html', 'accept-language': 'de-AT,en;q=0.5' } });
  assert.equal(response.status, 404);
  assert.match(await response.text(), /<html lang="de">[\s\S]*Dieser Link ist ungültig/);
});

test('the return form preselects the item of an order with a single item, and otherwise none', async () => {
  const several = await orderOfGuest('several@example.com');
  const fieldOf = async ({ link, lineId }: { link: string; lineId: string }) =>
    fieldsOf(await get(`${link}/return`))[`quantity.${lineId}`];
  assert.equal(await fieldOf(several), '0');
  const single = await orderOfGuest('single@example.com', 1, { quantity: 1 });
  assert.equal(await fieldOf(single), '1');
  assert.match(
    (await post(`${single.link}/return`, fieldsOf(await get(`${single.link}/return`)))).text,
    /Return requested/,
  );
});

test('a guest requests a return on the order page', async () => {
  const { id, lineId, link } = await orderOfGuest('sendback@example.com');
  const fields = fieldsOf(await get(`${link}/return`));
  assert.equal((await post(`${link}/return`, fields)).status, 422, 'nothing chosen');
  const chosen = { ...fields, [`quantity.${lineId}`]: '2', [`reason.${lineId}`]: 'Too blue', type: 'EXCHANGE' };
  assert.match((await post(`${link}/return`, chosen)).text, /Return requested/);
  const [row] = await shop.returns(`?orderId=${id}`);
  assert.deepEqual([row!.type, row!.lines[0]!.reason, row!.lines[0]!.quantity], ['EXCHANGE', 'Too blue', 2]);
  const page = await get(link);
  assert.match(page, /Exchange · Requested/);
  assert.ok(!page.includes('Return or exchange items'), 'nothing is left to return');
});

test('an order link can return only items of its own order', async () => {
  const mine = await orderOfGuest('mine@example.com');
  const other = await orderOfGuest('theirs@example.com');
  const fields = { ...fieldsOf(await get(`${mine.link}/withdraw`)), name: 'Eve', step: 'confirm' };
  const forged = mine.link.replace(mine.id, other.id);
  assert.equal((await post(`${forged}/withdraw`, fields)).status, 404);
  assert.equal((await fetch(`${forged}/return`, { headers: { accept: 'text/html' } })).status, 404);
  const foreign = { ...fields, request: 'ret_x', [`quantity.${mine.lineId}`]: '0', 'quantity.line_9': '1' };
  assert.equal((await post(`${mine.link}/withdraw`, foreign)).status, 422, 'a line of another order');
  const more = { ...fields, [`quantity.${mine.lineId}`]: '3' };
  assert.equal((await post(`${mine.link}/withdraw`, more)).status, 422, 'more than was sold');
  for (const { id } of [mine, other]) assert.deepEqual(await shop.returns(`?orderId=${id}`), []);
});

test('returns are rate limited per IP address', async () => {
  const { lineId, link } = await orderOfGuest('limit@example.com');
  const form = { step: 'confirm', name: 'Bot', [`quantity.${lineId}`]: '3' };
  const own = link.replace(h.url, (await h.startNode()).url);
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) statuses.push((await post(`${own}/withdraw`, form)).status);
  assert.equal(statuses.at(-1), 429);
});
