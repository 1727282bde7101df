/** Calls every route that writes. A new route that emits no event fails here, unless it is listed with a reason. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { codeAt, stepAt } from '../../src/domains/accounts/factors/totp.ts';
import { createAuthenticator } from '../accounts/factors/authenticator.ts';
import { fresh, ORIGIN, passkeyRequest } from '../accounts/factors/steps.ts';
import { GOOD_PASSWORD, mailedToken, newEmail, registered, smsCode } from '../accounts/people.ts';
import { listPricesWithoutHistory } from '../catalog/prices.ts';
import { createWorld } from '../contract/world.ts';
import { type Json, shareHarness, type TestUser } from '../harness.ts';
import { press } from '../orders/shop.ts';

const h = await shareHarness();
const B = '/v1/businesses/:businessId';

/** Routes that emit no event, with the reason. */
const SILENT: Record<string, string> = {
  [`POST ${B}/webhooks/test`]: 'only sends a test event',
  [`POST ${B}/webhooks/:id/test`]: 'only sends a test event',
  [`POST ${B}/webhooks/:id/replay`]: 'sends existing events again',
  [`POST ${B}/webhooks/:id/deliveries/:deliveryId/retry`]: 'sends existing events again',
  'POST /v1/payments/quote': 'a quote is not a record',
  'POST /v1/payments/shipping-options': 'read-only',
  [`POST ${B}/tax-preview`]: 'read-only',
  [`POST ${B}/segments/count`]: 'read-only',
  'POST /r/:token': 'an HTML form that emits subscription.created: see referrals.test.ts',
  'POST /v1/forms/:businessId/:formId': 'an HTML form that emits subscription.created: see forms.test.ts',
  [`POST ${B}/collections/:id/validate`]: 'read-only',
  [`POST ${B}/collections/blocks/generate`]: 'generates values without storing them',
  [`POST ${B}/entries/:entryId/test`]: 'only sends a test email',
  [`POST ${B}/entries/:entryId/preview`]: 'read-only',
  [`POST ${B}/mail-templates/:kind/preview`]: 'read-only',
  [`POST ${B}/storefront/preview`]: 'read-only',
  [`POST ${B}/sender/check`]: 'covered by test/businesses/mails/senders.test.ts, because it needs DNS records',
  [`POST ${B}/storefront/hosts/:host/check`]: 'covered by test/site/hosts.test.ts, because it needs a DNS record',
  'POST /s/:slug': 'HTML forms of a storefront, which call the API',
  'POST /s/:slug/*': 'HTML forms of a storefront, which call the API',
  'POST /_site': 'HTML forms of a storefront, which call the API',
  'POST /_site/*': 'HTML forms of a storefront, which call the API',
  [`POST ${B}/entries/:id/preview-link`]: 'read-only',
  [`POST ${B}/products/:id/preview-link`]: 'read-only',
  'POST /admin/session': 'same as POST /v1/users/login, with a cookie',
  'POST /admin/session/code': 'same as POST /v1/users/login/code, with a cookie',
  [`POST ${B}/sso/verify-domains`]: 'emits sso.updated if it finds a DNS record: see sso.test.ts',
  ...Object.fromEntries(
    ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      ['Users', 'Groups'].map((kind) => [
        `${method} /scim/v2/:businessId/${kind}${method === 'POST' ? '' : '/:id'}`,
        'has its own tokens and statuses: see scim.test.ts',
      ]),
    ),
  ),
  'POST /admin/session/refresh': 'the session stays the same',
  'DELETE /admin/session': 'same as POST /v1/users/logout, with a cookie',
  'POST /admin/session/second-factor': 'same as POST /v1/users/login/second-factor, with a cookie',
  'POST /admin/session/passkey': 'same as POST /v1/users/login/passkey, with a cookie',
  'POST /v1/users/login/passkey/options': 'read-only',
  'POST /v1/users/me/passkeys/options': 'read-only',
  'POST /v1/users/me/step-up/options': 'read-only',
  'POST /v1/users/me/totp': 'the app counts once its first code is confirmed',
  'POST /v1/users/forgot-password': 'only sends an email: the account changes when its link is used',
  'POST /v1/users/phone-number': 'only sends a text message: the account changes when its code is used',
  'POST /v1/users/refresh': 'the session stays the same',
  'POST /v1/users/refresh-access-token': 'the session stays the same',
  'POST /invitation': 'HTML form for PUT …/invitation',
  'POST /confirm': 'HTML form for PUT /v1/users/confirm',
  'POST /reset-password': 'HTML form for POST /v1/users/reset-forgot-password',
  'POST /setup': 'HTML form for POST /v1/businesses, for a new user',
  'POST /unsubscribe/:token': 'HTML form for POST …/unsubscribe',
  'POST /confirm-subscription/:token': 'HTML form for POST …/confirm',
  [`POST ${B}/media/uploads`]: 'the upload is not complete',
  [`PUT ${B}/media/uploads/:id/parts/:number`]: 'the upload is not complete',
  [`POST ${B}/media/uploads/:id/complete`]: 'the job that checks the file emits the event',
  [`DELETE ${B}/media/uploads/:id`]: 'the upload was never completed',
  'POST /order/:token/return': 'HTML form for POST …/orders/{id}/returns',
  'POST /order/:token/withdraw': 'HTML form for POST …/orders/{id}/returns',
  'POST /pay/:token': 'covered by a separate test',
  'POST /order/:token/pay': 'only opens a payment: paying it emits the events',
  'POST /cart-reminders/:token': 'stores only a hash of the mailbox',
  'POST /plan/:token': 'HTML form for PUT …/subscribers/{id}; simulated payments emit the same events as real ones',
  [`POST ${B}/collections/:id/subscribers/:subscriberId/portal`]: 'only returns a URL',
  'POST /v1/mail/events/:provider/:businessId': 'covered by a separate test with another provider',
  [`POST ${B}/entries/:id/site-preview`]: 'only renders a page',
  [`POST ${B}/products/:id/site-preview`]: 'only renders a page',
  'POST /v1/payments/webhooks/stripe/:businessId': 'covered by a separate test with another provider',
};

type EmittedEvent = { type: string; entity: string; actor: Json; data: Json; changes: Json };

/** The events of a request. Numbers pending events first, because a cluster reads the outbox and the events at different times. */
async function eventsOf(requestId: string): Promise<EmittedEvent[]> {
  const waiting = await h.pool<{ businessId: string }[]>`
    select distinct business_id from event_outbox where actor ->> 'requestId' = ${requestId}`;
  for (const { businessId } of waiting) await h.numberEvents(businessId);
  return h.pool<EmittedEvent[]>`
    select type, entity, actor, data, changes from events where actor ->> 'requestId' = ${requestId}
    union all select type, user_id, actor, data, null from account_events where actor ->> 'requestId' = ${requestId}`;
}

/** The events of the business, in order. */
async function feed(businessId: string, entity?: string): Promise<EmittedEvent[]> {
  await h.numberEvents(businessId);
  return h.pool<EmittedEvent[]>`
    select type, entity, actor, data, changes from events
    where business_id = ${businessId} and (${entity ?? null}::text is null or entity = ${entity ?? null}) order by position`;
}

async function shop() {
  const world = await createWorld(h);
  const ids = world.inPaths;
  const token = world.callers.admin!.authorization!.slice('Bearer '.length);
  return { ids, token, businessId: ids.businesses!, base: `/v1/businesses/${ids.businesses}` as const };
}

test('every route that writes emits an event in its transaction, unless it is listed as silent', async () => {
  const { ids, token, businessId, base } = await shop();
  const guest = await h.guest();
  const reached = new Set<string>();

  async function writes(
    name: string,
    body?: object,
    as: string | undefined = token,
    more: Record<string, string> = {},
  ) {
    const [method, url] = name.split(' ') as [string, string];
    const path = url.replaceAll(
      /([^/]+)\/:\w+/g,
      (_, segment: string) => `${segment}/${more[segment] ?? ids[segment]}`,
    );
    const response = await h.call(method, path, { token: as, body, headers: as ? fresh(h, as) : {} });
    assert.equal(response.status, 200, `${name}: ${JSON.stringify(response.body)}`);
    const events = await eventsOf(response.headers.get('x-request-id')!);
    assert.ok(events.length > 0, `${name} emits nothing`);
    reached.add(name);
    return { body: response.body, types: events.map(({ type }) => type).sort() };
  }
  const type = async (name: string, types: string[], ...rest: [object?, string?, Record<string, string>?]) =>
    assert.deepEqual((await writes(name, ...rest)).types, [...types].sort(), name);

  /** A file is not JSON, so it is sent without the client of the tests. */
  async function upload(body: string): Promise<Json> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
    const response = await fetch(`${h.url}${base}/bank-statements`, { method: 'POST', headers, body });
    assert.equal(response.status, 200);
    const events = await eventsOf(response.headers.get('x-request-id')!);
    assert.deepEqual(
      events.map((event) => event.type),
      ['bank_statement.created'],
    );
    reached.add(`POST ${B}/bank-statements`);
    return response.json() as Promise<Json>;
  }

  const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 100 }] };
  const variants = [{ id: 'one', name: 'One', pricing, inventory: { tracked: true, quantity: 9 } }];
  await type(`POST ${B}/products`, ['product.created'], { name: 'Cup', variants });
  await type(`PUT ${B}/products/:id`, ['product.updated'], { name: 'Mugs' });
  await type(`POST ${B}/products/:id/variants/:variantId/inventory`, ['product.updated'], { adjust: -1 });
  const variant = { productId: ids.products, variantId: 'one' };
  await type(`POST ${B}/inventory`, ['product.updated'], { items: [{ ...variant, adjust: -1 }] });
  const prices = [{ marketId: 'us', currency: 'usd', price: 101 }];
  await type(`PUT ${B}/prices`, ['product.updated'], { items: [{ ...variant, prices }] });

  const lines = [{ type: 'PRODUCT_VARIANT', productId: ids.products, variantId: 'one', quantity: 1 }];
  await type(`POST ${B}/orders`, ['order.created'], { customerId: guest.userId, market: 'us', lines });
  const cart = { market: 'us', paymentMethod: 'CREDIT_CARD', items: lines };
  await type(`POST ${B}/orders/checkout`, ['customer.created', 'order.created'], cart, guest.token);
  const title = [{ id: 'title', type: 'TEXT', value: 'Wrap it' }];
  await type(`PUT ${B}/orders/update`, ['order.updated'], { id: ids.orders, blocks: title });
  await type(`PUT ${B}/orders/status`, ['order.status_changed'], {
    items: [{ orderId: ids.orders, status: 'PENDING' }],
  });
  await type(`PUT ${B}/orders/tags`, ['order.updated'], { items: [{ orderId: ids.orders, add: ['gift'] }] });
  const notes = `${B}/orders/:id/notes`;
  const note = await writes(`POST ${notes}`, { text: 'Call first' });
  const noted = { notes: note.body.id };
  await type(`PUT ${notes}/:noteId`, ['order.note_updated'], { text: 'Call later' }, token, noted);
  await type(`DELETE ${notes}/:noteId`, ['order.note_deleted'], undefined, token, noted);
  const shipments = `${B}/orders/:id/shipments`;
  const shipped = ['shipment.created', 'order.updated', 'order.status_changed'];
  const parcel = await writes(`POST ${shipments}`, {});
  assert.deepEqual(parcel.types, shipped.toSorted());
  const path = { shipments: parcel.body.id };
  const tracking = { number: '0034' };
  await type(`PUT ${shipments}/:shipmentId`, ['shipment.updated', 'order.updated'], { tracking }, token, path);
  const returned = ['shipment.deleted', 'order.updated', 'order.status_changed'];
  await type(`DELETE ${shipments}/:shipmentId`, returned, undefined, token, path);
  await type(`PUT ${B}/orders/:id/status`, shipped, { status: 'SHIPPED' });
  await h.call('PUT', `${base}/orders/update`, { token, body: { id: ids.orders, email: 'bo@example.com' } });
  await type(`POST ${B}/orders/:id/resend`, ['order.mail_resent'], {});
  await type(`POST ${B}/orders/:id/refund`, ['order.credited', 'order.payment_changed', 'order.refunded'], {
    amount: 1,
  });
  await type(`PUT ${B}/orders/:id/payment-status`, ['order.credited', 'order.payment_changed'], { status: 'REFUNDED' });
  const { body: sold } = await h.call('GET', `${base}/orders/${ids.orders}`, { token });
  const items = { type: 'RETURN', lines: [{ lineId: sold.lines[0]!.id, quantity: 1 }] };
  const request = async (types: string[]) => {
    const { body, types: emitted } = await writes(`POST ${B}/orders/:id/returns`, items);
    assert.deepEqual(emitted, types);
    return { returns: body.id };
  };
  const refused = await request(['return.requested']);
  await type(`POST ${B}/returns/:id/reject`, ['return.rejected'], { reason: 'Worn' }, token, refused);
  const goods = await request(['return.requested']);
  await type(`POST ${B}/returns/:id/approve`, ['return.approved'], {}, token, goods);
  await type(`POST ${B}/returns/:id/receive`, ['return.received'], { restock: true }, token, goods);
  await type(`POST ${B}/returns/:id/close`, ['return.closed'], { refund: false }, token, goods);

  const account = { holder: 'Souk', iban: 'DE89370400440532013000' };
  await h.call('PUT', base, { token, body: { configs: { bankTransfer: account } } });
  const transfer = { customerId: guest.userId, market: 'us', lines, paymentMethod: 'BANK_TRANSFER' };
  const unpaid = (await h.call('POST', `${base}/orders`, { token, body: transfer })).body;
  const { total, bankTransfer } = unpaid;
  const statement = await upload(
    `Date,Amount,Currency,Description\n2026-11-17,${total / 100},USD,${bankTransfer!.reference}`,
  );
  const statementPath = { 'bank-statements': statement.id };
  const entries = [{ id: statement.entries[0].id }];
  const booked = ['order.invoiced', 'order.payment_changed', 'order.status_changed', 'order.updated'];
  await type(`POST ${B}/bank-statements/:id/book`, booked, { entries }, token, statementPath);
  await type(`DELETE ${B}/bank-statements/:id`, ['bank_statement.deleted'], undefined, token, statementPath);

  const filter = { field: 'subscriber.tag', op: 'is', value: 'vip' };
  await type(`POST ${B}/segments`, ['segment.created'], { name: 'VIP', filter });
  await type(`PUT ${B}/segments/:id`, ['segment.updated'], { name: 'Best customers' });
  await type(`DELETE ${B}/segments/:id`, ['segment.deleted']);
  const trigger = { type: 'tag.added', collectionId: ids.collections, tag: 'vip' };
  const { body: welcome } = await writes(`POST ${B}/automations`, { name: 'VIP', trigger });
  const automation = { automations: welcome.id as string };
  const steps = [{ id: 'seen', type: 'TAG', tag: 'seen' }];
  await type(`PUT ${B}/automations/:id`, ['automation.updated'], { steps }, token, automation);
  await h.pool`
    insert into automation_runs (business_id, automation_id, subscription_id, occurrence, email, email_key, step_id, due_at,
      entered_at, updated_at)
    values (${businessId}, ${welcome.id}, 'sub_1', '', 'a@example.com', 'a@example.com', 'seen', 1, 1, 1)`;
  const entered = { ...automation, people: 'sub_1' };
  await type(
    `POST ${B}/automations/:id/people/:subscriptionId/stop`,
    ['automation.stopped'],
    undefined,
    token,
    entered,
  );
  await type(`DELETE ${B}/automations/:id`, ['automation.deleted'], undefined, token, automation);
  await type(`POST ${B}/suppressions`, ['suppression.created'], { email: 'complains@example.com' });
  await type(`DELETE ${B}/suppressions/:id`, ['suppression.deleted']);

  await type(`POST ${B}/categories`, ['category.created'], { name: 'Shirts' });
  await type(`PUT ${B}/categories/:id`, ['category.updated', 'redirect.created'], { slug: 'tops' });
  await type(`DELETE ${B}/categories/:id`, ['category.deleted']);
  await type(`POST ${B}/redirects`, ['redirect.created'], { from: '/older', to: '/newer' });
  await type(`DELETE ${B}/redirects/:id`, ['redirect.deleted']);
  const soldOut = { variants: [{ id: 'none', inventory: { tracked: true, quantity: 0 } }], name: 'Sold out' };
  const gone = (await h.call('POST', `${base}/products`, { token, body: soldOut })).body;
  const alert = { email: 'ada@example.com', variantId: 'none' };
  await type(`POST ${B}/products/:id/stock-alerts`, ['stock_alert.created'], alert, token, { products: gone.id });

  const inCart = [{ productId: ids.products, variantId: 'one', quantity: 1 }];
  await type(`POST ${B}/carts`, ['cart.created'], { market: 'us', items: inCart });
  await type(`PUT ${B}/carts/:id`, ['cart.updated'], { items: [{ ...inCart[0], quantity: 2 }] });
  const { body: second } = await writes(`POST ${B}/carts`, { market: 'us', items: inCart });
  await type(`POST ${B}/carts/:id/merge`, ['cart.deleted', 'cart.updated']);
  const { carts } = h.service.contexts.system() as Json;
  const restored = { token: carts.links.restoreToken(ids.businesses, second.id) };
  await type(`POST ${B}/carts/restore`, ['cart.created'], restored);
  await type(`DELETE ${B}/carts/:id`, ['cart.deleted'], undefined, token, { carts: second.id });

  const discounts = [{ type: 'ITEMS_PERCENTAGE', bps: 100 }];
  await type(`POST ${B}/promo-codes`, ['promo_code.created'], { code: 'ONE', discounts });
  await type(`PUT ${B}/promo-codes/:id`, ['promo_code.updated'], { discounts });
  await type(`DELETE ${B}/promo-codes/:id`, ['promo_code.deleted']);

  await type(`POST ${B}/collections`, ['collection.created'], { name: 'Blog' });
  await type(`PUT ${B}/collections/:id`, ['collection.updated'], { name: 'News' });
  const draft = { collectionId: ids.collections, blocks: title, statuses: [{ status: 'DRAFT' }] };
  const { body: entry, types } = await writes(`POST ${B}/entries`, draft);
  assert.deepEqual(types, ['entry.created']);
  const publish = { statuses: [{ status: 'PUBLISHED' }] };
  await type(`PUT ${B}/entries/:id`, ['entry.published', 'entry.updated'], publish, token, { entries: entry.id });

  await published(type, ids, { base, token, entryId: entry.id });

  const subscriber = { email: 'b@example.com', planId: 'free' };
  await type(`POST ${B}/forms`, ['form.created'], { collectionId: ids.collections, name: 'Footer' });
  await type(`PUT ${B}/forms/:id`, ['form.updated'], { name: 'Header' });
  await type(`DELETE ${B}/forms/:id`, ['form.deleted']);
  await type(`POST ${B}/collections/:collectionId/subscribe`, ['subscription.created'], subscriber, guest.token);
  const consent = { source: 'paper', at: h.clock.seconds() };
  const added = { email: 'c@example.com', planId: 'free', consent };
  await type(`POST ${B}/collections/:id/subscribers`, ['subscription.created'], added);
  const reader = await h.user();
  const own = { ...added, email: reader.email };
  await h.call('POST', `${base}/collections/${ids.collections}/subscribers`, { token, body: own });
  await type(`POST ${B}/collections/:collectionId/feed-link`, ['subscription.updated'], {}, reader.token);
  await type(`PUT ${B}/collections/:id/subscribers/:subscriberId`, ['subscription.updated'], { name: 'Bo' });
  await type(`DELETE ${B}/collections/:id/subscribers/:subscriberId`, ['subscription.cancelled']);
  const links = await mailLinks(businessId, ids.collections!, token);
  await type(`POST ${B}/collections/confirm`, ['subscription.confirmed'], { token: links.confirm }, '');
  await type(
    `POST ${B}/collections/tracking`,
    ['subscription.updated'],
    { token: links.unsubscribe, doNotTrack: true },
    '',
  );
  await type(`POST ${B}/collections/unsubscribe`, ['subscription.cancelled'], { token: links.unsubscribe }, '');
  await h.pool`
    update sends set status = 'SENDING', frozen = true, decides_at = 1,
      experiment = '{"share": 0.5, "subjects": ["A", "B"], "metric": "MANUAL", "after": 60}'
    where business_id = ${businessId}`;
  await type(`POST ${B}/entries/:entryId/sends/:sendId/winner`, ['newsletter.decided'], { variant: 1 });
  await h.pool`update sends set status = 'SCHEDULED', frozen = false where business_id = ${businessId}`;
  await type(`POST ${B}/entries/:entryId/sends/:sendId/cancel`, ['newsletter.cancelled']);
  await type(`POST ${B}/entries/:entryId/send`, ['newsletter.started'], {}, token, { entries: entry.id });
  await type(`DELETE ${B}/entries/:id`, ['entry.deleted']);
  await type(`DELETE ${B}/collections/:id`, ['collection.deleted'], undefined, token, {
    collections: (await h.call('POST', `${base}/collections`, { token, body: { name: 'Empty' } })).body.id,
  });

  await type(`POST ${B}/customers`, ['customer.created'], { name: 'Bo' });
  await type(`PUT ${B}/customers/:id`, ['customer.updated'], { note: 'Tall' });
  await type(`DELETE ${B}/customers/:id/personal-data`, ['customer.erasure_requested']);
  await type(`DELETE ${B}/customers/:id`, ['customer.deleted']);
  const text = { subject: 'Paid', body: '<p>Thank you</p>' };
  await type(`PUT ${B}/mail-templates/:kind`, ['mail_template.updated'], text);
  await type(`DELETE ${B}/mail-templates/:kind`, ['mail_template.deleted']);
  await type(`PUT ${B}/sender`, ['business.sender_updated'], { address: 'hello@linen.example' });
  await type(`DELETE ${B}/sender`, ['business.sender_updated']);
  await type('POST /v1/roles', ['role.created'], { businessId, name: 'Clerk', permissions: [] });
  await type('PUT /v1/roles/:id', ['role.updated'], { name: 'Clerks' });
  const person = await registered(h);
  const login = { provider: 'EMAIL', email: person.email, password: person.password };
  const { body: session } = await writes('POST /v1/users/login', login, '');
  const role = { businessId, userId: session.userId, roleId: ids.roles };
  await type('PUT /v1/users/set-role', ['member.added', 'user.role_changed'], role);
  await type(`PUT ${B}/members/me`, ['member.accepted'], {}, session.accessToken);
  await type(`DELETE ${B}/members/me`, ['member.removed'], undefined, session.accessToken);
  await type('PUT /v1/users/set-role', ['member.added', 'user.role_changed'], role);
  await type('DELETE /v1/roles/:id', ['member.removed', 'role.deleted']);
  const admins = (await h.call('GET', `/v1/roles?businessId=${businessId}`, { token })).body.items;
  const invitation = { email: person.email, roleIds: [admins[0]!.id] };
  await type(`DELETE ${B}/invitation/:id`, ['invitation.revoked']);
  await type(`POST ${B}/invitation`, ['invitation.created'], invitation);
  const accepted = { token: await mailedToken(h, person.email), action: 'ACCEPT' };
  await type(`PUT ${B}/invitation`, ['invitation.accepted', 'member.added'], accepted, session.accessToken);

  await accounts(type, session);
  await access(type, { ids, base, token });
  await factors(type);
  await type(`POST ${B}/webhooks`, ['webhook.created'], { url: 'http://127.0.0.1:65000/', events: ['webhook.test'] });
  await type(`PUT ${B}/webhooks/:id`, ['webhook.updated'], { description: 'Ours' });
  await type(`POST ${B}/webhooks/:id/rotate`, ['webhook.updated']);
  await type(`DELETE ${B}/webhooks/:id`, ['webhook.deleted']);
  await type(`DELETE ${B}/products/:id`, ['product.deleted']);
  const files = async (text: string) => {
    const form = new FormData();
    form.append('files', new Blob([text], { type: 'text/plain' }), 'words.txt');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${h.url}${base}/upload`, { method: 'POST', headers, body: form });
    const events = await eventsOf(response.headers.get('x-request-id')!);
    assert.deepEqual([response.status, ...events.map((event) => event.type)], [200, 'media.created']);
    reached.add(`POST ${B}/upload`);
    return ((await response.json()) as Json).items[0].id as string;
  };
  const csv = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const imported = { method: 'POST', headers: csv, body: 'email,name\nd@example.com,D\n' };
  const sent = await fetch(`${h.url}${base}/imports?type=customers`, imported);
  const importEvents = await eventsOf(sent.headers.get('x-request-id')!);
  assert.deepEqual([sent.status, ...importEvents.map((event) => event.type)], [200, 'import.created']);
  reached.add(`POST ${B}/imports`);
  const { id: imports } = (await sent.json()) as Json;
  await type(`POST ${B}/imports/:id/cancel`, ['import.cancelled'], undefined, token, { imports });
  const media = await files('words');
  await type(`PUT ${B}/media/:id`, ['media.updated'], { title: 'Words' }, token, { media });
  await type(`DELETE ${B}/media/:id`, ['media.deleted'], undefined, token, { media });
  const { status, headers } = await h.call('DELETE', `${base}/upload?mediaId=${await files('more')}`, { token });
  assert.equal(status, 200);
  assert.equal((await eventsOf(headers.get('x-request-id')!))[0]?.type, 'media.deleted');
  reached.add(`DELETE ${B}/upload`);
  await writes('POST /v1/businesses', { name: 'Another' });
  await type(`PUT ${B}`, ['business.updated'], { name: 'Other' });
  await type(`DELETE ${B}`, ['business.deleted']);

  const writing = h.service.app.routeList.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method));
  assert.deepEqual(
    writing
      .map(({ method, url }) => `${method} ${url}`)
      .filter((name) => !reached.has(name) && !(name in SILENT))
      .sort(),
    [],
    'routes that are neither called here nor listed as silent',
  );
});

type Check = (name: string, types: string[], ...rest: [object?, string?, Record<string, string>?]) => Promise<void>;

/** Events about drafts do not contain the draft. */
async function published(
  type: Check,
  ids: Record<string, string>,
  { base, token, entryId }: { base: string; token: string; entryId: string },
): Promise<void> {
  const entries = { entries: entryId, versions: '1' };
  const draft = async <P extends string>(path: P, body: object, expected: string) => {
    const { status, headers } = await h.call('PUT', `${base}/${path}?draft=true`, { token, body });
    const [event] = await eventsOf(headers.get('x-request-id')!);
    assert.deepEqual([status, event?.type, event?.data.hasDraft], [200, expected, true]);
    assert.doesNotMatch(JSON.stringify(event), /Unfinished/);
  };
  const blocks = [{ id: 'title', type: 'TEXT', value: 'Unfinished' }];
  for (const each of ['DELETE', 'POST']) {
    await draft(`entries/${entryId}`, { blocks: [{ ...blocks[0], value: `Unfinished ${each}` }] }, 'entry.draft_saved');
    await draft(`products/${ids.products}`, { name: `Unfinished ${each}` }, 'product.draft_saved');
    if (each === 'POST') break;
    await type(`DELETE ${B}/entries/:id/draft`, ['entry.updated'], undefined, token, entries);
    await type(`DELETE ${B}/products/:id/draft`, ['product.updated']);
  }
  await type(`POST ${B}/entries/:id/publish`, ['entry.published', 'entry.updated'], {}, token, entries);
  await type(`POST ${B}/products/:id/publish`, ['product.updated'], {});
  await type(`POST ${B}/entries/:id/versions/:number/restore`, ['entry.updated'], undefined, token, entries);
  await type(`POST ${B}/products/:id/versions/:number/restore`, ['product.updated'], undefined, token, {
    versions: '1',
  });
  await type(`POST ${B}/releases`, ['release.created'], { name: 'One', at: 4_000_000_000, items: [entryId] });
  await type(`PUT ${B}/releases/:id`, ['release.updated'], { name: 'Two' });
  await type(`POST ${B}/releases/:id/cancel`, ['release.cancelled']);
}

/** Keys, single sign-on, support access. */
async function access(type: Check, { ids, base, token }: { ids: Record<string, string>; base: string; token: string }) {
  const keys = `${B}/publishable-keys`;
  const key = { name: 'Shop', origins: ['https://shop.example'] };
  await type(`POST ${keys}`, ['publishable_key.created'], key);
  const { body } = await h.call('GET', `${base}/publishable-keys`, { token });
  const path = { 'publishable-keys': body.items[0].id };
  await type(`PUT ${keys}/:id`, ['publishable_key.updated'], { name: 'Store' }, token, path);
  await type(`DELETE ${keys}/:id`, ['publishable_key.deleted'], undefined, token, path);

  await type(`PUT ${B}/sso`, ['sso.updated'], { roleClaim: 'roles' });
  await type(`POST ${B}/sso/scim-token`, ['sso.updated']);
  await type(`DELETE ${B}/sso/scim-token`, ['sso.updated']);
  await type(`DELETE ${B}/sso`, ['sso.deleted']);

  const { userId, email } = await h.user();
  const customer = await h.call('POST', `${base}/customers`, { token, body: { email } });
  const customers = { customers: customer.body.id };
  await h.pool`update customers set user_id = ${userId} where business_id = ${ids.businesses!} and id = ${customers.customers}`;
  const started = ['support.started', 'user.support_started'];
  await type(`POST ${B}/customers/:id/support-session`, started, undefined, token, customers);
  const [session] = await h.pool<{ id: string }[]>`select id from sessions where provider = 'SUPPORT'`;
  const ended = ['support.ended', 'user.session_ended'];
  const sessions = { 'support-sessions': session!.id };
  await type(`DELETE ${B}/support-sessions/:id`, ended, undefined, token, sessions);

  const visitor = newEmail();
  const { challenge } = (await h.call('POST', '/v1/users/login/code', { body: { email: visitor } })).body;
  await h.drain('login-code');
  const mail = (await h.mailbox()).find((message) => message.to === visitor);
  const code = /\d{6}/.exec(mail?.kind === 'mail' ? mail.subject : '')![0];
  const login = { email: visitor, challenge, code };
  await type('POST /v1/users/login/code', ['user.login', 'user.registered'], login, '');
}

async function accounts(type: Check, session: Json): Promise<void> {
  const email = newEmail();
  await type('POST /v1/users/register', ['user.registered'], { provider: 'EMAIL', email, password: GOOD_PASSWORD }, '');
  await type('PUT /v1/users/confirm', ['user.updated'], { token: await mailedToken(h, email) }, '');
  await h.call('POST', '/v1/users/forgot-password', { body: { email } });
  const reset = { token: await mailedToken(h, email), password: `${GOOD_PASSWORD}-2` };
  await type('POST /v1/users/reset-forgot-password', ['user.password_changed'], reset, '');
  const passwords = { oldPassword: GOOD_PASSWORD, newPassword: `${GOOD_PASSWORD}-3` };
  const own = session.accessToken;
  await type('POST /v1/users/reset-password', ['user.password_changed'], passwords, own);
  await type('PUT /v1/users/update', ['user.updated'], { name: 'Bo' }, own);
  const apiTokens = [{ id: 'ci', name: 'CI' }];
  await type('PUT /v1/users', ['user.key_created', 'user.updated'], { apiTokens }, own);
  await type('PUT /v1/users', ['user.key_revoked', 'user.updated'], { apiTokens: [] }, own);
  const phoneNumber = '+4915112345678';
  await h.call('POST', '/v1/users/phone-number', { token: own, body: { phoneNumber } });
  const code = await smsCode(h, phoneNumber);
  await type('POST /v1/users/phone-number/confirm', ['user.updated'], { phoneNumber, code }, own);
  const { items } = (await h.call('GET', '/v1/users/sessions', { token: own })).body;
  await type('DELETE /v1/users/sessions/:id', ['user.session_ended'], undefined, own, { sessions: items[0]!.id });
  await type('POST /v1/users/logout', ['user.session_ended'], {}, (await h.user()).token);
  await type('DELETE /v1/users/me', ['user.deleted'], {}, (await h.user()).token);
}

async function factors(type: Check): Promise<void> {
  const person = await registered(h);
  const token = (await person.login()).body.accessToken;
  const { secret } = (await h.call('POST', '/v1/users/me/totp', { token, headers: fresh(h, token) })).body;
  const code = (skew: number) => codeAt(secret, stepAt(h.clock.seconds()) + skew);
  const confirmed = ['user.factor_added', 'user.recovery_codes_created'];
  await type('POST /v1/users/me/totp/confirm', confirmed, { code: code(-1) }, token);
  const { challenge } = (await person.login()).body;
  const proof = { challenge, method: 'TOTP', code: code(0) };
  await type('POST /v1/users/login/second-factor', ['user.login'], proof, '');
  await type('POST /v1/users/me/recovery-codes', ['user.recovery_codes_created'], undefined, token);
  const refused = (await h.call('POST', '/v1/users/me/recovery-codes', { token })).body;
  const stepUp = { challenge: refused.challenge, method: 'TOTP', code: code(1) };
  await type('POST /v1/users/me/step-up', ['user.stepped_up'], stepUp, token);

  const device = createAuthenticator();
  const headers = { ...fresh(h, token), origin: ORIGIN };
  const requested = (await h.call('POST', '/v1/users/me/passkeys/options', { token, headers })).body;
  const credential = device.create({ options: requested.options, origin: ORIGIN });
  const passkey = { challenge: requested.challenge, credential, name: 'Phone' };
  await type('POST /v1/users/me/passkeys', ['user.factor_added'], passkey, token);
  const login = await passkeyRequest(h);
  const signed = { challenge: login.challenge, credential: device.get(login.ceremony) };
  await type('POST /v1/users/login/passkey', ['user.login'], signed, '');
  const { passkeys } = (await h.call('GET', '/v1/users/me/factors', { token })).body;
  const id = { passkeys: passkeys[0]!.id };
  await type('PUT /v1/users/me/passkeys/:id', ['user.updated'], { name: 'Old phone' }, token, id);
  await type('DELETE /v1/users/me/passkeys/:id', ['user.factor_removed'], undefined, token, id);
  await type('DELETE /v1/users/me/totp', ['user.factor_removed'], undefined, token);
}

/** The tokens for a subscriber who has to confirm. */
async function mailLinks(businessId: string, collectionId: string, token: string) {
  const base = `/v1/businesses/${businessId}/collections/${collectionId}` as const;
  await h.call('PUT', base, { token, body: { settings: { doubleOptIn: true } } });
  const email = newEmail();
  const { body } = await h.call('POST', `${base}/subscribe`, { token, body: { email, planId: 'free' } });
  const mail = (await h.mailbox()).find((message) => message.kind === 'mail' && message.to === email) as Json;
  const { newsletters } = h.service.contexts.system() as Json;
  return {
    confirm: /confirm-subscription\/([\w.-]+)/.exec(mail.text)![1]!,
    unsubscribe: newsletters.tokens.token(businessId, body.id),
  };
}

test('an update without changes emits no event', async () => {
  const { ids, token, businessId, base } = await shop();
  const count = async () => (await feed(businessId)).length;
  const paths = ['products', 'promo-codes', 'collections', 'entries', 'customers', 'webhooks'].map(
    (kind) => `${base}/${kind}/${ids[kind]}`,
  );
  for (const path of [base, `/v1/roles/${ids.roles}`, ...paths]) {
    const { body: record } = await h.call('GET', path, { token });
    const before = await count();
    const response = await h.call('PUT', path, { token, body: record });
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(response.body)}`);
    assert.equal(await count(), before, path);
  }
  const order = (await h.call('GET', `${base}/orders/${ids.orders}`, { token })).body;
  const before = await count();
  for (const [path, body] of [
    ['update', order],
    [`${ids.orders}/status`, { status: order.statuses.at(-1).status }],
  ] as const) {
    assert.equal((await h.call('PUT', `${base}/orders/${path}`, { token, body })).status, 200);
  }
  assert.equal(await count(), before);
});

test('event data is the record as an admin reads it, and `changes` lists the differences', async () => {
  const { ids, token, businessId, base } = await shop();
  const last = async (entity: string) => (await feed(businessId, entity)).at(-1)!;
  const read = async <P extends string>(path: P) => (await h.call('GET', path, { token })).body;
  await h.call('PUT', `${base}/products/${ids.products}`, { token, body: { name: 'Cup' } });
  const { changes, actor } = await last(`product:${ids.products}`);
  assert.deepEqual(changes, { name: { old: 'Mug', new: 'Cup' } });
  assert.equal(actor.type, 'USER');
  for (const [kind, path] of Object.entries({
    product: 'products',
    order: 'orders',
    promo_code: 'promo-codes',
    collection: 'collections',
    entry: 'entries',
    customer: 'customers',
    webhook: 'webhooks',
  })) {
    const { etag: _, ...record } = await read(`${base}/${path}/${ids[path]}`);
    const { data } = await last(`${kind}:${ids[path]}`);
    if (kind === 'webhook') delete record.queue;
    // Notes have separate events.
    if (kind === 'order') delete record.notes;
    assert.deepEqual(data, record, kind);
  }
});

test('events contain no secrets, and replacing a secret emits an event even if the masked value stays the same', async () => {
  const { token, businessId, base } = await shop();
  const secrets = ['sk_test_first_secret_0001', 'sk_test_other_secret_0001'];
  for (const secretKey of secrets) {
    const body = { configs: { paymentProvider: { type: 'STRIPE', publicKey: 'pk_test', secretKey } } };
    assert.equal((await h.call('PUT', base, { token, body })).status, 200);
  }
  const events = await feed(businessId, `business:${businessId}`);
  assert.equal(events.length, 2);
  assert.ok(!secrets.some((secret) => JSON.stringify(events).includes(secret)));
});

test('low stock emits one event, whatever reduces the stock', async () => {
  const { token, businessId, base } = await shop();
  const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 100 }] };
  const inventory = { tracked: true, quantity: 5, lowStockThreshold: 2 };
  const variants = [{ id: 'one', name: 'One', sku: 'CUP', pricing, inventory }];
  const { id: productId } = (await h.call('POST', `${base}/products`, { token, body: { name: 'Cup', variants } })).body;
  const adjust = (by: number) =>
    h.call('POST', `${base}/products/${productId}/variants/one/inventory`, { token, body: { adjust: by } });
  const buy = (quantity: number) =>
    h.call('POST', `${base}/orders/checkout`, {
      token,
      body: { market: 'us', paymentMethod: 'CREDIT_CARD', items: [{ productId, variantId: 'one', quantity }] },
    });
  const low = async () =>
    (await feed(businessId, `product:${productId}`)).filter(({ type }) => type === 'inventory.low');
  await buy(2);
  assert.equal((await low()).length, 0);
  await buy(1);
  assert.deepEqual((await low())[0]!.data, {
    productId,
    variantId: 'one',
    sku: 'CUP',
    quantity: 2,
    lowStockThreshold: 2,
  });
  await buy(1);
  assert.equal((await low()).length, 1, 'stock was already low');
  await adjust(9);
  await adjust(-9);
  assert.equal((await low()).length, 2);
  await adjust(9);
  const set = [{ ...variants[0], inventory: { ...inventory, quantity: 1 } }];
  await h.call('PUT', `${base}/products/${productId}`, { token, body: { variants: set } });
  assert.equal((await low()).length, 3);
});

test('the actor of payment outcomes and expired orders is SYSTEM', async () => {
  const { ids, token, businessId, base } = await shop();
  const items = [{ productId: ids.products, variantId: 'one', quantity: 1 }];
  const buy = async (paymentMethod: string) =>
    (await h.call('POST', `${base}/orders/checkout`, { token, body: { market: 'us', paymentMethod, items } })).body;
  const { orderId, checkoutUrl } = await buy('CREDIT_CARD');
  await press(checkoutUrl!, 'pay');
  const events = await feed(businessId, `order:${orderId}`);
  assert.deepEqual(
    events.map(({ type, actor }) => [type, actor.type]),
    [
      ['order.created', 'USER'],
      ['order.status_changed', 'SYSTEM'],
      ['order.payment_changed', 'SYSTEM'],
      ['order.invoiced', 'SYSTEM'],
    ],
  );
  assert.equal(events[0]!.data.number, events[2]!.data.number);
  const waiting = await buy('CREDIT_CARD');
  h.clock.advance(h.config.checkoutTtlSeconds + 1);
  await h.drain('payment-watch');
  const types = (await feed(businessId, `order:${waiting.orderId}`)).map(({ type }) => type);
  assert.deepEqual(types, ['order.created', 'order.status_changed', 'order.payment_changed']);
});

test('every route that changes a price writes its history', async () => {
  const [products] = await h.pool<{ count: number }[]>`select count(*)::int as count from price_history`;
  assert.ok(products!.count > 0);
  assert.deepEqual(await listPricesWithoutHistory(h), []);
});

test('users can read the events of their own account, including failed logins, but not of others', async () => {
  const { email, password, login } = await registered(h);
  const wrong = { provider: 'EMAIL', email, password: `${password}x` };
  assert.equal((await h.call('POST', '/v1/users/login', { body: wrong })).status, 422);
  const token = (await login()).body.accessToken;
  const audit = async (reader: string) => (await h.call('GET', '/v1/users/me/audit', { token: reader })).body.items;
  const events = await audit(token);
  assert.deepEqual(
    events.map(({ type, actor }) => [type, actor.type]),
    [
      ['user.login', 'USER'],
      ['user.login_failed', 'SYSTEM'],
      ['user.updated', 'USER'],
      ['user.registered', 'SYSTEM'],
    ],
  );
  assert.ok(events.every(({ address }) => address === '127.0.0.1'));
  const other: TestUser = await h.user();
  assert.ok((await audit(other.token)).every(({ actor }) => actor.userId === other.userId));
});
