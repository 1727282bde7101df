/** Invents customers. Their email domains are reserved for examples, so no email can reach anyone. */
import type { Random } from '../random.ts';

export type Person = {
  name: string;
  email: string;
  market: 'us' | 'eu';
  /** In the format of the storefront's checkout form. */
  address: string;
  /** IP address. */
  ip: string;
  hasAccount: boolean;
};

type Country = {
  market: Person['market'];
  firstNames: string[];
  lastNames: string[];
  /** A street with this house number. */
  street: (number: number, random: Random) => string;
  places: string[];
};

const UNITED_STATES: Country = {
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
  market: 'eu',
  firstNames: 'Anna Lukas Lena Jonas Marie Felix Sophie Paul Clara Moritz Johanna Emil Greta Matthias'.split(' '),
  lastNames: 'Keller Schneider Hoffmann Brandt Vogel Neumann Albrecht Sommer Krüger Lindner Weiß Berger'.split(' '),
  street: (number, random) =>
    `${random.pick(['Gartenstraße', 'Lindenweg', 'Schillerstraße', 'Am Markt', 'Bergstraße', 'Uferweg'])} ${number}`,
  places: ['10405 Berlin', '20357 Hamburg', '80469 München', '04229 Leipzig', '50674 Köln', '70178 Stuttgart'],
};

const FRANCE: Country = {
  market: 'eu',
  firstNames: 'Camille Hugo Manon Louis Élise Antoine Juliette Théo'.split(' '),
  lastNames: 'Moreau Lefèvre Girard Fontaine Mercier Rousseau Chevalier'.split(' '),
  street: (number, random) =>
    `${number} ${random.pick(['rue des Lilas', 'rue Voltaire', 'avenue Foch', 'place du Marché'])}`,
  places: ['69004 Lyon', '75011 Paris', '44000 Nantes', '33000 Bordeaux'],
};

const NETHERLANDS: Country = {
  market: 'eu',
  firstNames: 'Sanne Daan Fleur Bram Lotte Thijs'.split(' '),
  lastNames: 'Visser Bakker Dekker Mulder Vos'.split(' '),
  street: (number, random) => `${random.pick(['Prinsengracht', 'Kerkstraat', 'Oudegracht', 'Molenweg'])} ${number}`,
  places: ['1016 Amsterdam', '3511 Utrecht', '9711 Groningen'],
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
    return {
      name,
      email,
      market: country.market,
      address: `${name}, ${street}, ${random.pick(country.places)}`,
      ip: `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.between(1, 254)}`,
      hasAccount: random.chance(0.4),
    };
  };
}

const plain = (text: string) =>
  text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ü', 'ue').normalize('NFD').replaceAll(/\p{M}/gu, '');
