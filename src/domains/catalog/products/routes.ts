import { acceptInvalidItems, checkItem } from '../../../http/bodies/bulk.ts';
import { change, command, commandEach, query, readOne } from '../../../http/command.ts';
import { sendJson, sendPage } from '../../../http/json-response.ts';
import type { App } from '../../../http/server.ts';
import { addErrors } from '../../../http/validation/on-invalid.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, BusinessSlugParams, PageOf, Success } from '../../../shared/schemas.ts';
import { DraftQuery, isDraftRequested, readDraft } from '../../publishing/index.ts';
import { listCategories } from '../lists/list-categories.ts';
import { listProducts } from '../lists/list-products.ts';
import { listRelated } from '../lists/related-products.ts';
import { setPrices } from '../prices/set-prices.ts';
import { LocaleQuery } from '../translations/schemas.ts';
import { productKind } from '../versions/product-kind.ts';
import { changeProduct } from './change-product.ts';
import { createProduct, findErrors } from './create-product.ts';
import { deleteProduct } from './delete-product.ts';
import { readProduct } from './read-product.ts';
import {
  CategoryCount,
  ListedProduct,
  PRODUCT_BYTES,
  PriceInputs,
  PriceItem,
  PriceResults,
  Product,
  ProductChanges,
  ProductInput,
  ProductPage,
  ProductQuery,
  RelatedQuery,
} from './schemas.ts';
import { isTaken } from './unique.ts';

const PRODUCTS = '/v1/businesses/:businessId/products';
const tags = ['Products'];
const checkPrices = checkItem(PriceItem);

const onInvalid = addErrors((request, _sent, changes) => {
  const { id = null } = request.params as { id?: string };
  return query(request, findErrors, { id, changes });
});

export function productRoutes(app: App): void {
  app.post(
    PRODUCTS,
    {
      bodyLimit: PRODUCT_BYTES,
      config: { access: 'CATALOG_WRITE', onInvalid },
      schema: {
        tags,
        summary: 'Create a product',
        description:
          'If `slug` is omitted, it is generated from the name. Stock is not tracked for variants without `inventory`, so they never run out.',
        params: BusinessParams,
        body: ProductInput,
        response: { 200: Product },
      },
    },
    (request) => command(request, createProduct, request.body, { retry: isTaken }),
  );

  app.get(
    PRODUCTS,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List and search products',
        description:
          'Callers without `CATALOG_WRITE` see only `ACTIVE` products. `query` searches name, description, category, SKU and attributes. It matches word prefixes, ignores accents and tolerates one typo in words of five letters or more. `option:NAME` and `block:ID` filter by options and blocks, and `facets` counts the values to filter by.',
        params: BusinessParams,
        querystring: ProductQuery,
        response: { 200: ProductPage },
      },
    },
    async (request, reply) => sendPage(reply, await query(request, listProducts, request.query)),
  );

  app.get(
    `${PRODUCTS}/categories`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List categories',
        description:
          'Returns categories sorted by name, with the number of products in each. Callers without `CATALOG_WRITE` see counts of `ACTIVE` products only.',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: PageOf(CategoryCount) },
      },
    },
    (request) => query(request, listCategories, request.query),
  );

  app.get(
    `${PRODUCTS}/:id`,
    {
      config: { access: 'token', versioned: true, alsoReads: ['draft'] },
      schema: {
        tags,
        summary: 'Get a product',
        description: 'Returns the published version. With `?draft=true`, returns the draft, like `GET …/draft`.',
        params: BusinessSlugParams,
        querystring: LocaleQuery,
        response: { 200: Product },
      },
    },
    async (request, reply) =>
      isDraftRequested(request.query)
        ? readOne(request, reply, readDraft<Product>, { kind: productKind, id: request.params.id })
        : sendJson(reply, await readOne(request, reply, readProduct, { id: request.params.id, ...request.query })),
  );

  app.get(
    `${PRODUCTS}/:id/related`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listRelatedProducts',
        summary: 'List related products',
        description:
          'Returns the `ACTIVE` products in `relatedIds`, then the products that share the most categories with it. Ties are sorted newest first. `limit` defaults to 4.',
        params: BusinessSlugParams,
        querystring: RelatedQuery,
        response: { 200: PageOf(ListedProduct) },
      },
    },
    async (request, reply) =>
      sendPage(reply, await query(request, listRelated, { id: request.params.id, ...request.query })),
  );

  app.put(
    `${PRODUCTS}/:id`,
    {
      bodyLimit: PRODUCT_BYTES,
      config: { access: 'CATALOG_WRITE', versioned: true, onInvalid },
      schema: {
        tags,
        summary: 'Update a product',
        description:
          "Omitted fields keep their values. A list replaces the previous list. A variant without `inventory` keeps its stock, and `inventory.quantity` sets it. A status with a future `timestamp` is added to `scheduled`. With `draft=true`, the published version of an `ACTIVE` product doesn't change until the draft is published. Drafts don't include the stock of existing variants.",
        params: BusinessSlugParams,
        querystring: DraftQuery,
        body: ProductChanges,
        response: { 200: Product },
      },
    },
    (request, reply) => {
      const input = { kind: productKind, id: request.params.id, changes: request.body, isDraft: request.query.draft };
      return change(request, reply, changeProduct, input, { retry: isTaken });
    },
  );

  app.delete(
    `${PRODUCTS}/:id`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a product',
        description: 'Orders that include the product keep their items.',
        params: BusinessSlugParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteProduct, request.params.id),
  );

  app.put(
    '/v1/businesses/:businessId/prices',
    {
      bodyLimit: PRODUCT_BYTES,
      config: { access: 'CATALOG_WRITE', idempotent: true, onInvalid: acceptInvalidItems },
      schema: {
        tags,
        operationId: 'setPrices',
        summary: 'Set the prices of many variants',
        description:
          'Applies each item separately, in order, like a product update. Items that fail have an `error`; the others are applied.',
        params: BusinessParams,
        body: PriceInputs,
        response: { 200: PriceResults },
      },
    },
    (request) => commandEach(request, setPrices, request.body.items, checkPrices),
  );
}
