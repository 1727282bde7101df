/** A fake of the parts of Stripe that the service uses: sessions, subscriptions, refunds, idempotency keys, signed events. */
import { createServer, type IncomingMessage } from 'node:http';
import { after } from 'node:test';
import Stripe from 'stripe';
import type { Json } from '../harness.ts';
import { listenAgain } from '../listen-again.ts';

export async function startStripe() {
  const sessions = new Map<string, Json>();
  const refunds = new Map<string, Json>();
  const subscriptions = new Map<string, Json>();
  const disputes = new Map<string, Json>();
  const byKey = new Map<string, { request: string; result: Json }>();
  const state = {
    /** Responds with 500 to everything. */
    down: false,
    /** Refuses refunds. */
    refuses: false,
    /** Rejects every API key. */
    locked: false,
    /** Responds with 400 to new sessions. */
    refusesSessions: false,
    calls: [] as string[],
    /** Called before a request takes effect. A response that it returns is sent instead. */
    intercept: async (_call: string): Promise<[number, Json] | null> => null,
    /** Called before the response to a new session. */
    beforeSessionResponse: async (_session: Json): Promise<void> => {},
    /** Called before the response to a subscription update. */
    beforeUpdateResponse: async (): Promise<void> => {},
  };
  let count = 0;

  async function respond(request: IncomingMessage, body: URLSearchParams): Promise<[number, Json]> {
    const path = new URL(request.url ?? '', 'http://stripe').pathname;
    state.calls.push(`${request.method} ${path}`);
    const intercepted = await state.intercept(`${request.method} ${path}`);
    if (intercepted) return intercepted;
    if (state.down) return [500, { error: { message: 'down', type: 'api_error' } }];
    if (state.locked)
      return [401, { error: { message: 'Invalid API Key provided: sk_test_****', type: 'invalid_request_error' } }];
    const key = String(request.headers['idempotency-key'] ?? '');
    const known = request.method === 'POST' ? byKey.get(key) : undefined;
    if (known && known.request !== String(body)) {
      return [400, { error: { message: 'This key was used with another request.', type: 'idempotency_error' } }];
    }
    if (known) return [200, known.result];
    const remember = (result: Json): [number, Json] => {
      if (key) byKey.set(key, { request: String(body), result });
      return [200, result];
    };
    if (request.method === 'POST' && path === '/v1/checkout/sessions') {
      if (state.refusesSessions)
        return [400, { error: { message: 'No such currency', type: 'invalid_request_error' } }];
      if (body.has('line_items[100][quantity]')) {
        return [400, { error: { message: 'At most 100 lines', type: 'invalid_request_error' } }];
      }
      const session = makeSession(`cs_${++count}`, body, String(request.headers.authorization));
      sessions.set(session.id, session);
      remember(session);
      await state.beforeSessionResponse(session);
      return [200, session];
    }
    const [, subscriptionId] = /^\/v1\/subscriptions\/([^/]+)$/.exec(path) ?? [];
    const subscription = subscriptions.get(subscriptionId ?? '');
    if (subscription) {
      if (request.method === 'DELETE') subscription.status = 'canceled';
      if (request.method === 'POST') {
        subscription.cancel_at_period_end = body.get('cancel_at_period_end') === 'true';
        await state.beforeUpdateResponse();
      }
      return [200, subscription];
    }
    if (path === '/v1/billing_portal/sessions') {
      return [
        200,
        {
          id: 'bps_1',
          object: 'billing_portal.session',
          url: `https://billing.stripe.example/${body.get('customer')}`,
        },
      ];
    }
    if (path === '/v1/invoice_payments') {
      const invoice = new URL(request.url ?? '', 'http://stripe').searchParams.get('invoice');
      return [
        200,
        {
          object: 'list',
          data: [{ payment: { type: 'payment_intent', payment_intent: `pi_${invoice}` } }],
          has_more: false,
        },
      ];
    }
    const [, id, action] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? [];
    const session = sessions.get(id ?? '');
    if (session && action) {
      if (session.status !== 'open') return [400, { error: { message: 'not open', type: 'invalid_request_error' } }];
      session.status = 'expired';
    }
    if (session) return [200, session];
    const [, intentId] = /^\/v1\/payment_intents\/([^/]+)$/.exec(path) ?? [];
    const paidBy = [...sessions.values()].find(({ payment_intent }) => intentId && payment_intent === intentId);
    if (paidBy) return [200, { id: intentId, object: 'payment_intent', metadata: paidBy.metadata }];
    const dispute = disputes.get(/^\/v1\/disputes\/([^/]+)$/.exec(path)?.[1] ?? '');
    if (dispute) return [200, dispute];
    if (path === '/v1/refunds' && request.method === 'GET') {
      const intent = new URL(request.url ?? '', 'http://stripe').searchParams.get('payment_intent');
      const data = [...refunds.values()].filter((refund) => refund.payment_intent === intent).reverse();
      return [200, { object: 'list', data, has_more: false, url: '/v1/refunds' }];
    }
    if (path === '/v1/refunds') {
      if (state.refuses) return [400, { error: { message: 'no', type: 'invalid_request_error' } }];
      const refund = { id: `re_${++count}`, object: 'refund', status: 'succeeded', amount: Number(body.get('amount')) };
      const metadata = { refundId: body.get('metadata[refundId]') };
      refunds.set(refund.id, { ...refund, metadata, payment_intent: body.get('payment_intent') });
      return remember(refund);
    }
    return [404, { error: { message: 'No such thing', type: 'invalid_request_error' } }];
  }

  const server = createServer(async (request, reply) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const [status, body] = await respond(request, new URLSearchParams(text));
    reply.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${++count}` });
    reply.end(JSON.stringify(body));
  });
  const port = await listenAgain(server, 'stripe');
  after(() => server.close());

  return {
    state,
    sessions,
    refunds,
    url: `http://127.0.0.1:${port}`,
    sessionOf: (paymentId: string): Json =>
      [...sessions.values()].find((session) => session.client_reference_id === paymentId),
    /** Completes the session, without sending an event. */
    pay(session: Json): void {
      Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${session.id}` });
      if (session.mode !== 'subscription') return;
      const id = `sub_${session.id}`;
      const periodEnd = session.expires_at + 30 * 86_400;
      const subscription = {
        id,
        object: 'subscription',
        status: 'active',
        cancel_at_period_end: false,
        customer: `cus_${session.id}`,
        items: { data: [{ current_period_end: periodEnd }] },
      };
      Object.assign(session, {
        payment_intent: null,
        subscription: id,
        customer: subscription.customer,
        invoice: `in_${id}_0`,
      });
      subscriptions.set(id, { ...subscription, latest_invoice: invoiceOf(session, 0, periodEnd) });
    },
    subscriptions,
    /** Charges the `n`th renewal or fails to, without sending an event. */
    renew(session: Json, n: number, { paid = true, ...more }: Json = {}): Json {
      const subscription = subscriptions.get(session.subscription);
      const end = subscription.items.data[0].current_period_end + 30 * 86_400;
      const invoice = { ...invoiceOf(session, n, end), ...(paid ? {} : { status: 'open', amount_paid: 0 }), ...more };
      Object.assign(subscription, { status: paid ? 'active' : 'past_due', latest_invoice: invoice });
      subscription.items.data[0].current_period_end = end;
      return invoice;
    },
    /** Refunds in Stripe's dashboard, without sending an event. */
    refundInDashboard(session: Json, amount: number): Json {
      const refund = {
        id: `re_${++count}`,
        object: 'refund',
        status: 'succeeded',
        amount,
        reason: 'requested_by_customer',
        metadata: {},
        payment_intent: session.payment_intent,
      };
      refunds.set(refund.id, refund);
      return refund;
    },
    /** Opens a dispute, without sending an event. */
    dispute(session: Json): Json {
      const dispute = {
        id: `dp_${++count}`,
        object: 'dispute',
        status: 'needs_response',
        reason: 'fraudulent',
        amount: session.amount_total,
        payment_intent: session.payment_intent,
      };
      disputes.set(dispute.id, dispute);
      return dispute;
    },
    /** Simulates that idempotency keys have expired. */
    forgetKeys: (): void => byKey.clear(),
    refunded: (): number => [...refunds.values()].reduce((sum, refund) => sum + refund.amount, 0),
  };
}

function invoiceOf(session: Json, n: number, periodEnd: number): Json {
  return {
    id: `in_${session.subscription}_${n}`,
    object: 'invoice',
    status: 'paid',
    attempted: true,
    amount_paid: session.amount_total,
    amount_due: session.amount_total,
    currency: session.currency,
    parent: { subscription_details: { subscription: session.subscription } },
    lines: { data: [{ period: { end: periodEnd } }] },
  };
}

function makeSession(id: string, body: URLSearchParams, authorization: string): Json {
  let amount = 0;
  for (let i = 0; body.has(`line_items[${i}][quantity]`); i++) {
    amount +=
      Number(body.get(`line_items[${i}][quantity]`)) * Number(body.get(`line_items[${i}][price_data][unit_amount]`));
  }
  return {
    id,
    object: 'checkout.session',
    mode: body.get('mode'),
    interval: body.get('line_items[0][price_data][recurring][interval]'),
    status: 'open',
    payment_status: 'unpaid',
    client_reference_id: body.get('client_reference_id'),
    metadata: { paymentId: body.get('metadata[paymentId]'), businessId: body.get('metadata[businessId]') },
    amount_total: amount,
    currency: body.get('line_items[0][price_data][currency]'),
    expires_at: Number(body.get('expires_at')),
    success_url: body.get('success_url'),
    cancel_url: body.get('cancel_url'),
    customer_email: body.get('customer_email'),
    payment_intent: null,
    url: `https://checkout.stripe.example/${id}`,
    authorization,
  };
}

/** The body and signature of an event, as Stripe would send it. */
export function stripeEvent(
  type: string,
  session: Json,
  secret: string,
  { id = `evt_${Math.random()}`, timestamp = 0 } = {},
) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object: session } });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp ? { timestamp } : {}),
  });
  return { payload, signature };
}
