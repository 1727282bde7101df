/** Every page that emails link to, in every state that it has strings for, as a browser set to German shows it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import type { AccountServices } from '../../src/domains/accounts/index.ts';
import type { CartServices } from '../../src/domains/carts/index.ts';
import type { NewsletterServices } from '../../src/domains/newsletters/index.ts';
import { de } from '../../src/pages/texts/de.ts';
import { en } from '../../src/pages/texts/en.ts';
import { textsIn } from '../../src/shared/mail/languages.ts';
import { GOOD_PASSWORD, mailedToken, newEmail, registered } from '../accounts/people.ts';
import { type Json, startHarness } from '../harness.ts';
import { confirmLink, makeNewsletter, ok } from '../newsletters/fixture.ts';
import { openReturnShop } from '../orders/returns/shop.ts';
import { openShop, passTime } from '../orders/shop.ts';

const h = await startHarness({ CHECKOUT_TTL: '300', LIMIT_MESSAGES: '1000' });
/** To write links as the service does. */
const { accounts, carts, newsletters } = h.service.contexts.system() as Steps<
  AccountServices & CartServices & NewsletterServices
>;

type Visit = { name: string; body: string; path: string };
const visits: Visit[] = [];

/** Opens a page, or submits a form if `values` are given. */
async function visit(name: string, url: string, status: number, values?: Record<string, string>): Promise<string> {
  const path = url.replace(h.url, '');
  const response = await fetch(h.url + path, {
    ...(values && { method: 'POST', body: new URLSearchParams(values) }),
    headers: { accept: 'text/html', 'accept-language': 'fr-FR,de-DE;q=0.9,en;q=0.8' },
    redirect: 'manual',
  });
  const body = await response.text();
  assert.equal(response.status, status, `${name}: ${body}`);
  visits.push({ name, body, path });
  return body;
}

async function visitAccount(): Promise<void> {
  const email = newEmail();
  await h.call('POST', '/v1/users/register', { body: { email, password: GOOD_PASSWORD } });
  const token = await mailedToken(h, email);
  await visit('confirm', `/confirm?token=${token}`, 200);
  await visit('confirm, done', '/confirm', 200, { token });
  await visit('confirm, wrong link', '/confirm', 422, { token: 'x' });
  await h.call('POST', '/v1/users/forgot-password', { body: { email } });
  const reset = await mailedToken(h, email);
  await visit('reset', `/reset-password?token=${reset}`, 200);
  await visit('reset, weak', '/reset-password', 422, { token: reset, password: 'password1' });
  await visit('reset, done', '/reset-password', 200, { token: reset, password: 'quite-another-5' });
  await visit('reset, used', '/reset-password', 422, { token: reset, password: 'quite-another-6' });
}

async function visitSetup(): Promise<void> {
  const link = accounts.mailTokens.issue({
    kind: 'first-account',
    userId: '',
    stamp: '',
    expiresAt: h.clock.seconds() + 60,
  });
  await visit('setup', `/setup?token=${link}`, 200);
  const values = { token: link, businessName: 'Laden', email: 'chef@example.com', password: 'a' };
  await visit('setup, weak', '/setup', 422, values);
  await visit('setup, no name', '/setup', 422, { ...values, businessName: ' ', email: 'x' });
  await visit('setup, done', '/setup', 200, { ...values, password: GOOD_PASSWORD });
  await visit('setup, used', '/setup', 422, { ...values, password: GOOD_PASSWORD });
}

async function visitInvitation(): Promise<void> {
  const businessId = await h.business();
  const admin = await h.member(businessId, 'ADMIN');
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businessId}`, { token: admin.token });
  const invite = async (email: string) => {
    const body = { email, roleIds: [roles.items[0]!.id] };
    await ok(h.call('POST', `/v1/businesses/${businessId}/invitation`, { token: admin.token, body }));
    const mail = (await h.mailbox()).find(({ to }) => to === email) as Json;
    return /invitation\?token=(\S+)/.exec(mail.text)![1]!;
  };
  const token = await invite(newEmail());
  await visit('invitation', `/invitation?token=${token}`, 200);
  await visit('invitation, weak', '/invitation', 422, { token, action: 'accept', password: 'a' });
  await visit('invitation, joined', '/invitation', 200, { token, action: 'accept', password: GOOD_PASSWORD });
  await visit('invitation, used', `/invitation?token=${token}`, 404);
  const known = await invite((await registered(h)).email);
  await visit('invitation, known', `/invitation?token=${known}`, 200);
  await visit('invitation, wrong', '/invitation', 422, { token: known, action: 'accept', password: 'wrong-one-1' });
  await visit('invitation, password', '/invitation', 200, { token: known, action: 'forgot' });
  await visit('invitation, declined', '/invitation', 200, { token: known, action: 'decline' });
  await visit('invitation, unknown action', '/invitation', 422, { token: known, action: 'steal' });
}

async function visitNewsletter(): Promise<void> {
  const settings = { doubleOptIn: true, referrals: true };
  const { base, businessId, collectionId, token, subscribe, subscribers } = await makeNewsletter(h, { settings });
  await visit('no confirmation', '/confirm-subscription/x', 422);
  await ok(subscribe('ada@example.com'));
  const confirm = await confirmLink(h, 'ada@example.com');
  await visit('confirm subscription', confirm, 200);
  await visit('subscribed', confirm, 200, {});
  await visit('subscribed before', confirm, 200);
  await ok(subscribe('dan@example.com', { planId: 'club' }));
  const paid = await confirmLink(h, 'dan@example.com');
  await visit('pay to confirm', paid, 200);
  await visit('payment not received', `${paid}?paid=true`, 200);

  const form = await ok(h.call('POST', `${base}/forms`, { token, body: { collectionId, name: 'Footer' } }));
  await visit('form', `/f/${businessId}/${form.id}`, 200);
  await visit('form, sent', `/v1/forms/${businessId}/${form.id}`, 200, { email: 'bob@example.com' });
  await visit('form, invalid', `/v1/forms/${businessId}/${form.id}`, 422, { email: 'bob' });
  await visit('no form', `/f/${businessId}/form_01H00000000000000000000000`, 404);
  const [{ id }] = (await subscribers('?email=ada@example.com')) as [Json];
  const { referralTokens, tokens } = newsletters;
  const referral = referralTokens.url('', businessId, id);
  await visit('referral', referral, 200);
  await visit('referral, sent', referral, 200, { email: 'cat@example.com' });

  const url = tokens.url('', businessId, id);
  await visit('unsubscribe', url, 200);
  await visit('tracking off', url, 200, { action: 'do-not-track' });
  await visit('unsubscribe, untracked', url, 200);
  await visit('tracking on', url, 200, { action: 'track' });
  await visit('nothing to cancel', url, 200, { action: 'cancel' });
  await visit('unsubscribed', url, 200, {});
  await visit('unsubscribe, example', '/unsubscribe/example', 200);
  await visit('unsubscribe, invalid', '/unsubscribe/x', 422);
  await visit('no link', '/v1/mail/c/x/0', 404);
  await visit('no issue', '/newsletter/x', 404);
  await ok(subscribe('eve@example.com'));
  const late = await confirmLink(h, 'eve@example.com');
  await passTime(h, 8 * 86_400);
  await visit('confirmation expired', late, 422);
}

async function visitPlan(): Promise<void> {
  const { base, businessId, collectionId, token, guest } = await makeNewsletter(h);
  const response = await h.call('POST', `${base}/collections/${collectionId}/subscribe`, {
    token: guest.token,
    headers: { 'accept-language': 'de' },
    body: { email: 'paul@example.com', planId: 'club' },
  });
  const { checkoutUrl } = response.body as Json;
  await visit('payment of a plan', checkoutUrl, 200);
  await visit('plan paid', checkoutUrl, 200, { action: 'pay' });
  await h.drain('agreement-sync');
  const { body: found } = await h.call('GET', `${base}/collections/${collectionId}/subscribers`, { token });
  const { id } = found.items[0]!;
  const row = { businessId, id };
  const page = newsletters.planTokens.url('', row, h.clock.seconds());
  const url = newsletters.tokens.url('', businessId, id);
  const paidUntil = /name="paidUntil" value="(\d+)"/.exec(await visit('plan', page, 200))![1]!;
  await visit('unsubscribe, paid', url, 200);
  await visit('unsubscribe, plan link', url, 200, { action: 'manage' });
  await visit('plan past due', page, 200, { action: 'fail', paidUntil });
  await visit('unsubscribe, canceled', url, 200, { action: 'cancel' });
  await visit('unsubscribe, paid and canceled', url, 200);
  await visit('plan canceled', page, 200);
  await visit('plan, unknown action', page, 422, { action: 'steal' });
  await visit('plan, unsubscribed', url, 200, {});
  await visit('plan after', page, 200);
  await visit('plan ended', page, 200, { action: 'end', paidUntil });
  await visit('no plan', '/plan/x', 404);
}

async function visitOrder(): Promise<void> {
  const shop = await openReturnShop(h, { shippingMethods: [{ id: 'std', prices: [{ market: 'us', amount: 500 }] }] });
  const product = await shop.product({ name: 'Tasse', price: 1250 });
  const german = { shippingMethodId: 'std', locale: 'de-DE' };
  const { checkoutUrl } = (await shop.checkout(product, { ...german, quantity: 2 })).body as Json;
  await visit('payment', checkoutUrl, 200);
  await visit('payment declined', checkoutUrl, 200, { action: 'decline' });
  await visit('paid', checkoutUrl, 200, { action: 'pay' });
  const late = (await shop.checkout(product, german)).body as Json;
  await passTime(h, 310);
  await visit('payment expired', late.checkoutUrl, 410);
  await visit('no payment', '/pay/x', 404);

  await shop.sold(product, 3, 3, { ...german, email: 'otto@example.com' });
  await h.drain('order-tasks');
  const mail = (await h.mailbox()).find(({ to }) => to === 'otto@example.com') as Json;
  const link = /\S+\/order\/\S+/.exec(mail.text)![0];
  await visit('order', link, 200);
  const line = /name="(quantity\.[^"]+)"/.exec(await visit('return', `${link}/return`, 200))![1]!;
  await visit('nothing to return', `${link}/return`, 422, {});
  await visit('return requested', `${link}/return`, 200, { [line]: '1' });
  await visit('withdraw', `${link}/withdraw`, 200);
  await visit('withdraw, no name', `${link}/withdraw`, 422, { [line]: '1', name: '' });
  await visit('withdraw, review', `${link}/withdraw`, 200, { [line]: '1', name: 'Ada' });
  await visit('withdrawn', `${link}/withdraw`, 200, { [line]: '1', name: 'Ada', step: 'confirm' });
  await visit('order with returns', link, 200);
  await visit('no order', '/order/x', 404);
}

async function visitCartReminders(): Promise<void> {
  const url = carts.links.optOutUrl('', await h.business(), 'ada@example.com');
  await visit('cart reminders', url, 200);
  await visit('cart reminders stopped', url, 200, {});
  await visit('cart reminders, example', '/cart-reminders/example', 200);
  await visit('cart reminders, invalid', '/cart-reminders/x', 404);
}

/** All strings of a catalog, split at the values of its functions. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    const parts = value.length === 1 ? [['§']] : ['§', '§', '§'];
    return textsOf(String(value(...parts))).flatMap((text) => text.split('§').map((part) => part.trim()));
  }
  return Object.values(value as object).flatMap(textsOf);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const asWords = (text: string) => new RegExp(`(?<![\\p{L}\\p{N}-])${escaped(text)}(?![\\p{L}\\p{N}-])`, 'u');

/** The text that a page shows and that screen readers announce, one per line. */
const shownOn = (body: string) =>
  body
    .replace(/<head>.*<title>(.*)<\/title>.*<\/head>/s, '$1')
    .replaceAll(/ (?:aria-label|alt|placeholder)="([^"]*)"[^>]*>/g, '>$1<')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

test('every page that emails link to is in German for a German reader, in all its states', async () => {
  await visitSetup();
  await visitAccount();
  await visitInvitation();
  await visitNewsletter();
  await visitPlan();
  await visitOrder();
  await visitCartReminders();
  await visit('no page', '/nowhere', 404);

  const german = [...textsOf(de), ...textsOf(textsIn('de').order)].join('\n');
  const english = [...textsOf(en), ...textsOf(textsIn('en').order), ...textsOf(textsIn('en').newsletter.consent)]
    .filter((text) => /\p{L}{3}/u.test(text) && !asWords(text).test(german))
    .map((text) => ({ text, pattern: asWords(text) }));
  for (const { name, body } of visits) {
    assert.match(body, /<html lang="de">/, name);
    const shown = shownOn(body);
    assert.deepEqual(
      english.filter(({ pattern }) => pattern.test(shown)).map(({ text }) => text),
      [],
      `${name}: ${shown.replaceAll(/\s+/g, ' ')}`,
    );
  }

  const all = visits.map(({ body }) => shownOn(body)).join('\n');
  const unseen = Object.entries(de).filter(([, texts]) => !textsOf(texts).some((text) => asWords(text).test(all)));
  assert.deepEqual(
    unseen.map(([section]) => section),
    [],
    'every section was shown',
  );
});

test('every public page route is visited, except those for developers and the shop', () => {
  const others =
    /^\/(v1|admin|dev|reference|s|_site|shop|pages|assets|media|scim|login-code|healthz|readyz|metrics)\b|^\/$|\*|\.(json|png|xml|txt)$|\/(pdf|xml)$/;
  const routes = h.service.app.routeList.filter(({ method, url }) => method === 'GET' && !others.test(url));
  const missing = routes.filter(({ url }) => {
    const pattern = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`);
    return !visits.some(({ path }) => pattern.test(path));
  });
  assert.deepEqual(
    missing.map(({ url }) => url),
    [],
  );
});

test("a page is in its record's language, or else the browser's, or else the business's", async () => {
  const shop = await openShop(h, { email: { locale: 'de' } });
  const langOf = async (url: string, accepted: string) => {
    const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': accepted } });
    return /<html lang="(\w+)">/.exec(await response.text())?.[1];
  };
  const { body: paid } = await shop.checkout(await shop.product(), { locale: 'en-GB' });
  assert.equal(await langOf((paid as Json).checkoutUrl, 'de'), 'en');
  const url = carts.links.optOutUrl(h.url, shop.businessId, 'ada@example.com');
  assert.equal(await langOf(url, 'en-US,de;q=0.5'), 'en');
  assert.equal(await langOf(url, 'fr'), 'de');
  assert.equal(await langOf(`${h.url}/nowhere`, 'fr'), 'en');
});
