import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
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
          'A record of the business: it makes no account, and becomes that of an account when one with this confirmed e-mail orders or subscribes here. An e-mail is unique in the business.',
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
        description: 'Newest first. Where a record has no name or e-mail of its own, those of its account are shown.',
        params: BusinessParams,
        querystring: CustomerQuery,
        response: { 200: PageOf(ListedCustomer) },
      },
    },
    (request) => query(request, listCustomers, request.query),
  );

  app.get(
    `${CUSTOMERS}/:id`,
    {
      config: { access: 'CUSTOMER_READ', versioned: true },
      schema: { tags, summary: 'Read a customer', params: BusinessRecordParams, response: { 200: Customer } },
    },
    (request, reply) => readOne(request, reply, readCustomer, request.params.id),
  );

  app.put(
    `${CUSTOMERS}/:id`,
    {
      config: { access: 'CUSTOMER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Change a customer',
        description: 'Fields that are not sent stay; a list that is sent replaces the list.',
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
        description: 'Their orders stay.',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteCustomer, request.params.id),
  );
}
