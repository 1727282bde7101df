/** Invents customers. Their email domains are reserved for examples, so no email can reach anyone. */
import type { PartialAddress } from '../../shared/schemas.ts';
import type { Random } from '../random.ts';

export type Person = {
  name: string;
  email: string;
  market: 'us' | 'eu';
  /** In the format of the storefront's checkout form. */
  address: string;
  shippingAddress: PartialAddress;
  /** IP address. */
  ip: string;
  hasAccount: boolean;
};

type Country = {
  code: string;
  market: Person['market'];
  firstNames: string[];
  lastNames: string[];
  /** A street with this house number. */
  street: (number: number, random: Random) => string;
  places: string[];
};

const UNITED_STATES: Country = {
  code: 'US',
  market: 'us',
  firstNames:
    'Emma Olivia Noah Liam Ava Ethan Harper Mason Grace Caleb Nora Henry Maya Lucas Ruth Owen Chloe Isaac Stella Jonah Priya Marcus'.split(
      ' ',
    ),
  lastNames:
    'Carter Nguyen Brooks Ramirez Bennett Hughes Foster Patel Sullivan Reyes Coleman Novak Whitaker Kim Barnes Lindqvist Osborne Delgado Hayes Mercer'.split(
      ' ',
    ),
  street: (number, random) =>
    `${number} ${random.pick(['Alder Street', 'Maple Avenue', 'Juniper Lane', 'Harrison Street', 'Lakeview Drive', 'Cedar Court', 'Mission Street'])}`,
  places: [
    'Portland, OR 97205',
    'San Francisco, CA 94110',
    'Austin, TX 78704',
    'Chicago, IL 60614',
    'Brooklyn, NY 11215',
    'Seattle, WA 98103',
    'Cambridge, MA 02139',
    'Minneapolis, MN 55408',
  ],
};

const GERMANY: Country = {
  code: 'DE',
  market: 'eu',
  firstNames: 'Anna Lukas Lena Jonas Marie Felix Sophie Paul Clara Moritz Johanna Emil Greta Matthias'.split(' '),
  lastNames: 'Keller Schneider Hoffmann Brandt Vogel Neumann Albrecht Sommer Krüger Lindner Weiß Berger'.split(' '),
  street: (number, random) =>
    `${random.pick(['Gartenstraße', 'Lindenweg', 'Schillerstraße', 'Am Markt', 'Bergstraße', 'Uferweg'])} ${number}`,
  places: ['10405 Berlin', '20357 Hamburg', '80469 München', '04229 Leipzig', '50674 Köln', '70178 Stuttgart'],
};

const FRANCE: Country = {
  code: 'FR',
  market: 'eu',
  firstNames: 'Camille Hugo Manon Louis Élise Antoine Juliette Théo'.split(' '),
  lastNames: 'Moreau Lefèvre Girard Fontaine Mercier Rousseau Chevalier'.split(' '),
  street: (number, random) =>
    `${number} ${random.pick(['rue des Lilas', 'rue Voltaire', 'avenue Foch', 'place du Marché'])}`,
  places: ['69004 Lyon', '75011 Paris', '44000 Nantes', '33000 Bordeaux'],
};

const NETHERLANDS: Country = {
  code: 'NL',
  market: 'eu',
  firstNames: 'Sanne Daan Fleur Bram Lotte Thijs'.split(' '),
  lastNames: 'Visser Bakker Dekker Mulder Vos'.split(' '),
  street: (number, random) => `${random.pick(['Prinsengracht', 'Kerkstraat', 'Oudegracht', 'Molenweg'])} ${number}`,
  places: ['1016 GV Amsterdam', '3511 AB Utrecht', '9711 LM Groningen'],
};

/** Names and emails are unique. */
export function createPeople(random: Random): () => Person {
  const known = new Set<string>();

  return function invent(): Person {
    const country = random.weighted([
      [UNITED_STATES, 57],
      [GERMANY, 26],
      [FRANCE, 10],
      [NETHERLANDS, 7],
    ]);
    const firstName = random.pick(country.firstNames);
    const lastName = random.pick(country.lastNames);
    const name = `${firstName} ${lastName}`;
    if (known.has(name)) return invent();
    known.add(name);
    const domain = random.pick(['example.com', 'example.org', 'example.net']);
    const local = random.weighted([
      [`${firstName}.${lastName}`, 6],
      [`${firstName[0]}${lastName}`, 2],
      [`${firstName}${random.between(71, 99)}`, 1],
    ]);
    const email = `${plain(local)}@${domain}`;
    if (known.has(email)) return invent();
    known.add(email);
    const street = country.street(random.between(1, 180), random);
    const place = random.pick(country.places);
    return {
      name,
      email,
      market: country.market,
      address: `${name}, ${street}, ${place}`,
      shippingAddress: addressIn(country.code, { name, street, place }),
      ip: `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.between(1, 254)}`,
      hasAccount: random.chance(0.4),
    };
  };
}

/** A place is `City, ST 12345` in the United States and `12345 City` elsewhere. */
export function addressIn(country: string, { name, street, place }: { name: string; street: string; place: string }) {
  const [, city, state, zip] = /^(.+), ([A-Z]{2}) (\d{5})$/.exec(place) ?? [];
  const [, code, town] = /^(\d+(?: [A-Z]{2})?) (.+)$/.exec(place) ?? [];
  return { name, street, city: city ?? town!, ...(state && { state }), zip: zip ?? code!, country };
}

const plain = (text: string) =>
  text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ü', 'ue').normalize('NFD').replaceAll(/\p{M}/gu, '');
