import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { once } from '../../http/idempotency.ts';
import { pageOf, sendJson } from '../../http/json-answer.ts';
import type { App } from '../../http/server.ts';
import { refuseInvalid } from '../../http/validation.ts';
import { etagOf } from '../../shared/etag.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import type { Catalog } from './index.ts';
import {
  Adjusted,
  AdjustInput,
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

export function catalogRoutes(app: App, { pool }: Deps, catalog: Catalog): void {
  app.post(
    PRODUCTS,
    {
      config: { access: 'CATALOG_WRITE', idempotent: true },
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
      const { params, caller, body } = request;
      await refuseInvalid(request, (_sent, right) => catalog.findProblems(params.businessId, null, caller, right));
      return catalog.retryTaken(() =>
        once(pool, request, (tx) => catalog.createProduct(tx, params.businessId, caller, body)),
      );
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
        response: { 200: PageOf(Product) },
      },
    },
    async (request, reply) => {
      const { params, caller, query } = request;
      const { items, cursor } = await catalog.listProducts(params.businessId, caller, query);
      return sendJson(reply, pageOf(items, cursor));
    },
  );

  app.get(
    `${PRODUCTS}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Get a product', params: BusinessRecordParams, response: { 200: Product } },
    },
    async (request, reply) => {
      const { businessId, id } = request.params;
      const { json, version } = await catalog.readProduct(businessId, id, request.caller);
      reply.header('etag', etagOf(version));
      return sendJson(reply, json);
    },
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
          'Fields that are not sent stay; a list that is sent replaces the list. A variant without `inventory` keeps its stock, one with `inventory.quantity` sets it.',
        params: BusinessRecordParams,
        body: ProductChanges,
        response: { 200: Product },
      },
    },
    async (request, reply) => {
      const { params, caller, body, headers } = request;
      await refuseInvalid(request, (_sent, right) => catalog.findProblems(params.businessId, params.id, caller, right));
      const { product, version } = await catalog.retryTaken(() =>
        inTransaction(pool, (tx) =>
          catalog.changeProduct(tx, params.businessId, params.id, caller, body, headers['if-match']),
        ),
      );
      reply.header('etag', etagOf(version));
      return product;
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
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    async ({ params, headers }) => {
      await inTransaction(pool, (tx) => catalog.deleteProduct(tx, params.businessId, params.id, headers['if-match']));
      return SUCCESS;
    },
  );

  app.post(
    INVENTORY,
    {
      config: { access: 'CATALOG_WRITE', idempotent: true },
      schema: {
        tags,
        summary: 'Adjust the stock of a variant',
        description: 'Adds to or takes from the current quantity, which never falls below 0 (422).',
        params: VariantParams,
        body: AdjustInput,
        response: { 200: Adjusted },
      },
    },
    async (request) => {
      const { params, caller, body } = request;
      const target = { productId: params.id, variantId: params.variantId };
      return once(pool, request, async (tx) => ({
        success: true,
        inventory: await catalog.adjustStock(tx, params.businessId, target, caller, body.adjust),
      }));
    },
  );

  app.get(
    `${INVENTORY}/history`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        summary: "List a variant's stock changes",
        description: 'Newest first. The changes add up to the quantity.',
        params: VariantParams,
        querystring: PageQuery,
        response: { 200: PageOf(StockChange) },
      },
    },
    async ({ params, query }) => catalog.listStockChanges(params.businessId, params.id, params.variantId, query),
  );
}
