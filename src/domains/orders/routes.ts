import { acceptInvalidItems, checkItem } from '../../http/bodies/bulk.ts';
import { change, command, commandEach, query, readOne } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { invalidField } from '../../shared/errors.ts';
import { BusinessParams, BusinessRecordParams, CountedPageOf, PageOf } from '../../shared/schemas.ts';
import { CartHeaders } from '../carts/index.ts';
import { CART_BYTES } from '../pricing/index.ts';
import { readAbandoned } from './abandoned/read-abandoned.ts';
import { AbandonedCheckout, AbandonedQuery } from './abandoned/schemas.ts';
import { bankTransferRoutes } from './bank-transfer/routes.ts';
import { changeOneOfMany, changeStatus } from './changing/change-status.ts';
import {
  OrderInput,
  OrderStatusInputs,
  OrderStatusItem,
  OrderStatusResults,
  OrderUpdate,
  PaymentStatusChange,
  StatusChange,
} from './changing/schemas.ts';
import { isOrderChanged, updateOrder } from './changing/update-order.ts';
import { documentRoutes } from './documents/routes.ts';
import { resendMail } from './mails/resend-mail.ts';
import { ResendInput, Resent } from './mails/schemas.ts';
import { refundOrder } from './money/refund-order.ts';
import { Refund, RefundInput } from './money/schemas.ts';
import { checkout } from './placing/checkout.ts';
import { createOrder } from './placing/create-order.ts';
import { CheckoutInput, CheckoutResult } from './placing/schemas.ts';
import { readOrder, readOrders, readRefunds } from './read-orders.ts';
import { returnRoutes } from './returns/routes.ts';
import { Order, OrderListQuery, OrderQuery } from './schemas.ts';
import { shipmentRoutes } from './shipments/routes.ts';
import { workRoutes } from './work/routes.ts';

const ORDERS = '/v1/businesses/:businessId/orders';
const tags = ['Orders'];
const checkStatus = checkItem(OrderStatusItem);

export function orderRoutes(app: App): void {
  app.post(
    `${ORDERS}/checkout`,
    {
      bodyLimit: CART_BYTES,
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Check out a cart',
        params: BusinessParams,
        headers: CartHeaders,
        body: CheckoutInput,
        description:
          'Places an order with `items` or a cart. If the response contains a `checkoutUrl`, redirect the customer to it. Fails with 409 if the cart has already been checked out.',
        response: { 200: CheckoutResult },
      },
    },
    (request) => command(request, checkout, { ...request.body, cartSecret: request.headers['souk-cart-secret'] }),
  );

  app.get(
    '/v1/businesses/:businessId/abandoned-checkouts',
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listAbandonedCheckouts',
        summary: 'List abandoned checkouts',
        params: BusinessParams,
        querystring: AbandonedQuery,
        description:
          'Returns orders whose online payment was started but never completed: it expired, or the customer canceled it. Newest first. These orders are also in the list of orders, where `abandoned=false` leaves them out.',
        response: { 200: PageOf(AbandonedCheckout) },
      },
    },
    (request) => query(request, readAbandoned, request.query),
  );

  app.post(
    ORDERS,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        summary: 'Create an order',
        params: BusinessParams,
        body: OrderInput,
        description:
          "Creates an order on behalf of a customer. Deducts stock, like checkout does, but doesn't start a payment. Omitted totals are " +
          'calculated.',
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
        tags,
        summary: 'List orders',
        params: BusinessParams,
        querystring: OrderListQuery,
        description:
          'Returns all orders of the business if you have the `ORDER_READ` permission, otherwise your own. Newest first by default.',
        response: { 200: CountedPageOf(Order) },
      },
    },
    (request) => query(request, readOrders, request.query),
  );

  app.get(
    `${ORDERS}/:id`,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ', versioned: true },
      schema: {
        tags,
        summary: 'Get an order',
        params: BusinessRecordParams,
        querystring: OrderQuery,
        response: { 200: Order },
      },
    },
    (request, reply) => readOne(request, reply, readOrder, { ...request.query, id: request.params.id }),
  );

  app.put(
    `${ORDERS}/update`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'updateOrder',
        summary: 'Update an order',
        params: BusinessParams,
        body: OrderUpdate,
        description:
          "Changing items adjusts stock. An item's quantity can't be lower than its shipped quantity. The items and totals of a paid order " +
          "can't be changed (409).",
        response: { 200: Order },
      },
    },
    (request, reply) => change(request, reply, updateOrder, request.body, { retry: isOrderChanged }),
  );

  app.put(
    `${ORDERS}/:id/status`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Set the order status',
        params: BusinessRecordParams,
        body: StatusChange,
        description:
          '`SHIPPED` and `DELIVERED` ship everything that is left. Setting a shipped order back to `PENDING` or `PROCESSING` undoes its ' +
          'shipments. `CANCELLED` restocks the items that were not shipped and releases the promo code. Setting another status afterward deducts the ' +
          'stock and redeems the promo code again.',
        response: { 200: Order },
      },
    },
    (request, reply) =>
      change(request, reply, changeStatus, { id: request.params.id, history: 'statuses', entry: request.body }),
  );

  app.put(
    `${ORDERS}/status`,
    {
      config: { access: 'ORDER_WRITE', idempotent: true, onInvalid: acceptInvalidItems },
      schema: {
        tags,
        operationId: 'setOrderStatuses',
        summary: 'Set the status of many orders',
        params: BusinessParams,
        body: OrderStatusInputs,
        description:
          'Applies each item separately, in order, like the request for a single order. Items that fail have an `error`; the others are applied.',
        response: { 200: OrderStatusResults },
      },
    },
    (request) => commandEach(request, changeOneOfMany, request.body.items, checkStatus),
  );

  app.put(
    `${ORDERS}/:id/payment-status`,
    {
      config: { access: 'ORDER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Set the payment status',
        params: BusinessRecordParams,
        body: PaymentStatusChange,
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
        tags,
        summary: 'Refund an order',
        params: BusinessRecordParams,
        body: RefundInput,
        description:
          'Refunds `amount`. If omitted, refunds the value of `lines` and `shipping` or, without them, everything that can still be refunded. ' +
          'A payment made through a payment provider is refunded through that provider.',
        response: { 200: Order },
      },
    },
    (request) => command(request, refundOrder, { ...request.body, orderId: request.params.id }),
  );

  app.get(
    `${ORDERS}/:id/refunds`,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listRefunds',
        summary: 'List order refunds',
        description: "Returns all refunds made in Souk and in the payment provider's dashboard, oldest first.",
        params: BusinessRecordParams,
        response: { 200: PageOf(Refund) },
      },
    },
    (request) => query(request, readRefunds, request.params.id),
  );

  app.post(
    `${ORDERS}/:id/resend`,
    {
      config: { access: 'ORDER_WRITE', bodyOptional: true },
      schema: {
        tags,
        operationId: 'resendOrderMail',
        summary: 'Resend an order email',
        params: BusinessRecordParams,
        body: ResendInput,
        description:
          "Sends the email to the order's email address. Fails with 409 if the order has no email address, and with 429 if the " +
          'caller or the email address exceeds its rate limit.',
        response: { 200: Resent },
      },
    },
    (request) => command(request, resendMail, { ...request.body, orderId: request.params.id }),
  );

  shipmentRoutes(app);
  workRoutes(app);
  returnRoutes(app);
  documentRoutes(app);
  bankTransferRoutes(app);
}
