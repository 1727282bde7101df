/**
 * A product as the form has it. Stock is not in it: an existing variant's is changed by `adjust` only, so that a save never writes
 * back a number that was read.
 */
import type { Block, Media, Product, ProductChanges, Variant, VariantInput } from '@souk/client';
import type { Version } from '../../parts/record.tsx';
import { addStatus, statusOf } from '../../parts/show.tsx';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export type Price = { price: number | null; compareAt: number | null };

export type VariantForm = {
  id: string;
  isNew: boolean;
  name: string;
  sku: string;
  attributes: { name: string; value: string }[];
  /** By market. */
  prices: Record<string, Price>;
  tracked: boolean;
  /** Of a new variant; null for one that exists. */
  quantity: number | null;
  threshold: number | null;
  gallery: Media[];
};

export type ProductForm = {
  name: string;
  slug: string;
  description: string;
  category: string;
  status: string;
  gallery: Media[];
  variants: VariantForm[];
  blocks: Block[];
};

export type MarketColumn = { id: string; name: string; currency: string };

/** Those of the business, and those that the variants have prices in. */
export function marketColumns(products: readonly Pick<Product, 'variants'>[] = []): MarketColumn[] {
  const columns = new Map<string, MarketColumn>();
  for (const { id, name, currency } of business.value?.configs.markets ?? []) {
    columns.set(id.toLowerCase(), { id, name: name ?? id, currency });
  }
  const prices = products.flatMap(({ variants }) => variants.flatMap(({ pricing }) => pricing.markets));
  for (const { marketId, currency } of prices) {
    const key = marketId.toLowerCase();
    if (!columns.has(key)) columns.set(key, { id: marketId, name: marketId, currency });
  }
  return [...columns.values()];
}

export const EMPTY: ProductForm = {
  name: '',
  slug: '',
  description: '',
  category: '',
  status: 'ACTIVE',
  gallery: [],
  variants: [],
  blocks: [],
};

export const newVariant = (id: string, name: string, like?: VariantForm): VariantForm => ({
  id,
  isNew: true,
  name,
  sku: '',
  attributes: [],
  prices: like?.prices ?? {},
  tracked: like?.tracked ?? true,
  quantity: like?.quantity ?? 0,
  threshold: like?.threshold ?? null,
  gallery: [],
});

export const emptyProduct = (): ProductForm => ({
  ...EMPTY,
  variants: [newVariant('default', t('products.defaultVariant'))],
});

export const toForm = (product: Product): ProductForm => ({
  name: product.name,
  slug: product.slug,
  description: product.description,
  category: product.category,
  status: statusOf(product.statuses),
  gallery: product.gallery,
  variants: product.variants.map(toVariantForm),
  blocks: product.blocks,
});

function toVariantForm({ id, name, sku, attributes, pricing, inventory, gallery = [] }: Variant): VariantForm {
  return {
    id,
    isNew: false,
    name,
    sku,
    attributes,
    prices: Object.fromEntries(
      pricing.markets.map(({ marketId, price, compareAtPrice }) => [
        marketId,
        { price, compareAt: compareAtPrice ?? null },
      ]),
    ),
    tracked: inventory.tracked,
    quantity: null,
    threshold: inventory.lowStockThreshold ?? null,
    gallery,
  };
}

function toVariantInput(form: VariantForm, columns: MarketColumn[]): VariantInput {
  const { id, isNew, name, sku, attributes, prices, tracked, quantity, threshold, gallery } = form;
  const currencies = new Map(columns.map((column) => [column.id, column.currency]));
  const markets = Object.entries(prices).flatMap(([marketId, { price, compareAt }]) =>
    price === null
      ? []
      : [
          {
            marketId,
            currency: currencies.get(marketId) ?? 'usd',
            price,
            ...(compareAt === null ? {} : { compareAtPrice: compareAt }),
          },
        ],
  );
  return {
    id,
    name,
    sku,
    attributes,
    pricing: { markets },
    inventory: { tracked, lowStockThreshold: threshold, ...(isNew ? { quantity: quantity ?? 0 } : {}) },
    gallery,
  };
}

/** `statuses`: those that the product has, to which a new one is added. */
export function toChanges(
  { status, variants, ...changes }: Partial<ProductForm>,
  columns: MarketColumn[],
  statuses: Product['statuses'] = [],
): ProductChanges {
  return {
    ...changes,
    ...(status === undefined || status === statusOf(statuses) ? {} : { statuses: addStatus(statuses, status) }),
    ...(variants ? { variants: variants.map((variant) => toVariantInput(variant, columns)) } : {}),
  };
}

/** The record behind the form, for what the form does not have: stock and the history of statuses. */
export type LoadedProduct = Version<ProductForm> & { product: Product };

export const productKey = (id: string) => `product ${id}`;

export async function loadProduct(id: string, signal: AbortSignal): Promise<LoadedProduct> {
  const product = await souk.products.getDraft(id, { signal });
  return { values: toForm(product), etag: product.etag, product };
}
