import { queryOnce } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams } from '../../../shared/schemas.ts';
import { BUSINESS_BYTES } from '../../businesses/index.ts';
import { TaxPreview, TaxPreviewInput } from './preview-schemas.ts';
import { previewTax } from './preview-tax.ts';

export function previewRoutes(app: App): void {
  app.post(
    '/v1/businesses/:businessId/tax-preview',
    {
      bodyLimit: BUSINESS_BYTES,
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags: ['Payments'],
        operationId: 'previewTax',
        summary: 'Preview the tax on an item',
        description:
          'Returns the tax on one item and its shipping to an address. Tax settings in the request replace the saved settings, so that you can try them before you save them.',
        params: BusinessParams,
        body: TaxPreviewInput,
        response: { 200: TaxPreview },
      },
    },
    (request) => queryOnce(request, previewTax, request.body),
  );
}
