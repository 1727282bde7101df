import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessSlugParams, Success } from '../../../shared/schemas.ts';
import { createStockAlert } from './create-alert.ts';
import { StockAlertInput } from './schemas.ts';

export function stockAlertRoutes(app: App): void {
  app.post(
    '/v1/businesses/:businessId/products/:id/stock-alerts',
    {
      config: { access: 'token' },
      schema: {
        tags: ['Products'],
        operationId: 'createStockAlert',
        summary: 'Request a back-in-stock email',
        description:
          'Sends one email to this address when the variant is back in stock, then deletes the address. Fails with 422 if the variant is in stock.',
        params: BusinessSlugParams,
        body: StockAlertInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, createStockAlert, { ...request.body, idOrSlug: request.params.id }),
  );
}
