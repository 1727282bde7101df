import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const FORMATS = '/v1/address-formats';

test('anyone can read and cache the address format of a country, with its code in upper or lower case', async () => {
  const { status, body, headers } = await h.call('GET', `${FORMATS}/us`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.fields.map(({ name, label, required }: Record<string, unknown>) => [name, label, required]),
    [
      ['name', 'Name', false],
      ['company', 'Company', false],
      ['street', 'Street address', true],
      ['street2', 'Apartment, floor, etc.', false],
      ['city', 'City', true],
      ['state', 'State', true],
      ['zip', 'ZIP code', true],
    ],
  );
  assert.deepEqual(body.states[4], { code: 'AR', name: 'Arkansas' });
  assert.equal(body.zipExample, '95014');
  assert.equal(headers.get('cache-control'), 'public, max-age=86400, immutable');
  const etag = headers.get('etag')!;
  const again = await h.call('GET', `${FORMATS}/US`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  const other = await h.call('GET', `${FORMATS}/JP`, { headers: { 'if-none-match': etag } });
  assert.equal(other.status, 200);
  assert.deepEqual(
    other.body.fields.map(({ name }: { name: string }) => name),
    ['zip', 'state', 'city', 'street', 'street2', 'company', 'name'],
  );
});

test('labels are in the requested language, or in English', async () => {
  const zipLabel = async (locale: string) =>
    (await h.call('GET', `${FORMATS}/IN?locale=${locale}`)).body.fields.find(
      ({ name }: { name: string }) => name === 'zip',
    )!.label;
  assert.equal(await zipLabel('de-AT'), 'PIN-Code');
  assert.equal(await zipLabel('fr'), 'PIN code');
  assert.equal(await zipLabel('constructor'), 'PIN code');
});

test('the format of an unknown country returns 404', async () => {
  assert.equal((await h.call('GET', `${FORMATS}/ZZ`)).status, 404);
  assert.equal((await h.call('GET', `${FORMATS}/Germany`)).status, 404);
});

test('the client lists the countries and reads a format', async () => {
  const souk = createClient({ baseUrl: h.url, businessId: 'biz_demo' });
  const { items } = await souk.addressFormats.list().page();
  assert.ok(items.length > 240);
  assert.deepEqual(
    items.find(({ country }) => country === 'FR'),
    { country: 'FR', name: 'France', isEuMember: true },
  );
  assert.equal((await souk.addressFormats.get('IE')).fields.at(-1)!.label, 'Eircode');
});
