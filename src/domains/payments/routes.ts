import Type from 'typebox';
import { command } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, Success } from '../../shared/schemas.ts';
import { receiveEvent } from './receive-event.ts';

export function paymentRoutes(app: App): void {
  app.register((scope, _options, done) => {
    webhookRoutes(scope as unknown as App);
    done();
  });
}

/** Keeps request bodies raw, because the signature covers the exact bytes. */
function webhookRoutes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(
    '/v1/payments/webhooks/stripe/:businessId',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Payments'],
        operationId: 'receiveStripeEvent',
        summary: 'Receive a Stripe event',
        description: 'The webhook endpoint for your Stripe account. Requests must be signed by Stripe.',
        params: BusinessParams,
        response: { 200: Success },
        headers: Type.Object({ 'stripe-signature': Type.Optional(Type.String({ maxLength: 16_384 })) }),
      },
    },
    (request) =>
      command(request, receiveEvent, { payload: request.body, signature: request.headers['stripe-signature'] }),
  );
}
