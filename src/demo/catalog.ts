import { fileURLToPath } from 'node:url';
import type { Command, Steps } from '../context/index.ts';
import {
  addProduct,
  type CatalogServices,
  type PriceRow,
  type Product,
  type ProductInput,
} from '../domains/catalog/index.ts';
import { addMedia, type MediaRow, type MediaServices, storeDrawing } from '../domains/media/index.ts';
import { DETAILS, seedCategories } from './categories.ts';
import { PARCELS } from './parcels.ts';
import { DAY } from './past.ts';

const IMAGES = new URL('./images/', import.meta.url);
const PIXELS = { width: 400, height: 400 };
const THUMBNAIL_PIXELS = { width: 320, height: 320 };

/** Stores the product images and returns them in the order of the products. */
export const storeImages = (ctx: Steps<MediaServices>): Promise<MediaRow[]> =>
  Promise.all(
    GOODS.map(({ slug }) => {
      const pathOf = (extension: string) => fileURLToPath(new URL(`${slug}.${extension}`, IMAGES));
      const thumbnail = { ...THUMBNAIL_PIXELS, path: pathOf('png') };
      return storeDrawing(ctx, { ...PIXELS, path: pathOf('svg') }, thumbnail);
    }),
  );

/** Quantities by `keyOf(slug, variant)`. */
type Quantities = ReadonlyMap<string, number>;

export const keyOf = (slug: string, variant: string) => `${slug} ${variant}`;

/** Today's stock of each variant, except untracked ones. */
export const stockToday = (): Quantities =>
  new Map(
    GOODS.flatMap(({ slug, stock }) =>
      Object.entries(stock).flatMap(([choice, quantity]) =>
        quantity === null ? [] : [[keyOf(slug, variantId(choice)), quantity] as const],
      ),
    ),
  );

/** Adds the products. `stock`: their quantities on the first day. */
export async function seedCatalog(
  ctx: Command<CatalogServices>,
  images: readonly MediaRow[],
  stock: Quantities = stockToday(),
): Promise<Product[]> {
  const categories = await seedCategories(ctx);
  const products: Product[] = [];
  for (const [i, good] of GOODS.entries()) {
    const { id } = await addMedia(ctx, described(images[i]!, good.name));
    const categoryIds = categories.get(good.slug) ?? [];
    const input = { ...productOf(good, stock), categoryIds, gallery: [{ id }] };
    products.push(await addProduct(ctx, { input, history: pricesBefore(good, ctx.now) }));
  }
  return products;
}

/** The sales began when the shop opened. */
const pricesBefore = ({ price, stock }: Good, openedAt: number): PriceRow[] =>
  price.usBefore === undefined
    ? []
    : Object.keys(stock).map((choice) => ({
        variantId: variantId(choice),
        market: 'us',
        currency: 'usd',
        amount: price.usBefore!,
        compareAt: null,
        since: openedAt - 30 * DAY,
      }));

const described = (row: MediaRow, name: string): MediaRow => ({
  ...row,
  details: { ...row.details, alt: { en: name } },
});

type Good = {
  /** Also the file name of its image. */
  slug: string;
  name: string;
  category: string;
  description: string;
  /** Prices in both markets, and the US price before a sale. */
  price: { us: number; eu: number; usBefore?: number };
  /** Today's stock by variant name. Null: untracked. */
  stock: Record<string, number | null>;
  /** The attribute that distinguishes the variants. */
  option?: string;
};

export const variantId = (choice: string) => choice.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function productOf(
  { slug, name, category, description, price, stock, option }: Good,
  quantities: Quantities,
): ProductInput {
  const { content, ...details } = DETAILS[slug] ?? {};
  return {
    name,
    slug,
    category,
    description,
    ...details,
    variants: Object.entries(stock).map(([choice, left]) => ({
      id: variantId(choice),
      name: choice,
      sku: `${slug}-${choice}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '-'),
      attributes: option ? [{ name: option, value: choice }] : [],
      ...(content ? { unitPricing: content } : {}),
      ...PARCELS[slug],
      pricing: {
        markets: [
          { marketId: 'us', currency: 'usd', price: price.us, compareAtPrice: price.usBefore },
          { marketId: 'eu', currency: 'eur', price: price.eu },
        ],
      },
      inventory:
        left === null
          ? { tracked: false }
          : { tracked: true, quantity: quantities.get(keyOf(slug, variantId(choice))) ?? left, lowStockThreshold: 5 },
    })),
  };
}

export const GOODS: Good[] = [
  {
    slug: 'canvas-tote',
    name: 'Canvas tote bag',
    category: 'bags',
    description: 'Heavy organic canvas with an inner pocket and handles that fit over your shoulder.',
    price: { us: 2900, eu: 2700 },
    stock: { Natural: 60 },
  },
  {
    slug: 'linen-shirt',
    name: 'Linen shirt',
    category: 'clothing',
    description: 'A light shirt in washed European linen with shell buttons. Wears in, not out.',
    price: { us: 6900, eu: 6500 },
    option: 'size',
    stock: { S: 14, M: 22, L: 17, XL: 4 },
  },
  {
    slug: 'merino-sweater',
    name: 'Merino sweater',
    category: 'clothing',
    description: 'Fine merino, knit in one piece. Warm without the weight, and soft on bare skin.',
    price: { us: 9800, eu: 9200, usBefore: 12_000 },
    option: 'size',
    stock: { S: 8, M: 12, L: 9 },
  },
  {
    slug: 'wool-socks',
    name: 'Wool socks',
    category: 'clothing',
    description: 'Two pairs for cold floors and long walks, with reinforced heels and toes.',
    price: { us: 2400, eu: 2200 },
    option: 'size',
    stock: { '36-40': 40, '41-45': 36 },
  },
  {
    slug: 'leather-belt',
    name: 'Leather belt',
    category: 'clothing',
    description: 'Full-grain, vegetable-tanned leather with a solid brass buckle.',
    price: { us: 5400, eu: 5000 },
    option: 'length',
    stock: { '85 cm': 7, '95 cm': 11, '105 cm': 0 },
  },
  {
    slug: 'rain-jacket',
    name: 'Rain jacket',
    category: 'clothing',
    description: 'Waterproof waxed cotton with taped seams and a hood that stays where you put it.',
    price: { us: 14_900, eu: 13_900 },
    option: 'size',
    stock: { S: 5, M: 6, L: 6 },
  },
  {
    slug: 'weekend-backpack',
    name: 'Weekend backpack',
    category: 'bags',
    description: '28 liters for two days away, with a laptop sleeve, a bottle pocket, and leather zipper pulls.',
    price: { us: 12_500, eu: 11_800 },
    option: 'color',
    stock: { Moss: 9, Slate: 13 },
  },
  {
    slug: 'ceramic-mug',
    name: 'Ceramic mug',
    category: 'kitchen',
    description: 'Thrown and glazed by hand. Holds 300 ml. Dishwasher safe.',
    price: { us: 1800, eu: 1700 },
    option: 'color',
    stock: { 'Sea blue': 48, Sand: 35, Charcoal: 0 },
  },
  {
    slug: 'stoneware-bowls',
    name: 'Stoneware bowls, set of three',
    category: 'kitchen',
    description: 'Three nesting sizes for soup, salad, and rising dough.',
    price: { us: 5600, eu: 5200 },
    stock: { Celadon: 19 },
  },
  {
    slug: 'cutting-board',
    name: 'Walnut cutting board',
    category: 'kitchen',
    description: 'A single piece of oiled walnut with a handle for hanging. 40 by 28 cm.',
    price: { us: 4800, eu: 4500 },
    stock: { Walnut: 16 },
  },
  {
    slug: 'cast-iron-skillet',
    name: 'Cast iron skillet',
    category: 'kitchen',
    description: 'Seasoned with linseed oil and ready to use. Gets better with every breakfast.',
    price: { us: 5900, eu: 5500 },
    option: 'diameter',
    stock: { '20 cm': 12, '26 cm': 8 },
  },
  {
    slug: 'pour-over',
    name: 'Pour-over coffee maker',
    category: 'kitchen',
    description: 'Heatproof glass with a wooden collar. Makes four cups. Takes paper or steel filters.',
    price: { us: 4200, eu: 3900 },
    stock: { Glass: 21 },
  },
  {
    slug: 'enamel-teapot',
    name: 'Enamel teapot',
    category: 'kitchen',
    description: 'Enough tea for a whole afternoon: 1.2 liters, with a steel strainer and chip-resistant enamel.',
    price: { us: 3600, eu: 3400 },
    option: 'color',
    stock: { Red: 10, White: 15 },
  },
  {
    slug: 'chefs-knife',
    name: "Chef's knife",
    category: 'kitchen',
    description: 'A 20 cm carbon steel blade that takes a fine edge, with a smoked oak handle.',
    price: { us: 11_900, eu: 11_000 },
    stock: { '20 cm': 6 },
  },
  {
    slug: 'beeswax-candle',
    name: 'Beeswax candle',
    category: 'home',
    description: 'Pure beeswax with a cotton wick. Burns for 40 hours and smells like summer.',
    price: { us: 1600, eu: 1500 },
    stock: { Single: 75 },
  },
  {
    slug: 'linen-cushion',
    name: 'Linen cushion',
    category: 'home',
    description: 'Stone-washed linen cover with a feather filling. 50 by 50 cm.',
    price: { us: 3900, eu: 3600, usBefore: 4500 },
    option: 'color',
    stock: { Sage: 18, Oat: 24, Rust: 2 },
  },
  {
    slug: 'desk-lamp',
    name: 'Desk lamp',
    category: 'home',
    description: 'Two joints and one warm light. Turn the shade to dim it. Bulb included.',
    price: { us: 8900, eu: 8400 },
    stock: { Amber: 11 },
  },
  {
    slug: 'wall-clock',
    name: 'Wall clock',
    category: 'home',
    description: 'A silent movement in a turned walnut frame. 30 cm across.',
    price: { us: 6400, eu: 5900 },
    stock: { Walnut: 9 },
  },
  {
    slug: 'wool-blanket',
    name: 'Wool blanket',
    category: 'home',
    description: 'Woven from new wool on old looms, with a fringe. 140 by 200 cm.',
    price: { us: 13_500, eu: 12_500 },
    option: 'color',
    stock: { Plum: 7, Stone: 10 },
  },
  {
    slug: 'terracotta-planter',
    name: 'Terracotta planter',
    category: 'garden',
    description: 'Frost-proof clay that lets roots breathe. Saucer included.',
    price: { us: 2200, eu: 2000 },
    option: 'diameter',
    stock: { '15 cm': 30, '22 cm': 18 },
  },
  {
    slug: 'notebook',
    name: 'Notebook',
    category: 'stationery',
    description: '192 pages of fountain-pen-friendly paper, sewn to lie flat.',
    price: { us: 1900, eu: 1800 },
    option: 'ruling',
    stock: { Dotted: 55, Plain: 42, Lined: 38 },
  },
  {
    slug: 'fountain-pen',
    name: 'Fountain pen',
    category: 'stationery',
    description: 'A forgiving steel nib, a converter in the box, and a cap that posts with a click.',
    price: { us: 7200, eu: 6800 },
    option: 'nib',
    stock: { Fine: 12, Medium: 14 },
  },
  {
    slug: 'gift-card',
    name: 'Gift card',
    category: 'gifts',
    description: 'A printed card that never expires.',
    price: { us: 5000, eu: 5000 },
    stock: { Card: null },
  },
  {
    slug: 'sample-card',
    name: 'Fabric sample card',
    category: 'gifts',
    description: 'Six of our fabrics to touch before you choose. On the house.',
    price: { us: 0, eu: 0 },
    stock: { Card: 200 },
  },
];
