import { acceptInvalidItems, checkItem } from '../../../http/bodies/bulk.ts';
import { command, commandEach, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, PageOf } from '../../../shared/schemas.ts';
import { adjustStock } from './adjust-stock.ts';
import { listStockChanges } from './list-stock-changes.ts';
import {
  Adjusted,
  AdjustInput,
  InventoryInputs,
  InventoryItem,
  InventoryResults,
  StockChange,
  VariantParams,
} from './schemas.ts';

const INVENTORY = '/v1/businesses/:businessId/products/:id/variants/:variantId/inventory';
const tags = ['Products'];
const checkInventory = checkItem(InventoryItem);

export function stockRoutes(app: App): void {
  app.post(
    INVENTORY,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'adjustStock',
        summary: 'Adjust the stock of a variant',
        description:
          'Adds `adjust` to the current quantity, or sets it to `quantity`. Fails with 422 if the quantity would drop below 0.',
        params: VariantParams,
        body: AdjustInput,
        response: { 200: Adjusted },
      },
    },
    (request) => {
      const { id: productId, variantId } = request.params;
      return command(request, adjustStock, { ...request.body, productId, variantId });
    },
  );

  app.post(
    '/v1/businesses/:businessId/inventory',
    {
      config: { access: 'CATALOG_WRITE', onInvalid: acceptInvalidItems },
      schema: {
        tags,
        operationId: 'adjustInventory',
        summary: 'Adjust the stock of many variants',
        description:
          'Applies each item separately, in order, like the request for a single variant. Items that fail have an `error`; the others are applied.',
        params: BusinessParams,
        body: InventoryInputs,
        response: { 200: InventoryResults },
      },
    },
    (request) => commandEach(request, adjustStock, request.body.items, checkInventory),
  );

  app.get(
    `${INVENTORY}/history`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'listStockChanges',
        summary: "List a variant's stock changes",
        description: 'Returns changes, newest first. The changes add up to the current quantity.',
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
