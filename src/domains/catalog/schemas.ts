import Type, { type Static } from 'typebox';
import { Block, BlockInput, type BlockValue, MAX_BLOCKS } from '../../shared/blocks.ts';
import { PageQuery, SortDirection } from '../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
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
} from '../../shared/schemas.ts';
import { plannedFields, ScheduledInput, StatusEntry, StatusInput } from '../../shared/statuses.ts';

export const PRODUCT_STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;
/** Addresses beside those of products. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['categories']);
export const MAX_STOCK = 1_000_000_000;

const StockQuantity = Type.Integer({ minimum: 0, maximum: MAX_STOCK, examples: [25] });
const Sku = Type.String({ maxLength: 100, examples: ['LIN-M-WHITE'] });
const Category = Type.String({ maxLength: 200, examples: ['clothing'] });
const Attribute = { name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 500 }) };
const Attributes = { maxItems: 50, examples: [[{ name: 'size', value: 'M' }]] };
const MarketPrice = {
  marketId: MarketCode,
  currency: Currency,
  price: MoneyMinor,
  compareAtPrice: Type.Optional(MoneyMinor),
};

export const Inventory = Type.Object({
  tracked: Type.Boolean({ description: 'False: stock is unlimited.', examples: [true] }),
  quantity: StockQuantity,
  lowStockThreshold: Type.Optional(StockQuantity),
});
export type Inventory = Static<typeof Inventory>;

export const Variant = Type.Object({
  id: ChosenId,
  name: Type.String({ examples: ['Medium, white'] }),
  sku: Sku,
  attributes: Type.Array(Type.Object(Attribute), Attributes),
  pricing: Type.Object({ markets: Type.Array(Type.Object(MarketPrice)) }),
  inventory: Inventory,
  gallery: Type.Optional(Type.Array(Media)),
});
export type Variant = Static<typeof Variant>;

const productFields = {
  id: Id,
  businessId: BusinessId,
  name: Name,
  slug: Slug,
  description: Description,
  category: Category,
  gallery: Type.Array(Media),
  variants: Type.Array(Variant),
  statuses: Type.Array(StatusEntry),
  ...plannedFields,
  blocks: Type.Unsafe<BlockValue[]>(Type.Array(Block)),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const Product = Type.Object(productFields);
export type Product = Static<typeof Product>;
export const ListedProduct = Type.Object({ ...productFields, etag: Etag });

export const InventoryInput = Input({
  tracked: Type.Optional(Type.Boolean({ description: 'True unless said otherwise.' })),
  quantity: Type.Optional(StockQuantity),
  lowStockThreshold: Type.Optional(Nullable(StockQuantity)),
});

const Gallery = Type.Array(MediaInput, { maxItems: 100 });

export const VariantInput = Input({
  id: Type.Optional(ChosenId),
  name: Type.Optional(Type.String({ maxLength: 200, examples: ['Medium, white'] })),
  sku: Type.Optional(Sku),
  attributes: Type.Optional(Type.Array(Input(Attribute), Attributes)),
  pricing: Type.Optional(Input({ markets: Type.Optional(Type.Array(Input(MarketPrice), { maxItems: 200 })) })),
  inventory: Type.Optional(InventoryInput),
  gallery: Type.Optional(Gallery),
});
export type VariantInput = Static<typeof VariantInput>;

const FIELDS = {
  slug: Type.Optional(Slug),
  description: Type.Optional(Description),
  category: Type.Optional(Category),
  gallery: Type.Optional(Gallery),
  variants: Type.Optional(Type.Array(VariantInput, { maxItems: 250 })),
  statuses: Type.Optional(Type.Array(StatusInput, { maxItems: 100 })),
  scheduled: ScheduledInput,
  blocks: Type.Optional(Type.Array(BlockInput, { maxItems: MAX_BLOCKS })),
};
export const ProductInput = Input({
  name: Name,
  ...FIELDS,
  status: Type.Optional(OneOf(PRODUCT_STATUSES, { description: 'Short for `statuses` with this one entry.' })),
});
export type ProductInput = Static<typeof ProductInput>;
export const ProductChanges = Input({ name: Type.Optional(Name), ...FIELDS });
export type ProductChanges = Static<typeof ProductChanges>;

const SORTS = ['newest', 'oldest', 'name', 'price', 'relevance'] as const;

export const ProductQuery = Type.Object({
  ...PageQuery.properties,
  category: Type.Optional(Category),
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text search, best matches first.', examples: ['linen'] }),
  ),
  categoryIds: Type.Optional(
    Type.Array(Category, { maxItems: 100, description: 'Products of any of these categories.' }),
  ),
  status: Type.Optional(OneOf(PRODUCT_STATUSES)),
  statuses: Type.Optional(Type.Array(OneOf(PRODUCT_STATUSES), { description: 'Products in any of these statuses.' })),
  slug: Type.Optional(Type.String({ maxLength: 100 })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  lowStock: Type.Optional(Type.Boolean({ description: 'Only those with a variant at or below its threshold.' })),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  sort: Type.Optional(OneOf(SORTS)),
  sortField: Type.Optional(
    OneOf(['createdAt', 'name', 'price', 'relevance'], { description: 'Another way to say `sort`.' }),
  ),
  sortDirection: Type.Optional(SortDirection),
  market: Type.Optional(MarketCode),
});
export type ProductQuery = Static<typeof ProductQuery>;

export const CategoryCount = Type.Object({
  category: Category,
  count: Type.Integer({
    description: 'How many products are in it; 10000 stands for that many or more.',
    examples: [12],
  }),
});

export const VariantParams = Type.Object({ businessId: BusinessId, id: IdOrSlug, variantId: ChosenId });
export const AdjustInput = Input({
  adjust: Type.Integer({
    minimum: -MAX_STOCK,
    maximum: MAX_STOCK,
    description: 'By how much the quantity changes. It never falls below 0.',
    examples: [-3],
  }),
});
export const Adjusted = Type.Object({ success: Type.Boolean({ examples: [true] }), inventory: Inventory });
export type Adjusted = Static<typeof Adjusted>;

export const StockChange = Type.Object({
  change: Type.Integer({ examples: [-3] }),
  quantity: Type.Integer({ description: 'After the change.', examples: [22] }),
  reason: OneOf(['ORDER', 'CANCEL', 'ADJUST', 'SET']),
  reference: Nullable(Type.String({ description: 'What caused it, such as an order.' })),
  userId: Nullable(Type.String({ description: 'Who caused it; null: the service.' })),
  timestamp: Timestamp,
});
