/** The category tree of the demo shop, and product details besides price and stock. */
import type { Command } from '../context/index.ts';
import { addCategory, type CatalogServices, type ProductInput } from '../domains/catalog/index.ts';

type Branch = {
  slug: string;
  name: string;
  german: { name: string; slug: string };
  text?: string;
  /** Slugs of the products. */
  goods?: readonly string[];
  children?: readonly Branch[];
};

const TREE: readonly Branch[] = [
  {
    slug: 'clothing',
    name: 'Clothing',
    german: { name: 'Kleidung', slug: 'kleidung' },
    text: '<p>Natural fibers that get better with every wash.</p>',
    children: [
      {
        slug: 'tops',
        name: 'Shirts and sweaters',
        german: { name: 'Hemden und Pullover', slug: 'hemden-und-pullover' },
        goods: ['linen-shirt', 'merino-sweater'],
      },
      { slug: 'jackets', name: 'Jackets', german: { name: 'Jacken', slug: 'jacken' }, goods: ['rain-jacket'] },
      {
        slug: 'accessories',
        name: 'Accessories',
        german: { name: 'Accessoires', slug: 'accessoires' },
        goods: ['wool-socks', 'leather-belt'],
      },
    ],
  },
  {
    slug: 'kitchen',
    name: 'Kitchen',
    german: { name: 'Küche', slug: 'kueche' },
    text: '<p>Clay, iron, and walnut for people who cook every day.</p>',
    children: [
      {
        slug: 'tableware',
        name: 'Tableware',
        german: { name: 'Geschirr', slug: 'geschirr' },
        goods: ['ceramic-mug', 'stoneware-bowls'],
      },
      {
        slug: 'cooking',
        name: 'Cooking',
        german: { name: 'Kochen', slug: 'kochen' },
        goods: ['cutting-board', 'cast-iron-skillet', 'chefs-knife'],
      },
      {
        slug: 'tea-and-coffee',
        name: 'Tea and coffee',
        german: { name: 'Tee und Kaffee', slug: 'tee-und-kaffee' },
        goods: ['pour-over', 'enamel-teapot', 'ceramic-mug'],
      },
    ],
  },
  {
    slug: 'home-and-living',
    name: 'Home and living',
    german: { name: 'Wohnen', slug: 'wohnen' },
    goods: ['wall-clock'],
    children: [
      {
        slug: 'textiles',
        name: 'Cushions and blankets',
        german: { name: 'Kissen und Decken', slug: 'kissen-und-decken' },
        goods: ['linen-cushion', 'wool-blanket'],
      },
      {
        slug: 'lighting',
        name: 'Lighting',
        german: { name: 'Beleuchtung', slug: 'beleuchtung' },
        goods: ['beeswax-candle', 'desk-lamp'],
      },
    ],
  },
  {
    slug: 'bags',
    name: 'Bags',
    german: { name: 'Taschen', slug: 'taschen' },
    goods: ['canvas-tote', 'weekend-backpack'],
  },
  {
    slug: 'gifts',
    name: 'Gifts',
    german: { name: 'Geschenke', slug: 'geschenke' },
    goods: ['gift-card', 'sample-card', 'notebook', 'fountain-pen', 'terracotta-planter', 'beeswax-candle'],
  },
];

/** Creates the categories and returns their IDs by the slug of each product. */
export async function seedCategories(ctx: Command<CatalogServices>): Promise<Map<string, string[]>> {
  const idsOf = new Map<string, string[]>();
  const add = async (branches: readonly Branch[], parentId: string | null): Promise<void> => {
    for (const { slug, name, german, text = '', goods = [], children = [] } of branches) {
      const input = { slug, name, parentId, description: text, translations: { de: german } };
      const { id } = await addCategory(ctx, { input });
      for (const good of goods) idsOf.set(good, [...(idsOf.get(good) ?? []), id]);
      await add(children, id);
    }
  };
  await add(TREE, null);
  return idsOf;
}

type Details = Pick<ProductInput, 'translations' | 'manufacturer' | 'safety' | 'seo' | 'descriptionHtml'> & {
  /** The contents of a variant. */
  content?: { amount: number; unit: 'g' };
};

const HIVE = { name: 'Hive & Wick', address: 'Imkerweg 4, 79098 Freiburg, Germany', email: 'hello@hive.example' };
const FORGE = { name: 'Lund Forge', address: 'Smedgatan 12, 222 22 Lund, Sweden', url: 'https://forge.example' };

/** By slug. */
export const DETAILS: Readonly<Record<string, Details>> = {
  'linen-shirt': {
    descriptionHtml:
      '<p>A light shirt in washed European linen with shell buttons. Wears in, not out.</p><ul><li>170 g/m² linen from Normandy</li><li>Sewn in Guimarães, Portugal</li><li>Machine wash at 30 °C</li></ul>',
    translations: {
      de: {
        name: 'Leinenhemd',
        slug: 'leinenhemd',
        descriptionHtml:
          '<p>Ein leichtes Hemd aus gewaschenem europäischem Leinen mit Knöpfen aus Perlmutt. Es wird mit den Jahren schöner.</p><ul><li>170 g/m² Leinen aus der Normandie</li><li>Genäht in Guimarães, Portugal</li><li>Maschinenwäsche bei 30 °C</li></ul>',
      },
    },
    seo: { title: 'Linen shirt, sewn in Portugal' },
    manufacturer: {
      name: 'Linho Lda',
      address: 'Rua do Linho 1, 4800-001 Guimarães, Portugal',
      email: 'ola@linho.example',
    },
  },
  'ceramic-mug': {
    translations: {
      de: {
        name: 'Keramikbecher',
        slug: 'keramikbecher',
        description: 'Von Hand gedreht und glasiert. Fasst 300 ml. Spülmaschinenfest.',
      },
    },
  },
  'beeswax-candle': {
    content: { amount: 220, unit: 'g' },
    translations: {
      de: {
        name: 'Bienenwachskerze',
        slug: 'bienenwachskerze',
        description: 'Reines Bienenwachs mit Baumwolldocht. Brennt 40 Stunden und duftet nach Sommer.',
      },
    },
    manufacturer: HIVE,
    safety: { warnings: 'Never leave a burning candle unattended. Keep away from children and pets.' },
  },
  'chefs-knife': {
    translations: {
      de: {
        name: 'Kochmesser',
        slug: 'kochmesser',
        description:
          '20 cm lange Klinge aus Kohlenstoffstahl, die sich sehr fein schärfen lässt. Griff aus Räuchereiche.',
      },
    },
    manufacturer: FORGE,
    safety: { warnings: 'Sharp blade. Keep out of reach of children.' },
  },
};
