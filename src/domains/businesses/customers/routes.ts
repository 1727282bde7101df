import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, CountedPageOf, Success } from '../../../shared/schemas.ts';
import { listCustomers, readCustomer } from './read-customers.ts';
import { changeCustomer, createCustomer, deleteCustomer } from './save-customer.ts';
import { Customer, CustomerInput, CustomerQuery, ListedCustomer } from './schemas.ts';

const CUSTOMERS = '/v1/businesses/:businessId/customers';
const tags = ['Customers'];

export function customerRoutes(app: App): void {
  app.post(
    CUSTOMERS,
    {
      config: { access: 'CUSTOMER_WRITE' },
      schema: {
        tags,
        summary: 'Create a customer',
        description:
          'Creates a customer record without an account. The record is linked to an account when a user with this confirmed email orders or subscribes. The email must be unique within the business.',
        params: BusinessParams,
        body: CustomerInput,
        response: { 200: Customer },
      },
    },
    (request) => command(request, createCustomer, request.body),
  );

  app.get(
    CUSTOMERS,
    {
      config: { access: 'CUSTOMER_READ' },
      schema: {
        tags,
        summary: 'List and search customers',
        description:
          'Returns customers, newest first. If a record has no name or email, the name or email of the linked account is returned.',
        params: BusinessParams,
        querystring: CustomerQuery,
        response: { 200: CountedPageOf(ListedCustomer) },
      },
    },
    (request) => query(request, listCustomers, request.query),
  );

  app.get(
    `${CUSTOMERS}/:id`,
    {
      config: { access: 'CUSTOMER_READ', versioned: true },
      schema: { tags, summary: 'Get a customer', params: BusinessRecordParams, response: { 200: Customer } },
    },
    (request, reply) => readOne(request, reply, readCustomer, request.params.id),
  );

  app.put(
    `${CUSTOMERS}/:id`,
    {
      config: { access: 'CUSTOMER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Update a customer',
        description: 'Omitted fields keep their values. A submitted list replaces the stored list.',
        params: BusinessRecordParams,
        body: CustomerInput,
        response: { 200: Customer },
      },
    },
    (request, reply) => change(request, reply, changeCustomer, { id: request.params.id, change: request.body }),
  );

  app.delete(
    `${CUSTOMERS}/:id`,
    {
      config: { access: 'CUSTOMER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a customer',
        description: "The customer's orders are kept.",
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteCustomer, request.params.id),
  );
}
