import { acceptInvalidItems, checkItem } from '../../../http/bodies/bulk.ts';
import { command, commandEach, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BulkResults, BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { readSpend } from '../read-orders.ts';
import { Order } from '../schemas.ts';
import { createNote, deleteNote, updateNote } from './notes.ts';
import {
  CustomerSpend,
  NoteInput,
  NoteParams,
  OrderNote,
  OrderStaff,
  OrderTagList,
  OrderTagsInputs,
  OrderTagsItem,
} from './schemas.ts';
import { readStaff } from './staff.ts';
import { changeTags, readTags } from './tags.ts';

const ORDERS = '/v1/businesses/:businessId/orders';
const NOTES = `${ORDERS}/:id/notes`;
const tags = ['Orders'];
const checkTags = checkItem(OrderTagsItem);

export function workRoutes(app: App): void {
  app.get(
    `${ORDERS}/tags`,
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listOrderTags',
        summary: 'List order tags',
        description: 'Returns up to 200 tags in use, sorted by name.',
        params: BusinessParams,
        response: { 200: OrderTagList },
      },
    },
    (request) => query(request, readTags, undefined),
  );

  app.put(
    `${ORDERS}/tags`,
    {
      config: { access: 'ORDER_WRITE', idempotent: true, onInvalid: acceptInvalidItems },
      schema: {
        tags,
        operationId: 'setOrderTags',
        summary: 'Update the tags of several orders',
        description:
          'Adds and removes tags. Each order succeeds or fails separately: failed items have an `error`. To replace all tags of ' +
          'one order, update the order.',
        params: BusinessParams,
        body: OrderTagsInputs,
        response: { 200: BulkResults(Order) },
      },
    },
    (request) => commandEach(request, changeTags, request.body.items, checkTags),
  );

  app.get(
    `${ORDERS}/staff`,
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listOrderStaff',
        summary: 'List members who can see orders',
        description: 'Returns up to 500 members who can be assigned to orders and mentioned in notes, sorted by name.',
        params: BusinessParams,
        response: { 200: OrderStaff },
      },
    },
    (request) => query(request, readStaff, undefined),
  );

  app.get(
    '/v1/businesses/:businessId/customers/:id/spend',
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags: ['Customers'],
        operationId: 'getCustomerSpend',
        summary: 'Get customer spending',
        description: 'Returns the paid and refunded amounts of all orders of a customer, by currency. Not paginated.',
        params: BusinessRecordParams,
        response: { 200: PageOf(CustomerSpend) },
      },
    },
    (request) => query(request, readSpend, request.params.id),
  );

  noteRoutes(app);
}

function noteRoutes(app: App): void {
  app.post(
    NOTES,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'createOrderNote',
        summary: 'Add a note to an order',
        description:
          'Only members with `ORDER_READ` or `ORDER_WRITE` see notes. Emails the note and a link to the order to the mentioned members, except the author. Fails with 409 if the ' +
          'order has too many notes.',
        params: BusinessRecordParams,
        body: NoteInput,
        response: { 200: OrderNote },
      },
    },
    (request) => command(request, createNote, { ...request.body, orderId: request.params.id }),
  );

  app.put(
    `${NOTES}/:noteId`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'updateOrderNote',
        summary: 'Update an order note',
        description: 'Only the author and admins can change a note. If `mentions` is omitted, it does not change.',
        params: NoteParams,
        body: NoteInput,
        response: { 200: OrderNote },
      },
    },
    (request) => command(request, updateNote, { ...request.body, ...pathOf(request.params) }),
  );

  app.delete(
    `${NOTES}/:noteId`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'deleteOrderNote',
        summary: 'Delete an order note',
        description: 'Only the author and admins can delete a note.',
        params: NoteParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteNote, pathOf(request.params)),
  );
}

const pathOf = ({ id, noteId }: { id: string; noteId: string }) => ({ orderId: id, noteId });
