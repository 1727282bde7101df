import type { StepsOf, Versioned } from '../../context/index.ts';
import { change, command, query, readOne, stepsOf } from '../../http/command.ts';
import { sendJson, sendPage } from '../../http/json-answer.ts';
import type { App } from '../../http/server.ts';
import { refuseInvalid } from '../../http/validation.ts';
import { type PreparedTexts, prepareTexts } from '../../shared/blocks.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, BusinessSlugParams, PageOf, Success } from '../../shared/schemas.ts';
import { asksForDraft, DraftQuery } from '../publishing/index.ts';
import { adjustStock } from './adjust-stock.ts';
import type { CatalogServices } from './context.ts';
import { deleteProduct } from './delete-product.ts';
import { listCategories } from './list-categories.ts';
import { listProducts } from './list-products.ts';
import { listStockChanges } from './list-stock-changes.ts';
import { readProduct } from './read-product.ts';
import { readDraft } from './save-draft.ts';
import { changeProduct, createProduct, findProblems, isTaken, type ProductChange } from './save-product.ts';
import {
  Adjusted,
  AdjustInput,
  CategoryCount,
  ListedProduct,
  Product,
  ProductChanges,
  ProductInput,
  ProductQuery,
  StockChange,
  VariantParams,
} from './schemas.ts';

const PRODUCTS = '/v1/businesses/:businessId/products';
const INVENTORY = `${PRODUCTS}/:id/variants/:variantId/inventory`;
const tags = ['Products'];

const CREATE: StepsOf<CatalogServices, ProductInput, PreparedTexts, Product, Product> = {
  prepare: (_, { blocks }) => prepareTexts(blocks),
  execute: createProduct,
};
const CHANGE: StepsOf<CatalogServices, ProductChange, PreparedTexts, Versioned<Product>, Versioned<Product>> = {
  prepare: (_, { changes: { blocks } }) => prepareTexts(blocks),
  execute: changeProduct,
};

export function catalogRoutes(app: App): void {
  app.post(
    PRODUCTS,
    {
      config: { access: 'CATALOG_WRITE' },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Create a product',
        description:
          'The slug is made from the name when it is missing. A variant without inventory is not tracked: its stock is unlimited.',
        params: BusinessParams,
        body: ProductInput,
        response: { 200: Product },
      },
    },
    async (request) => {
      await refuseInvalid(request, (_sent, changes) => findProblems(stepsOf(request), { id: null, changes }));
      return command(request, CREATE, request.body, { retry: isTaken });
    },
  );

  app.get(
    PRODUCTS,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List and search products',
        description:
          'Without CATALOG_WRITE only ACTIVE products are seen. `query` searches name, description, category, SKU and attributes: words may be unfinished, accents are ignored, and one typo in a word of five letters or more is forgiven.',
        params: BusinessParams,
        querystring: ProductQuery,
        response: { 200: PageOf(ListedProduct) },
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
        description: 'By name, with the number of products in each; without CATALOG_WRITE only ACTIVE products count.',
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
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Get a product',
        description: 'What readers see. With `?draft=true` it is the same as `GET …/draft`.',
        params: BusinessSlugParams,
        response: { 200: Product },
      },
    },
    async (request, reply) =>
      asksForDraft(request.query)
        ? readOne(request, reply, readDraft, request.params.id)
        : sendJson(reply, await readOne(request, reply, readProduct, request.params.id)),
  );

  app.put(
    `${PRODUCTS}/:id`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Change a product',
        description:
          'Fields that are not sent stay; a list that is sent replaces the list. A variant without `inventory` keeps its stock, one with `inventory.quantity` sets it. A status with a `timestamp` ahead waits in `scheduled`. With `draft=true` readers of an ACTIVE product see it as it was until the draft is published; quantities of variants that are there already are no part of a draft.',
        params: BusinessSlugParams,
        querystring: DraftQuery,
        body: ProductChanges,
        response: { 200: Product },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await refuseInvalid(request, (_sent, changes) => findProblems(stepsOf(request), { id, changes }));
      const input = { id, changes: request.body, isDraft: request.query.draft };
      return change(request, reply, CHANGE, input, { retry: isTaken });
    },
  );

  app.delete(
    `${PRODUCTS}/:id`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a product',
        description: 'Orders that hold it keep their lines.',
        params: BusinessSlugParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteProduct, request.params.id),
  );

  app.post(
    INVENTORY,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'adjustStock',
        summary: 'Adjust the stock of a variant',
        description: 'Adds to or takes from the current quantity, which never falls below 0 (422).',
        params: VariantParams,
        body: AdjustInput,
        response: { 200: Adjusted },
      },
    },
    (request) => {
      const { id: productId, variantId } = request.params;
      return command(request, adjustStock, { productId, variantId, adjust: request.body.adjust });
    },
  );

  app.get(
    `${INVENTORY}/history`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'listStockChanges',
        summary: "List a variant's stock changes",
        description: 'Newest first. The changes add up to the quantity.',
        params: VariantParams,
        querystring: PageQuery,
        response: { 200: PageOf(StockChange) },
      },
    },
    (request) => {
      const { id: productId, variantId } = request.params;
      return query(request, listStockChanges, { ...request.query, productId, variantId });
    },
  );
}
