import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { command, query, readUnversioned } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { bookEntries } from './book-entries.ts';
import { MAX_STATEMENT_BYTES } from './parse-statement.ts';
import { BankStatement, BookInput, ListedStatement, StatementQuery, StatementsQuery } from './schemas.ts';
import { createStatement, deleteStatement, readStatement, readStatements } from './statements.ts';

const STATEMENTS = '/v1/businesses/:businessId/bank-statements';
const tags = ['Orders'];
const FILE_TYPES = [
  ...['application/xml', 'text/xml', 'text/csv', 'text/plain'],
  ...['application/octet-stream', 'application/vnd.ms-excel'],
];

export function bankTransferRoutes(app: App): void {
  app.register(async (scope) => {
    const files = scope as unknown as FastifyInstance;
    files.addContentTypeParser(FILE_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    uploadRoute(scope as unknown as App);
  });

  app.get(
    STATEMENTS,
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listBankStatements',
        summary: 'List bank statements',
        description: 'Returns bank statements, newest first. They are deleted after 90 days.',
        params: BusinessParams,
        querystring: StatementsQuery,
        response: { 200: PageOf(ListedStatement) },
      },
    },
    (request) => query(request, readStatements, request.query),
  );

  app.get(
    `${STATEMENTS}/:id`,
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'getBankStatement',
        summary: 'Get a bank statement',
        description: 'Returns the incoming payments of a statement, each with its order and current state.',
        params: BusinessRecordParams,
        response: { 200: BankStatement },
      },
    },
    (request, reply) => readUnversioned(request, reply, readStatement, request.params.id),
  );

  app.post(
    `${STATEMENTS}/:id/book`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'bookBankEntries',
        summary: 'Record payments from a bank statement',
        description:
          'Adds all payments to their orders, or none if one is invalid. An order is paid once its payments reach the total. Each payment is ' +
          'recorded only once, even if several statements contain it: recorded payments are ignored.',
        params: BusinessRecordParams,
        body: BookInput,
        response: { 200: BankStatement },
      },
    },
    (request) => command(request, bookEntries, { ...request.body, statementId: request.params.id }),
  );

  app.delete(
    `${STATEMENTS}/:id`,
    {
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'deleteBankStatement',
        summary: 'Delete a bank statement',
        description: 'Deletes the statement and the names of its payers. Recorded payments are kept.',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteStatement, request.params.id),
  );
}

function uploadRoute(app: App): void {
  app.post(
    STATEMENTS,
    {
      bodyLimit: MAX_STATEMENT_BYTES,
      config: { access: 'ORDER_WRITE' },
      schema: {
        tags,
        operationId: 'createBankStatement',
        summary: 'Upload a bank statement',
        description:
          'Send a CAMT.053 or CSV file of up to 2 MiB and 5,000 incoming payments as the request body. Returns its incoming payments, each ' +
          'with the order that its text refers to. Nothing is recorded yet.',
        consumes: ['application/xml', 'text/csv'],
        params: BusinessParams,
        querystring: StatementQuery,
        body: Type.Unknown({ description: 'The contents of the file.' }),
        response: { 200: BankStatement },
      },
    },
    (request) => command(request, createStatement, { file: request.body, fileName: request.query.fileName }),
  );
}
