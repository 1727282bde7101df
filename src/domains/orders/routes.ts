import { inTransaction } from '../../db/connection.ts';
import { idempotencyKey, once } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { invalidField } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { BusinessParams, BusinessRecordParams, Nullable, PageOf } from '../../shared/schemas.ts';
import { changeStatus } from './change-status.ts';
import { checkout } from './checkout.ts';
import { createOrder } from './create-order.ts';
import type { Orders } from './index.ts';
import { viewOrder } from './order.ts';
import { readOrder, readOrders } from './read-orders.ts';
import { refundOrder } from './refund.ts';
import {
  CheckoutInput,
  CheckoutResult,
  Order,
  OrderInput,
  OrderListQuery,
  OrderUpdate,
  PaymentStatusChange,
  RefundInput,
  StatusChange,
} from './schemas.ts';
import { updateOrder } from './update-order.ts';

const ORDERS = '/v1/businesses/:businessId/orders';
const tags = ['Orders'];

export function orderRoutes(app: App, { context: ctx }: Orders): void {
  const { pool } = ctx.deps;

  app.post(
    `${ORDERS}/checkout`,
    {
      config: { access: 'token', idempotent: true },
      schema: {
        ...{ tags, summary: 'Check out', params: BusinessParams, body: CheckoutInput },
        description: 'Places an order. Send the customer to `checkoutUrl` when there is one.',
        response: { 200: CheckoutResult },
      },
    },
    (request) => checkout(ctx, request.caller, request.params.businessId, request.body, idempotencyKey(request)),
  );

  app.post(
    ORDERS,
    {
      config: { access: 'ORDER_WRITE', idempotent: true },
      schema: {
        ...{ tags, summary: 'Write an order by hand', params: BusinessParams, body: OrderInput },
        description: 'No payment is begun. Takes stock like a checkout. Totals left out are computed.',
        response: { 200: Order },
      },
    },
    (request) =>
      once(pool, request, async (tx) =>
        viewOrder(await createOrder(ctx, tx, request.caller, request.params.businessId, request.body)),
      ),
  );

  app.get(
    ORDERS,
    {
      config: { access: 'token' },
      schema: {
        ...{ tags, summary: 'List orders, newest first', params: BusinessParams, querystring: OrderListQuery },
        description: 'All of the business with ORDER_READ, else your own.',
        response: { 200: PageOf(Order) },
      },
    },
    (request) => readOrders(ctx, request.caller, request.params.businessId, request.query),
  );

  app.get(
    `${ORDERS}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read an order', params: BusinessRecordParams, response: { 200: Order } },
    },
    async (request, reply) => {
      const order = await readOrder(ctx, request.caller, request.params.businessId, request.params.id);
      reply.header('etag', etagOf(order.version));
      return viewOrder(order);
    },
  );

  app.put(
    `${ORDERS}/update`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        ...{ tags, summary: 'Change an order', params: BusinessParams, body: OrderUpdate },
        description: 'Other lines move the stock by the difference. A paid order keeps its lines (409).',
        response: { 200: Order },
      },
    },
    async (request, reply) => {
      const { businessId } = request.params;
      const order = await inTransaction(pool, (tx) =>
        updateOrder(ctx, tx, request.caller, businessId, request.body, request.headers['if-match']),
      );
      reply.header('etag', etagOf(order.version));
      return viewOrder(order);
    },
  );

  app.put(
    `${ORDERS}/:id/status`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        ...{ tags, summary: 'Set the order status', params: BusinessRecordParams, body: StatusChange },
        description: 'CANCELLED gives stock and promo use back. Out of CANCELLED they are taken again.',
        response: { 200: Order },
      },
    },
    async (request, reply) => {
      const order = await inTransaction(pool, (tx) =>
        changeStatus(ctx, tx, {
          ...{ ...request.params, caller: request.caller, history: 'statuses', entry: request.body },
          ifMatch: request.headers['if-match'],
        }),
      );
      reply.header('etag', etagOf(order.version));
      return viewOrder(order);
    },
  );

  app.put(
    `${ORDERS}/:id/payment-status`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        ...{ tags, summary: 'Set the payment status', params: BusinessRecordParams, body: PaymentStatusChange },
        response: { 200: Order },
      },
    },
    async (request, reply) => {
      const status = request.body.status ?? request.body.paymentStatus;
      if (status === undefined) throw invalidField('status', 'REQUIRED', 'status is required.');
      const order = await inTransaction(pool, (tx) =>
        changeStatus(ctx, tx, {
          ...{ ...request.params, caller: request.caller, history: 'paymentStatus' },
          entry: { ...request.body, status },
          ifMatch: request.headers['if-match'],
        }),
      );
      reply.header('etag', etagOf(order.version));
      return viewOrder(order);
    },
  );

  app.post(
    `${ORDERS}/:id/refund`,
    {
      config: { access: 'ORDER_WRITE', idempotent: true },
      schema: {
        ...{ tags, summary: 'Refund an order', params: BusinessRecordParams, body: Nullable(RefundInput) },
        description: 'Without `amount`: all that is left. Through the payment provider where the money came that way.',
        response: { 200: Order },
      },
    },
    (request) => {
      const { businessId, id } = request.params;
      return refundOrder(ctx, request.caller, businessId, id, request.body ?? {}, idempotencyKey(request));
    },
  );
}
