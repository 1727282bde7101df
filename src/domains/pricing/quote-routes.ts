import { command, query } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { quote } from './quote.ts';
import { CART_BYTES, Quote, QuoteInput, ShippingOptions, ShippingOptionsInput, VatRates } from './schemas.ts';
import { listShippingOptions } from './shipping-options.ts';
import { VAT_RATES } from './vat/rates.ts';

export function quoteRoutes(app: App): void {
  app.post(
    '/v1/payments/quote',
    {
      bodyLimit: CART_BYTES,
      config: { access: 'token', openToLimited: true },
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

  app.post(
    '/v1/payments/shipping-options',
    {
      bodyLimit: CART_BYTES,
      config: { access: 'token', openToLimited: true },
      schema: {
        tags: ['Payments'],
        operationId: 'listShippingOptions',
        summary: 'List the shipping options for a cart',
        body: ShippingOptionsInput,
        response: { 200: ShippingOptions },
        description:
          'Returns the shipping methods available for the address, with their prices for this cart. The list is empty if there are none, or if no item requires shipping. Without an address, prices are estimates.',
      },
    },
    (request) => command(request, listShippingOptions, request.body),
  );

  app.get(
    '/v1/payments/vat-rates',
    {
      config: { access: 'token', openToLimited: true },
      schema: {
        tags: ['Payments'],
        operationId: 'getVatRates',
        summary: 'Get European VAT rates',
        response: { 200: VatRates },
        description:
          'Returns the VAT rates of the EU, the United Kingdom, Switzerland and Norway on a given day, as tax classes and tax rates for the settings of a business. Check them before you adopt them: countries define reduced rates differently.',
      },
    },
    (request) => query(request, async () => VAT_RATES, undefined),
  );
}
