/** A shop that delivers to 30 countries, and an address in each of them. */
import type { Business, PartialAddress } from '../../client/src/index.ts';

type Configs = Business['configs'];
type Zone = NonNullable<NonNullable<Configs['shippingMethods']>[number]['zones']>[number];

/** An address as people type it. States are given by name, as the form shows them. */
export const ADDRESSES: (PartialAddress & { country: string; street: string })[] = [
  { country: 'AE', street: 'Sheikh Zayed Road 12', state: 'Dubai' },
  { country: 'AR', street: 'Avenida Corrientes 348', zip: 'C1043AAQ', city: 'CABA', state: 'Buenos Aires' },
  { country: 'AT', street: 'Herrengasse 4/2', zip: '1010', city: 'Wien' },
  { country: 'AU', street: '1 Macquarie Street', city: 'Sydney', state: 'New South Wales', zip: '2000' },
  { country: 'BE', street: 'Grote Markt 1', zip: '1000', city: 'Brussel' },
  { country: 'BR', street: 'Avenida Paulista 1578', city: 'São Paulo', state: 'São Paulo', zip: '01310-200' },
  { country: 'CA', street: '111 Wellington Street', city: 'Ottawa', state: 'Ontario', zip: 'k1a 0a9' },
  { country: 'CH', street: 'Bundesplatz 3', zip: 'CH-3011', city: 'Bern' },
  { country: 'CZ', street: 'Celetná 12', zip: '110 00', city: 'Praha' },
  { country: 'DE', street: 'Prinzregentenstraße 12', zip: 'D-80538', city: 'München' },
  { country: 'DK', street: 'Nyhavn 17', zip: '1051', city: 'København' },
  { country: 'ES', street: 'Calle de Alcalá 50', zip: '28014', city: 'Madrid', state: 'Madrid' },
  { country: 'FI', street: 'Mannerheimintie 30', zip: '00100', city: 'Helsinki' },
  { country: 'FR', street: '10 rue de la République', zip: '69001', city: 'Lyon' },
  { country: 'GB', street: '10 Downing Street', city: 'London', zip: 'sw1a2aa' },
  { country: 'GR', street: 'Ermou 12', zip: '105 63', city: 'Athina' },
  { country: 'IE', street: '24 O’Connell Street', city: 'Dublin', state: 'Co. Dublin', zip: 'D01 F5P2' },
  { country: 'IN', street: '12 Janpath Road', city: 'New Delhi', state: 'Delhi', zip: '110001' },
  { country: 'IT', street: 'Via Condotti 8', zip: '00187', city: 'Roma', state: 'Roma' },
  { country: 'JP', street: '1-1 Chiyoda', zip: '1000001', city: 'Chiyoda-ku', state: 'Tokyo' },
  { country: 'KR', street: '110 Sejong-daero', zip: '04524', city: 'Jung-gu', state: 'Seoul' },
  { country: 'MX', street: 'Paseo de la Reforma 50', zip: '06600', city: 'Cuauhtémoc', state: 'Ciudad de México' },
  { country: 'NL', street: 'Damrak 1', zip: '1012LG', city: 'Amsterdam' },
  { country: 'NO', street: 'Karl Johans gate 22', zip: '0026', city: 'Oslo' },
  { country: 'PL', street: 'ul. Nowy Świat 6', zip: '00-400', city: 'Warszawa' },
  { country: 'PT', street: 'Rua Augusta 24', zip: '1100-053', city: 'Lisboa' },
  { country: 'SE', street: 'Drottninggatan 5', zip: '111 51', city: 'Stockholm' },
  { country: 'SG', street: '1 Raffles Place', zip: '048616' },
  { country: 'US', street: '1 Market Street', city: 'San Francisco', state: 'California', zip: '94105' },
  { country: 'ZA', street: '14 Long Street', city: 'Cape Town', zip: '8001' },
];

const rates = (amount: number, freeAbove?: number): Zone['rates'] =>
  ['us', 'eu'].map((market) => ({ market, amount, ...(freeAbove === undefined ? {} : { freeAbove }) }));

/**
 * The demo's settings with zones, tax rates and two pickup locations. Hamburg has no express delivery. Iceland and China are served
 * only in their capitals.
 */
export const deliveryConfigs = ({ markets = [] }: Configs) => ({
  markets: markets.map((market) => ({ ...market, countries: market.id === 'eu' ? ['DE'] : ['US'] })),
  shippingMethods: [
    {
      id: 'standard',
      name: 'Standard',
      etaText: '3–5 days',
      taxable: true,
      zones: [
        { countries: ['DE', 'AT'], rates: rates(490, 10_000) },
        { countries: ADDRESSES.map(({ country }) => country), rates: rates(990) },
        { countries: ['IS'], zips: ['101'], rates: rates(1990) },
        { countries: ['CN'], states: ['11'], rates: rates(2990) },
      ],
    },
    {
      id: 'express',
      name: 'Express',
      etaText: 'Next day',
      taxable: true,
      zones: [
        { countries: ['DE'], rates: rates(1490) },
        { countries: ['DE'], zips: ['20*'], rates: [] },
      ],
    },
    {
      id: 'pickup',
      name: 'Pickup',
      type: 'PICKUP' as const,
      etaText: 'Ready today',
      prices: rates(0),
      locations: [
        {
          id: 'mitte',
          name: 'Shop Mitte',
          address: { street: 'Torstraße 1', zip: '10119', city: 'Berlin', country: 'DE' },
        },
        {
          id: 'depot',
          name: 'Depot',
          address: { street: 'Am Sandtorkai 3', zip: '20457', city: 'Hamburg', country: 'DE' },
        },
      ],
    },
  ],
  taxClasses: [{ id: 'standard', name: 'Standard' }],
  taxRates: [
    { id: 'de', name: 'VAT', country: 'DE', classId: 'standard', bps: 1900 },
    { id: 'at', name: 'VAT', country: 'AT', classId: 'standard', bps: 2000 },
    { id: 'us-ca', name: 'Sales tax', country: 'US', state: 'CA', classId: 'standard', bps: 725 },
  ],
  tax: { origin: 'DE', oss: true },
});
