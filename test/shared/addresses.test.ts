import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import test from 'node:test';
import {
  type AddressText,
  addressLines,
  checkAddress,
  countryName,
  findAddressFormat,
  findState,
  isCountry,
  isEuMember,
  listCountries,
  normalizeAddress,
} from '../../src/shared/addresses/index.ts';

/** A valid address in each country, an invalid postal code and an invalid state. Empty where the country has none. */
const COUNTRIES: [country: string, address: Omit<AddressText, 'country'>, badZip: string, badState: string][] = [
  ['AE', { street: 'Sheikh Zayed Road 12', state: 'Dubai' }, '', 'Bavaria'],
  ['AR', { street: 'Av. Corrientes 1234', city: 'Buenos Aires', state: 'C', zip: 'C1043AAZ' }, '12', 'Bavaria'],
  ['AT', { street: 'Graben 1', city: 'Wien', zip: '1010' }, '10100', ''],
  ['AU', { street: '1 George St', city: 'Sydney', state: 'NSW', zip: '2000' }, '20000', 'Bavaria'],
  ['BE', { street: 'Grote Markt 1', city: 'Brussel', zip: '1000' }, '100', ''],
  ['BR', { street: 'Av. Paulista 1000', city: 'São Paulo', state: 'São Paulo', zip: '01310-100' }, '0131', 'XX'],
  ['CA', { street: '1 Rideau St', city: 'Ottawa', state: 'Ontario', zip: 'k1n 8s7' }, '90210', 'California'],
  ['CH', { street: 'Bahnhofstrasse 1', city: 'Zürich', zip: '8001' }, '80011', ''],
  ['CN', { street: '长安街 1', city: '北京', state: '北京市', zip: '100000' }, '1000', 'California'],
  ['CZ', { street: 'Národní 1', city: 'Praha', zip: '110 00' }, '1100', ''],
  ['DE', { street: 'Marienplatz 1', city: 'München', zip: '80331' }, '8033', ''],
  ['DK', { street: 'Strøget 1', city: 'København', zip: '1150' }, '115', ''],
  ['ES', { street: 'Gran Vía 1', city: 'Madrid', state: 'Madrid', zip: '28013' }, '2801', 'Lisboa'],
  ['FI', { street: 'Aleksanterinkatu 1', city: 'Helsinki', zip: 'FI-00100' }, '001', ''],
  ['FR', { street: '1 rue de la République', city: 'Lyon', zip: '69001' }, '6900', ''],
  ['GB', { street: '10 Downing Street', city: 'London', zip: 'sw1a 2aa' }, '12345', ''],
  ['GR', { street: 'Ermou 1', city: 'Athina', zip: '105 63' }, '1056', ''],
  ['HU', { street: 'Andrássy út 1', city: 'Budapest', zip: '1061' }, '10610', ''],
  ['IE', { street: '1 Grafton Street', city: 'Dublin', state: 'Dublin', zip: 'D02 VF25' }, '12345', 'Bavaria'],
  ['IN', { street: '1 MG Road', city: 'Bengaluru', state: 'Karnataka', zip: '560001' }, '56001', 'Texas'],
  ['IT', { street: 'Via del Corso 1', city: 'Roma', state: 'RM', zip: '00186' }, '0018', 'Bavaria'],
  ['JP', { street: '丸の内1-1', city: '千代田区', state: '東京都', zip: '100-0005' }, '1000', 'Texas'],
  ['KR', { street: '세종대로 1', city: '중구', state: '서울특별시', zip: '04524' }, '045', 'Texas'],
  ['LV', { street: 'Brīvības iela 1', city: 'Rīga', zip: '1050' }, '105', ''],
  ['MX', { street: 'Reforma 1', city: 'Ciudad de México', state: 'CDMX', zip: '06600' }, '0660', 'Texas'],
  ['NL', { street: 'Damrak 1', city: 'Amsterdam', zip: '1012LG' }, '1012', ''],
  ['NO', { street: 'Karl Johans gate 1', city: 'Oslo', zip: '0154' }, '154', ''],
  ['NZ', { street: '1 Queen Street', city: 'Auckland', zip: '1010' }, '101', ''],
  ['PL', { street: 'Marszałkowska 1', city: 'Warszawa', zip: '00-624' }, '0062', ''],
  ['PT', { street: 'Rua Augusta 1', city: 'Lisboa', zip: '1100-048' }, '11', ''],
  ['SE', { street: 'Drottninggatan 1', city: 'Stockholm', zip: 'SE-111 51' }, '1115', ''],
  ['SG', { street: '1 Raffles Place', zip: '048616' }, '0486', ''],
  ['US', { street: '1 Market St', city: 'San Francisco', state: 'California', zip: '94105-1234' }, '9410', 'Bavaria'],
  ['ZA', { street: '1 Long Street', city: 'Cape Town', zip: '8001' }, '80010', ''],
];

const errorsOf = (address: AddressText) =>
  checkAddress(address, 'shippingAddress').map(({ field, error }) => `${field} ${error}`);

for (const [country, valid, badZip, badState] of COUNTRIES) {
  test(`addresses in ${country}: a valid one passes, a wrong or missing field is reported by name`, () => {
    const address = { ...valid, country };
    assert.deepEqual(checkAddress(address, 'shippingAddress'), []);
    assert.deepEqual(checkAddress(normalizeAddress(address), 'shippingAddress'), []);
    const format = findAddressFormat(country)!;
    if (badZip) {
      const [error] = checkAddress({ ...address, zip: badZip }, 'shippingAddress');
      assert.equal(error?.field, 'shippingAddress.zip');
      assert.equal(error.error, 'INVALID_VALUE');
      assert.ok(error.message.includes(format.zipExample!), error.message);
    }
    if (badState) {
      assert.deepEqual(errorsOf({ ...address, state: badState }), ['shippingAddress.state INVALID_VALUE']);
    }
    for (const { name, required } of format.fields) {
      const without = errorsOf({ ...address, [name]: ' ' });
      assert.deepEqual(without, required ? [`shippingAddress.${name} REQUIRED`] : [], name);
    }
  });
}

test('an address without a country, or with an unknown one, gets an error on its country', () => {
  assert.deepEqual(errorsOf({ street: 'A' }), ['shippingAddress.country REQUIRED']);
  assert.deepEqual(errorsOf({ country: 'Germany' }), ['shippingAddress.country INVALID_VALUE']);
  assert.deepEqual(errorsOf({ country: '__proto__' }), ['shippingAddress.country INVALID_VALUE']);
  assert.deepEqual(
    checkAddress({ country: 'us' }, '').map(({ field }) => field),
    ['street', 'city', 'state', 'zip'],
  );
});

test('an address is normalized: trimmed, with codes for country and state, and a plain postal code', () => {
  assert.deepEqual(normalizeAddress({ street: ' 1 Main St ', state: ' illinois', zip: ' 62701 ', country: 'us ' }), {
    street: '1 Main St',
    state: 'IL',
    zip: '62701',
    country: 'US',
  });
  const zips = { LV: ['1050', 'LV-1050'], SE: ['se-111 51', '111 51'], GB: ['sw1a  2aa', 'SW1A 2AA'] };
  for (const [country, [zip, normalized]] of Object.entries(zips)) {
    assert.equal(normalizeAddress({ country, zip }).zip, normalized);
  }
  assert.deepEqual(normalizeAddress({ country: 'Oz', state: 'x', phone: ' 1 ' }), {
    country: 'Oz',
    state: 'x',
    phone: '1',
  });
});

test('a state is found by its code, its ISO code and its name, regardless of case, accents and punctuation', () => {
  for (const text of ['13', 'JP-13', 'tokyo', '東京都']) assert.equal(findState('JP', text)?.name, 'Tokyo');
  for (const text of ['SP', 'são paulo', 'Sao Paulo', 'BR-SP']) assert.equal(findState('BR', text)?.code, 'SP');
  for (const text of ['D', 'Co. Dublin', 'dublin']) assert.equal(findState('IE', text)?.code, 'D');
  assert.equal(findState('US', ''), null);
  assert.equal(findState('XX', 'A'), null);
});

test('address lines follow the country: postal code, and the code or the name of the state', () => {
  const cases: [AddressText, string[]][] = [
    [{ street: '1 Broadway', city: 'New York', state: 'NY', zip: '10004', country: 'US' }, ['New York, NY 10004']],
    [
      { street: '1-1 Chiyoda', city: 'Chiyoda-ku', state: '13', zip: '100-0001', country: 'JP' },
      ['100-0001 Tokyo Chiyoda-ku'],
    ],
    [
      { street: 'Calle de Alcalá 50', city: 'Madrid', state: 'M', zip: '28014', country: 'ES' },
      ['28014 Madrid, Madrid'],
    ],
    [{ street: 'Via Condotti 8', city: 'Roma', state: 'RM', zip: '00187', country: 'IT' }, ['00187 Roma, RM']],
    [{ street: 'Marienplatz 1', city: 'München', zip: '80331', country: 'DE' }, ['80331 München']],
    [{ city: 'Springfield', state: 'IL', country: 'Nowhere' }, ['Springfield, IL']],
  ];
  for (const [address, [place]] of cases)
    assert.ok(addressLines(address).includes(place!), addressLines(address).join('; '));
});

test('every country has a name, unique state codes and an example of its postal codes', () => {
  for (const country of listCountries()) {
    const format = findAddressFormat(country)!;
    assert.ok(isCountry(country));
    assert.notEqual(countryName(country), country);
    assert.ok(format.fields.every(({ label }) => label));
    assert.equal(new Set(format.states.map(({ code }) => code)).size, format.states.length, country);
    for (const { code, name } of format.states) {
      assert.equal(findState(country, code)?.code, code);
      assert.equal(findState(country, name)?.name, name, `${country} ${name}`);
    }
    if (format.zipPattern) assert.match(format.zipExample!, new RegExp(`^(?:${format.zipPattern})$`));
  }
  assert.equal(listCountries().filter(isEuMember).length, 27);
  assert.equal(countryName('DE', 'de'), 'Deutschland');
  assert.ok(!isCountry('de') && !isCountry('ZZ') && !isCountry('toString'));
});

test('the generated data is at most 80 KB', () => {
  assert.ok(statSync(new URL('../../src/shared/addresses/formats.json', import.meta.url)).size <= 80_000);
});
