import Type from 'typebox';
import type { App } from '../../http/server.ts';
import { SignatureInvalid } from '../../providers/payments/port.ts';
import { badRequest } from '../../shared/errors.ts';
import { BusinessParams, SUCCESS, Success } from '../../shared/schemas.ts';
import type { Orders } from './index.ts';
import { quote } from './quote.ts';
import { Quote, QuoteInput } from './schemas.ts';

const tags = ['Payments'];

export function paymentRoutes(app: App, { context: ctx }: Orders): void {
  app.post(
    '/v1/payments/quote',
    {
      config: { access: 'token' },
      schema: {
        ...{ tags, summary: 'Quote the price of a basket', body: QuoteInput, response: { 200: Quote } },
        description: 'A checkout that names the `quoteId` pays this price until `expiresAt`.',
      },
    },
    (request) => quote(ctx, request.caller, request.body),
  );

  app.register((scope, _options, done) => {
    webhookRoutes(scope as unknown as App, ctx);
    done();
  });
}

/** The signature is made over the bytes that were sent: here the body stays as it came. */
function webhookRoutes(app: App, { businesses, payments }: Orders['context']): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(
    '/v1/payments/webhooks/stripe/:businessId',
    {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'Events of Stripe', params: BusinessParams, response: { 200: Success } },
        headers: Type.Object({ 'stripe-signature': Type.Optional(Type.String()) }),
      },
    },
    async (request) => {
      const { businessId } = request.params;
      const { webhookSecret, type } = await businesses.providerSecrets(businessId);
      const signature = request.headers['stripe-signature'];
      if (type !== 'STRIPE' || !webhookSecret || !signature || !Buffer.isBuffer(request.body)) {
        throw badRequest('The signature is missing or not right.');
      }
      const event = await payments.stripe.readEvent(request.body, signature, webhookSecret).catch((error) => {
        throw error instanceof SignatureInvalid ? badRequest('The signature is missing or not right.') : error;
      });
      if (event) await payments.receive(businessId, event);
      return SUCCESS;
    },
  );
}
