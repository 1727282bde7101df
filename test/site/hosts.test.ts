import assert from 'node:assert/strict';
import test from 'node:test';
import { findBusinessById, siteUrl } from '../../src/domains/businesses/index.ts';
import { startHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { visit } from './visit.ts';

const h = await startHarness();
const trusting = await startHarness({ STOREFRONT_HOSTS: 'trust' });

type Service = typeof h;

async function shop(service: Service, hosts: string[]) {
  const businessId = await service.business();
  const { token } = await service.member(businessId, 'ADMIN');
  const path = `/v1/businesses/${businessId}` as const;
  const setHosts = (next: string[]) =>
    service.call('PUT', path, {
      token,
      body: { configs: { storefront: { enabled: true, title: businessId, hosts: next } } },
    });
  const { status, body } = await setHosts(hosts);
  return { businessId, token, path, setHosts, status, body };
}

const served = (service: Service, host: string, businessId: string) =>
  eventually(`${host} to serve the shop`, async () => {
    const { status, body } = await visit(service.url, '/', { host });
    return (status === 200 && body.includes(businessId)) || undefined;
  });

/** The DNS records, by name. */
const records = new Map<string, string[]>();
h.service.businesses.hosts.findRecords = async (name) => records.get(name) ?? [];

test('a host serves the shop at /, and emails link to it, once its DNS record is found', async () => {
  const { businessId, token, path } = await shop(h, ['one.example']);
  const listed = await h.call('GET', `${path}/storefront/hosts`, { token });
  const [{ record, isVerified }] = listed.body.items as [(typeof listed.body.items)[number]];
  assert.equal(isVerified, false);
  assert.equal(record.name, '_souk.one.example');
  assert.equal((await visit(h.url, '/', { host: 'one.example' })).body.includes(businessId), false);
  const ctx = h.service.contexts.system();
  const linked = async () => siteUrl(ctx, (await findBusinessById(ctx, businessId))!);
  assert.match(await linked(), /\/s\/[^/]+$/);
  const check = () => h.call('POST', `${path}/storefront/hosts/one.example/check`, { token });
  const early = await check();
  assert.deepEqual([early.status, early.body.details[0]?.error], [422, 'NOT_VERIFIED']);
  records.set(record.name, ['other', record.value]);
  assert.equal((await check()).body.isVerified, true);
  await served(h, 'one.example', businessId);
  assert.match(await linked(), /^https?:\/\/one\.example$/);
  await h.numberEvents(businessId);
  const [event] = await h.pool`
    select data from events where business_id = ${businessId} and type = 'business.host_verified'`;
  assert.equal(event?.data.host, 'one.example');
  await served(h, 'one.example', businessId);
  assert.equal((await visit(h.url, '/admin', { host: 'one.example' })).status, 404, 'the admin is on no shop');
  assert.equal((await visit(h.url, '/healthz', { host: 'one.example' })).status, 200);
});

test('a host cannot be taken from the business that verified it, unless its record is gone', async () => {
  const first = await shop(h, ['two.example']);
  const recordOf = async ({ path, token }: typeof first) =>
    (await h.call('GET', `${path}/storefront/hosts`, { token })).body.items[0]!.record;
  const check = ({ path, token }: typeof first) =>
    h.call('POST', `${path}/storefront/hosts/two.example/check`, { token });
  const second = await shop(h, ['two.example']);
  const [one, two] = [await recordOf(first), await recordOf(second)];
  assert.notEqual(one.value, two.value, 'a record belongs to one business');
  records.set(one.name, [one.value]);
  assert.equal((await check(first)).status, 200);
  assert.equal((await check(second)).status, 422);
  records.set(one.name, [one.value, two.value]);
  assert.equal((await check(second)).status, 409);
  await served(h, 'two.example', first.businessId);
  assert.equal((await shop(h, ['two.example'])).status, 422);
  records.set(one.name, [two.value]);
  assert.equal((await check(second)).status, 200);
  await served(h, 'two.example', second.businessId);
});

test('with STOREFRONT_HOSTS=trust, a host belongs to the first business that lists it, until that business removes it', async () => {
  const first = await shop(trusting, ['three.example']);
  await served(trusting, 'three.example', first.businessId);
  const second = await shop(trusting, ['three.example']);
  assert.deepEqual([second.status, second.body.details[0]?.error], [422, 'DUPLICATE']);
  await first.setHosts([]);
  assert.equal((await second.setHosts(['three.example'])).status, 200);
  await served(trusting, 'three.example', second.businessId);
});

test('two businesses that list a host at once never both get it', async () => {
  const [first, second] = [await shop(trusting, []), await shop(trusting, [])];
  const results = await Promise.all([first.setHosts(['four.example']), second.setHosts(['four.example'])]);
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, 422]);
});

test('deleting a business frees its hosts', async () => {
  const first = await shop(trusting, ['five.example']);
  assert.equal((await trusting.call('DELETE', first.path, { token: first.token })).status, 200);
  assert.equal((await shop(trusting, ['five.example'])).status, 200);
});

test("the service's own hosts can't be claimed, and a stored claim is ignored, so the admin and other storefronts stay reachable", async () => {
  const own = await startHarness({
    STOREFRONT_HOSTS: 'trust',
    PUBLIC_URL: 'https://souk.example',
    ALLOWED_ORIGINS: 'https://console.example:8443',
  });
  const victim = await shop(own, ['victim.example']);
  const thief = await shop(own, []);
  for (const host of ['souk.example', 'souk.example:443', 'console.example']) {
    const { status, body } = await thief.setHosts(['thief.example', host]);
    assert.deepEqual(
      [status, body.details[0]?.field, body.details[0]?.error],
      [422, 'configs.storefront.hosts[1]', 'NOT_ALLOWED'],
    );
  }
  await own.pool`
    insert into storefront_hosts (host, owner_id, proved_at) values ('souk.example', ${thief.businessId}, 1)`;
  await own.pool`update businesses set configs = jsonb_set(configs, '{storefront,hosts}', '["souk.example"]')
    where id = ${thief.businessId}`;
  await victim.setHosts(['victim.example']);
  await served(own, 'victim.example', victim.businessId);
  assert.equal(own.service.businesses.hosts.ownerOf('souk.example'), undefined);
  assert.equal((await visit(own.url, '/admin', { host: 'souk.example' })).status, 200);
  const { body: slug } = await own.call('GET', victim.path, { token: victim.token });
  assert.equal((await visit(own.url, `/s/${slug.slug}`, { host: 'souk.example' })).status, 200);
});
