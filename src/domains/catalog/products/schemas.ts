import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Block, BlockInput, type BlockValue, MAX_BLOCKS } from '../../../shared/blocks/index.ts';
import { CountedPageQuery, SortDirection } from '../../../shared/paging.ts';
import { plannedFields } from '../../../shared/records/planned-fields.ts';
import {
  PublicStatusEntry,
  ScheduledInput,
  ScheduledStatus,
  StatusEntry,
  StatusInput,
  withStatuses,
} from '../../../shared/records/status-schemas.ts';
import {
  Bulk,
  BulkResults,
  BusinessId,
  ChosenId,
  CountedPageOf,
  Country,
  Currency,
  Description,
  Etag,
  Id,
  IdOrSlug,
  Input,
  MarketCode,
  Media,
  MediaInput,
  MoneyMinor,
  Name,
  Nullable,
  OneOf,
  Slug,
  Timestamp,
} from '../../../shared/schemas.ts';
import { Facets, facetParameters } from '../facets/schemas.ts';
import {
  DefaultSlug,
  LocaleQuery,
  ProductTranslations,
  ProductTranslationsInput,
  RichText,
  Seo,
  SeoInput,
} from '../translations/schemas.ts';
import {
  Manufacturer,
  ManufacturerInput,
  Safety,
  SafetyInput,
  UnitPrice,
  UnitPricing,
  UnitPricingInput,
} from './detail-schemas.ts';

export const PRODUCT_STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;
export const ProductStatusEntry = withStatuses(StatusEntry, PRODUCT_STATUSES);
export const ScheduledProductStatus = withStatuses(ScheduledStatus, PRODUCT_STATUSES);
export const ProductStatusInput = withStatuses(StatusInput, PRODUCT_STATUSES);
/** Reserved path segments, which can't be product slugs. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['categories']);
/** Fits 1,000 variants with images and prices in a few markets. */
export const PRODUCT_BYTES = 4 * 1_048_576;
export const MAX_STOCK = 1_000_000_000;

const StockQuantity = Type.Integer({ minimum: 0, maximum: MAX_STOCK, examples: [25] });
const Sku = Type.String({ maxLength: 100, examples: ['LIN-M-WHITE'] });
const Category = Type.String({ maxLength: 200, examples: ['clothing'] });
const Attribute = { name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 500 }) };
const Attributes = { maxItems: 50, examples: [[{ name: 'size', value: 'M' }]] };
const MarketPriceInput = Input({
  marketId: MarketCode,
  currency: Currency,
  price: MoneyMinor,
  compareAtPrice: Type.Optional(MoneyMinor),
});
export const MarketPrice = Type.Object({
  ...MarketPriceInput.properties,
  lowestPrice30: Type.Optional(
    Type.Integer({
      ...MoneyMinor,
      description:
        'The lowest price in the 30 days before this reduction began. Set if `compareAtPrice` is higher than `price`. If the variant was not for sale in those 30 days, this is its most recent price before then. If it never had another price, this is `price`.',
    }),
  ),
  unitPrice: Type.Optional(UnitPrice),
});
export type MarketPrice = Static<typeof MarketPrice>;

export const DEFAULT_TAX_CLASS = 'standard';
const TaxClassId = Type.String({ ...ChosenId, description: 'Defaults to `standard`.', examples: ['standard'] });
const RequiresShipping = Type.Boolean({
  description: 'Whether the variant requires shipping. False for digital goods and services.',
  examples: [true],
});
/** Details for shipping and customs. */
const customs = {
  weight: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Weight in grams.', examples: [350] }),
  barcode: Type.String({ maxLength: 100, description: 'EAN, UPC or ISBN.', examples: ['4006381333931'] }),
  hsCode: Type.String({
    maxLength: 20,
    pattern: '^[0-9. ]{4,20}$',
    description: 'The Harmonized System (HS) code.',
    examples: ['6205.20'],
  }),
  originCountry: Type.String({ ...Country, description: 'The country of manufacture.', examples: ['PT'] }),
};

const inventoryFields = <Q extends TSchema>(quantity: Q) => ({
  tracked: Type.Boolean({
    description: 'Whether stock is tracked. If false, the variant never runs out.',
    examples: [true],
  }),
  quantity,
  lowStockThreshold: Type.Optional(StockQuantity),
});
export const Inventory = Type.Object(inventoryFields(StockQuantity));
export type Inventory = Static<typeof Inventory>;

const variantFields = <Q extends TSchema>(quantity: Q) => ({
  id: ChosenId,
  name: Type.String({ examples: ['Medium, white'] }),
  sku: Sku,
  attributes: Type.Array(Type.Object(Attribute), Attributes),
  pricing: Type.Object({ markets: Type.Array(MarketPrice) }),
  inventory: Type.Object(inventoryFields(quantity)),
  gallery: Type.Optional(Type.Array(Media)),
  unitPricing: Type.Optional(UnitPricing),
  requiresShipping: RequiresShipping,
  ...Type.Partial(Type.Object(customs)).properties,
});
export const Variant = Type.Object(variantFields(StockQuantity));
export type Variant = Static<typeof Variant>;

/** The public fields. Member-only fields come in through `status` and `planned`. */
export const productFields = <Q extends TSchema, S extends TSchema, P extends TProperties>(
  quantity: Q,
  status: S,
  planned: P,
) => ({
  id: Id,
  businessId: BusinessId,
  name: Name('Linen shirt'),
  slug: Slug('linen-shirt'),
  defaultSlug: DefaultSlug,
  description: Description,
  descriptionHtml: Type.Optional(RichText),
  category: Category,
  categoryIds: Type.Array(Id, { description: 'The storefront categories of the product.' }),
  relatedIds: Type.Array(Id, { description: 'Related products that a member selected.' }),
  taxClassId: TaxClassId,
  seo: Type.Optional(Seo),
  translations: Type.Optional(ProductTranslations),
  manufacturer: Type.Optional(Manufacturer),
  safety: Type.Optional(Safety),
  gallery: Type.Array(Media),
  variants: Type.Array(Type.Object(variantFields(quantity))),
  statuses: Type.Array(status),
  ...planned,
  blocks: Type.Unsafe<BlockValue[]>(Type.Array(Block)),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export const Product = Type.Object(
  productFields(StockQuantity, ProductStatusEntry, plannedFields(ScheduledProductStatus)),
);
export type Product = Static<typeof Product>;
export const ListedProduct = Type.Object({ ...Product.properties, etag: Etag });

export const PublicProduct = Type.Object(
  productFields(StockQuantity, withStatuses(PublicStatusEntry, PRODUCT_STATUSES), {}),
);

export const InventoryInput = Input({
  tracked: Type.Optional(Type.Boolean({ description: 'For new variants, defaults to true.' })),
  quantity: Type.Optional(StockQuantity),
  lowStockThreshold: Type.Optional(Nullable(StockQuantity)),
});

const Gallery = Type.Array(MediaInput, { maxItems: 100 });

export const VariantInput = Input({
  id: Type.Optional(ChosenId),
  name: Type.Optional(Type.String({ maxLength: 200, examples: ['Medium, white'] })),
  sku: Type.Optional(Sku),
  attributes: Type.Optional(Type.Array(Input(Attribute), Attributes)),
  pricing: Type.Optional(Input({ markets: Type.Optional(Type.Array(MarketPriceInput, { maxItems: 200 })) })),
  inventory: Type.Optional(InventoryInput),
  gallery: Type.Optional(Gallery),
  unitPricing: Type.Optional(Nullable(UnitPricingInput)),
  requiresShipping: Type.Optional(RequiresShipping),
  weight: Type.Optional(Nullable(customs.weight)),
  barcode: Type.Optional(Nullable(customs.barcode)),
  hsCode: Type.Optional(Nullable(customs.hsCode)),
  originCountry: Type.Optional(Nullable(customs.originCountry)),
});
export type VariantInput = Static<typeof VariantInput>;

const FIELDS = {
  slug: Type.Optional(Slug('linen-shirt')),
  description: Type.Optional(Description),
  descriptionHtml: Type.Optional(
    Nullable({
      ...RichText,
      description: 'The description as HTML. If `description` is omitted, it is set to the plain text of this field.',
    } as typeof RichText),
  ),
  category: Type.Optional(Category),
  categoryIds: Type.Optional(Type.Array(Id, { maxItems: 50, uniqueItems: true })),
  relatedIds: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true })),
  taxClassId: Type.Optional(TaxClassId),
  seo: SeoInput,
  translations: ProductTranslationsInput,
  manufacturer: ManufacturerInput,
  safety: SafetyInput,
  gallery: Type.Optional(Gallery),
  variants: Type.Optional(Type.Array(VariantInput, { maxItems: 1000 })),
  statuses: Type.Optional(Type.Array(ProductStatusInput, { maxItems: 100 })),
  status: Type.Optional(OneOf(PRODUCT_STATUSES, { description: 'Shorthand for `statuses` with a single new status.' })),
  scheduled: ScheduledInput(ProductStatusInput),
  blocks: Type.Optional(Type.Array(BlockInput, { maxItems: MAX_BLOCKS })),
};
export const ProductInput = Input({ name: Name('Linen shirt'), ...FIELDS });
export type ProductInput = Static<typeof ProductInput>;
export const ProductChanges = Input({ name: Type.Optional(Name('Linen shirt')), ...FIELDS });
export type ProductChanges = Static<typeof ProductChanges>;

export const ProductSummary = Type.Object({
  id: Id,
  name: Name('Linen shirt'),
  slug: Slug('linen-shirt'),
  category: Category,
  image: Nullable(
    Type.Object(
      { id: Media.properties.id, url: Media.properties.url, mimeType: Media.properties.mimeType },
      { description: 'The first image.' },
    ),
  ),
});
export type ProductSummary = Static<typeof ProductSummary>;

const Prices = Type.Array(MarketPriceInput, {
  maxItems: 200,
  description: 'The prices of the variant, one for each market. They replace the previous prices.',
});
export const PriceItem = Input({ productId: IdOrSlug, variantId: ChosenId, prices: Prices });
export type PriceItem = Static<typeof PriceItem>;
export const PriceInputs = Bulk(PriceItem);
export const VariantPrices = Type.Object({
  productId: Id,
  variantId: ChosenId,
  prices: Type.Array(MarketPrice),
});
export type VariantPrices = Static<typeof VariantPrices>;
export const PriceResults = BulkResults(VariantPrices);

const SORTS = ['newest', 'oldest', 'name', 'price', 'best-selling', 'relevance'] as const;

export const ProductQuery = Type.Object({
  ...CountedPageQuery.properties,
  category: Type.Optional(Category),
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'Search text. Returns the best matches first.', examples: ['linen'] }),
  ),
  categoryIds: Type.Optional(
    Type.Array(Category, { maxItems: 100, description: 'Returns products with any of these values in `category`.' }),
  ),
  status: Type.Optional(OneOf(PRODUCT_STATUSES)),
  statuses: Type.Optional(
    Type.Array(OneOf(PRODUCT_STATUSES), { description: 'Returns products with any of these statuses.' }),
  ),
  slug: Type.Optional(Type.String({ maxLength: 100 })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  lowStock: Type.Optional(
    Type.Boolean({ description: 'Returns only products with a variant at or below its low-stock threshold.' }),
  ),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  sort: Type.Optional(
    OneOf(SORTS, {
      description: '`best-selling` counts the items sold in the last 90 days, and is updated once a day.',
    }),
  ),
  sortField: Type.Optional(
    OneOf(['createdAt', 'name', 'price', 'relevance'], {
      description: 'The field to sort by, with `sortDirection`. Use either this or `sort`.',
    }),
  ),
  sortDirection: Type.Optional(SortDirection),
  market: Type.Optional(MarketCode),
  ...facetParameters,
  ...LocaleQuery.properties,
});
export type ProductQuery = Static<typeof ProductQuery>;

export const ProductPage = Type.Object({
  ...CountedPageOf(ListedProduct).properties,
  facets: Type.Optional(Facets),
});

export const RelatedQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'The maximum is 100.', examples: [4] })),
  ...LocaleQuery.properties,
});

export const CategoryCount = Type.Object({
  category: Category,
  count: Type.Integer({
    description: 'Number of products in the category. Capped at 10,000.',
    examples: [12],
  }),
});
