import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, CountedPageOf } from '../../../shared/schemas.ts';
import { closeReturn } from './close-return.ts';
import { readReturn, readReturns } from './read-returns.ts';
import { requestReturn } from './request-return.ts';
import { approveReturn, receiveReturn, rejectReturn } from './review-return.ts';
import {
  ApproveInput,
  CloseInput,
  ReceiveInput,
  RejectInput,
  Return,
  ReturnInput,
  ReturnListQuery,
} from './schemas.ts';

const RETURNS = '/v1/businesses/:businessId/returns';
const tags = ['Orders'];

export function returnRoutes(app: App): void {
  app.post(
    '/v1/businesses/:businessId/orders/:id/returns',
    {
      config: { access: 'token', widenedBy: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'requestReturn',
        summary: 'Request a return',
        description:
          'Customers can request a return within the return period (`configs.returns.periodDays`, by default 14 days after delivery). After that, ' +
          'their request fails with 409. Callers with `ORDER_WRITE` can request a return at any time.',
        params: BusinessRecordParams,
        body: ReturnInput,
        response: { 200: Return },
      },
    },
    (request) => command(request, requestReturn, { ...request.body, orderId: request.params.id }),
  );

  app.get(
    RETURNS,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listReturns',
        summary: 'List returns',
        description:
          'Returns all returns of the business if you have the `ORDER_READ` permission, otherwise only returns of your own orders. Newest first.',
        params: BusinessParams,
        querystring: ReturnListQuery,
        response: { 200: CountedPageOf(Return) },
      },
    },
    (request) => query(request, readReturns, request.query),
  );

  app.get(
    `${RETURNS}/:id`,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'getReturn',
        summary: 'Get a return',
        params: BusinessRecordParams,
        response: { 200: Return },
      },
    },
    (request) => query(request, readReturn, request.params.id),
  );

  app.post(
    `${RETURNS}/:id/approve`,
    {
      config: { access: 'ORDER_WRITE', bodyOptional: true },
      schema: {
        tags,
        operationId: 'approveReturn',
        summary: 'Approve a return',
        description: 'Emails the customer the instructions and the shipping label, if any.',
        params: BusinessRecordParams,
        body: ApproveInput,
        response: { 200: Return },
      },
    },
    (request) => command(request, approveReturn, { ...request.body, id: request.params.id }),
  );

  app.post(
    `${RETURNS}/:id/reject`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'rejectReturn',
        summary: 'Reject a return',
        description:
          "Emails the reason to the customer, who can request another return for the same items. A withdrawal within the withdrawal period can't be rejected (409).",
        params: BusinessRecordParams,
        body: RejectInput,
        response: { 200: Return },
      },
    },
    (request) => command(request, rejectReturn, { ...request.body, id: request.params.id }),
  );

  app.post(
    `${RETURNS}/:id/receive`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'receiveReturn',
        summary: 'Receive the items of a return',
        description: 'Returns the items to stock or writes them off, and emails the customer.',
        params: BusinessRecordParams,
        body: ReceiveInput,
        response: { 200: Return },
      },
    },
    (request) => command(request, receiveReturn, { ...request.body, id: request.params.id }),
  );

  app.post(
    `${RETURNS}/:id/close`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'closeReturn',
        summary: 'Refund, exchange or close a return',
        description:
          'Refunds the items through the payment provider of the order, or creates an order with different items. With `refund: false` and no ' +
          '`exchange`, the return is only closed, and a new one can be requested for items that were not received.',
        params: BusinessRecordParams,
        body: CloseInput,
        response: { 200: Return },
      },
    },
    (request) => command(request, closeReturn, { ...request.body, id: request.params.id }),
  );
}
