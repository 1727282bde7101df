import { perform } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { quote } from './quote.ts';
import { BASKET_BYTES, Quote, QuoteInput } from './schemas.ts';

export function quoteRoutes(app: App): void {
  app.post(
    '/v1/payments/quote',
    {
      bodyLimit: BASKET_BYTES,
      config: { access: 'token' },
      schema: {
        ...{ tags: ['Payments'], summary: 'Quote the price of a basket', body: QuoteInput, response: { 200: Quote } },
        description: 'A checkout that names the `quoteId` pays this price until `expiresAt`.',
      },
    },
    (request) => perform(request, quote, request.body),
  );
}
