import { command } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { quote } from './quote.ts';
import { CART_BYTES, Quote, QuoteInput } from './schemas.ts';

export function quoteRoutes(app: App): void {
  app.post(
    '/v1/payments/quote',
    {
      bodyLimit: CART_BYTES,
      config: { access: 'token' },
      schema: {
        tags: ['Payments'],
        summary: 'Quote the price of a cart',
        body: QuoteInput,
        response: { 200: Quote },
        description:
          'Returns the current price of a cart. To pay this price, send the ID as `quoteId` at checkout before `expiresAt`.',
      },
    },
    (request) => command(request, quote, request.body),
  );
}
