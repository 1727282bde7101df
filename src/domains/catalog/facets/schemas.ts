import Type, { type Static } from 'typebox';
import { MoneyMinor, Nullable } from '../../../shared/schemas.ts';

export const FacetValue = Type.Object({
  value: Type.String({ examples: ['M'] }),
  count: Type.Integer({ description: 'Number of matching products with this value.', examples: [12] }),
});
export type FacetValue = Static<typeof FacetValue>;

export const OptionFacet = Type.Object({
  name: Type.String({ description: 'The name of the option, in lower case.', examples: ['size'] }),
  values: Type.Array(FacetValue, { description: 'The most frequent values, at most 100.' }),
});
export type OptionFacet = Static<typeof OptionFacet>;

export const BlockFacet = Type.Object({
  id: Type.String({ description: 'The ID of the block.', examples: ['color'] }),
  values: Type.Array(FacetValue, { description: 'The most frequent values, at most 100.' }),
});
export type BlockFacet = Static<typeof BlockFacet>;

const Count = Type.Integer({ examples: [12] });

/** Each facet counts the products that match all other filters, so that visitors can switch between its values. */
export const Facets = Type.Object({
  total: Type.Integer({ description: 'Number of matching products. Capped at 10,000.', examples: [42] }),
  isCapped: Type.Boolean({
    description:
      'If true, counts are lower bounds. Counting stops at 10,000 matching products, or at 2,000 for a facet that has its own filter.',
    examples: [false],
  }),
  price: Type.Optional(
    Nullable(
      Type.Object(
        { min: MoneyMinor, max: MoneyMinor },
        { description: 'The lowest and highest price in `market`. Null if no product has one.' },
      ),
    ),
  ),
  availability: Type.Optional(Type.Object({ available: Count, soldOut: Count })),
  options: Type.Optional(Type.Array(OptionFacet)),
  blocks: Type.Optional(Type.Array(BlockFacet)),
});
export type Facets = Static<typeof Facets>;

const FACET = '^(?:price|options|availability|block:[A-Za-z0-9_.:-]{1,64})$';

/** Filters of a storefront. Several values of one option or block match any of them; different filters must all match. */
export const facetParameters = {
  categoryId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'ID or slug of a category. Includes the categories below it.',
      examples: ['shirts'],
    }),
  ),
  minPrice: Type.Optional(Type.Integer({ ...MoneyMinor, description: 'Requires `market`.', examples: [1000] })),
  maxPrice: Type.Optional(Type.Integer({ ...MoneyMinor, description: 'Requires `market`.', examples: [9900] })),
  available: Type.Optional(
    Type.Boolean({
      description:
        'If true, returns products with a variant in stock. If false, returns products that are out of stock.',
      examples: [true],
    }),
  ),
  'option:name': Type.Optional(
    Type.Unknown({
      description: 'Returns products that have a variant with this option, such as `option:size=M`.',
      examples: ['M'],
    }),
  ),
  'block:id': Type.Optional(
    Type.Unknown({
      description: 'Returns products with this value in a block, such as `block:color=red`.',
      examples: ['red'],
    }),
  ),
  facets: Type.Optional(
    Type.Array(Type.String({ maxLength: 70, pattern: FACET, examples: ['options'] }), {
      maxItems: 20,
      description:
        'Adds `facets` to the response: `price` (requires `market`), `availability`, `options`, and `block:ID`.',
    }),
  ),
};
