import { change, command, query, readOne } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { invalidField } from '../../shared/errors.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { BASKET_BYTES } from '../pricing/index.ts';
import { changeStatus } from './change-status.ts';
import { checkout } from './checkout.ts';
import { createOrder } from './create-order.ts';
import { readOrder, readOrders } from './read-orders.ts';
import { refundOrder } from './refund.ts';
import { resendMail } from './resend-mail.ts';
import {
  CheckoutInput,
  CheckoutResult,
  Order,
  OrderInput,
  OrderListQuery,
  OrderUpdate,
  PaymentStatusChange,
  RefundInput,
  ResendInput,
  Resent,
  StatusChange,
} from './schemas.ts';
import { updateOrder } from './update-order.ts';

const ORDERS = '/v1/businesses/:businessId/orders';
const tags = ['Orders'];

export function orderRoutes(app: App): void {
  app.post(
    `${ORDERS}/checkout`,
    {
      bodyLimit: BASKET_BYTES,
      config: { access: 'token' },
      schema: {
        ...{ tags, summary: 'Check out', params: BusinessParams, body: CheckoutInput },
        description: 'Places an order. Send the customer to `checkoutUrl` when there is one.',
        response: { 200: CheckoutResult },
      },
    },
    (request) => command(request, checkout, request.body),
  );

  app.post(
    ORDERS,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        ...{ tags, summary: 'Write an order by hand', params: BusinessParams, body: OrderInput },
        description: 'No payment is begun. Takes stock like a checkout. Totals left out are computed.',
        response: { 200: Order },
      },
    },
    (request) => command(request, createOrder, request.body),
  );

  app.get(
    ORDERS,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        ...{ tags, summary: 'List orders, newest first', params: BusinessParams, querystring: OrderListQuery },
        description: 'All of the business with ORDER_READ, else your own.',
        response: { 200: PageOf(Order) },
      },
    },
    (request) => query(request, readOrders, request.query),
  );

  app.get(
    `${ORDERS}/:id`,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ', versioned: true },
      schema: { tags, summary: 'Read an order', params: BusinessRecordParams, response: { 200: Order } },
    },
    (request, reply) => readOne(request, reply, readOrder, request.params.id),
  );

  app.put(
    `${ORDERS}/update`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        ...{ tags, operationId: 'updateOrder', summary: 'Change an order', params: BusinessParams, body: OrderUpdate },
        description: 'Other lines move the stock by the difference. A paid order keeps its lines (409).',
        response: { 200: Order },
      },
    },
    (request, reply) => change(request, reply, updateOrder, request.body),
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
    (request, reply) =>
      change(request, reply, changeStatus, { id: request.params.id, history: 'statuses', entry: request.body }),
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
    (request, reply) => {
      const status = request.body.status ?? request.body.paymentStatus;
      if (status === undefined) throw invalidField('status', 'REQUIRED', 'status is required.');
      const entry = { ...request.body, status };
      return change(request, reply, changeStatus, { id: request.params.id, history: 'paymentStatus', entry });
    },
  );

  app.post(
    `${ORDERS}/:id/refund`,
    {
      config: { access: 'ORDER_WRITE', bodyOptional: true },
      schema: {
        ...{ tags, summary: 'Refund an order', params: BusinessRecordParams, body: RefundInput },
        description: 'Without `amount`: all that is left. Through the payment provider where the money came that way.',
        response: { 200: Order },
      },
    },
    (request) => command(request, refundOrder, { ...request.body, orderId: request.params.id }),
  );

  app.post(
    `${ORDERS}/:id/resend`,
    {
      config: { access: 'ORDER_WRITE', bodyOptional: true },
      schema: {
        ...{ tags, operationId: 'resendOrderMail', summary: 'Send a mail about an order again' },
        ...{ params: BusinessRecordParams, body: ResendInput },
        description: 'To the address of the order, at most a few times an hour (429). Without one it is 409.',
        response: { 200: Resent },
      },
    },
    (request) => command(request, resendMail, { ...request.body, orderId: request.params.id }),
  );
}
