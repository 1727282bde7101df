import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { command, query, readUnversioned, stream } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { deleteOwnAccount } from './delete-account.ts';
import { requestErasure } from './erase-person.ts';
import { exportCustomerData, exportOwnData } from './export-person.ts';
import { listErasures, readAccountErasure, readErasure } from './read-erasures.ts';
import { AccountErasure, DeleteAccountInput, DeletedAccount, Erasure, ErasureParams, ErasureQuery } from './schemas.ts';

const BUSINESS = '/v1/businesses/:businessId';
const tags = ['Privacy'];
const document = {
  description: 'The personal data',
  content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
};

export function privacyRoutes(app: App): void {
  app.get(
    `${BUSINESS}/customers/:id/personal-data`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'exportCustomerData',
        summary: "Export a customer's personal data",
        description:
          'Returns the data that the business holds about a person as a streamed JSON document. `id` is the ID of a customer, user or subscription.',
        params: BusinessRecordParams,
        response: { 200: document },
      },
    },
    async (request, reply) => send(reply, await stream(request, exportCustomerData, request.params.id)),
  );

  app.delete(
    `${BUSINESS}/customers/:id/personal-data`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'eraseCustomerData',
        summary: "Erase a customer's personal data",
        description:
          "Erases the data that the business holds about a person, in the background. `id` is the ID of a customer, user or subscription. The report lists the erased and kept records, and why they were kept. Orders keep their amounts, and invoices and credit notes stay unchanged. This can't be undone.",
        params: BusinessRecordParams,
        response: { 200: Erasure },
      },
    },
    (request) => command(request, requestErasure, request.params.id),
  );

  app.get(
    `${BUSINESS}/erasures`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'List erasures',
        description: 'Returns erasures, newest first.',
        params: BusinessParams,
        querystring: ErasureQuery,
        response: { 200: PageOf(Erasure) },
      },
    },
    (request) => query(request, listErasures, request.query),
  );

  app.get(
    `${BUSINESS}/erasures/:id`,
    {
      config: { access: 'ADMIN' },
      schema: { tags, summary: 'Get an erasure', params: BusinessRecordParams, response: { 200: Erasure } },
    },
    (request, reply) => readUnversioned(request, reply, readErasure, request.params.id),
  );

  app.get(
    '/v1/users/me/export',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'exportOwnData',
        summary: 'Export my personal data',
        description:
          'Returns your account and the data that each business holds about you as a streamed JSON document.',
        response: { 200: document },
      },
    },
    async (request, reply) => send(reply, await stream(request, exportOwnData, undefined)),
  );

  app.delete(
    '/v1/users/me',
    {
      config: { access: 'token', bodyOptional: true },
      schema: {
        tags,
        operationId: 'deleteOwnAccount',
        summary: 'Delete my account and my personal data',
        description:
          'Requires a second factor or, if the account has none, the password or a login within the last ten minutes. The account is deleted immediately. Personal data held by businesses is erased in the background. Fails with 409 if you are the only `ADMIN` of a business.',
        body: DeleteAccountInput,
        response: { 200: DeletedAccount },
      },
    },
    (request) => command(request, deleteOwnAccount, request.body),
  );

  app.get(
    '/v1/users/erasures/:id',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getAccountErasure',
        summary: 'Get account erasure status',
        params: ErasureParams,
        response: { 200: AccountErasure },
      },
    },
    (request, reply) => readUnversioned(request, reply, readAccountErasure, request.params.id),
  );
}

/** Sends a download. An error midway closes the connection, because the document is incomplete. */
const send = (reply: FastifyReply, parts: AsyncGenerator<string>) =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-disposition', 'attachment; filename="personal-data.json"')
    .send(Readable.from(parts));
