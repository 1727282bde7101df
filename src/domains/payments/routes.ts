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

/** The signature is made over the bytes that were sent: here the body stays as it came. */
function webhookRoutes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(
    '/v1/payments/webhooks/stripe/:businessId',
    {
      config: { access: 'public' },
      schema: {
        ...{
          tags: ['Payments'],
          operationId: 'receiveStripeEvent',
          summary: 'Events of Stripe',
          params: BusinessParams,
          response: { 200: Success },
        },
        headers: Type.Object({ 'stripe-signature': Type.Optional(Type.String()) }),
      },
    },
    (request) =>
      command(request, receiveEvent, { payload: request.body, signature: request.headers['stripe-signature'] }),
  );
}
