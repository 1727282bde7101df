import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { command, query, stepsOf } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import type { PrivacyServices } from './context.ts';
import { deleteOwnAccount } from './delete-account.ts';
import { requestErasure } from './erase-person.ts';
import { exportCustomerData, exportOwnData } from './export-person.ts';
import { listErasures, readAccountErasure, readErasure } from './read-erasures.ts';
import { AccountErasure, DeleteAccountInput, DeletedAccount, Erasure, ErasureParams, ErasureQuery } from './schemas.ts';

const B = '/v1/businesses/:businessId';
const tags = ['Privacy'];
const document = { content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } } };

export function privacyRoutes(app: App): void {
  app.get(
    `${B}/customers/:id/personal-data`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'exportCustomerData',
        summary: 'Export what the business holds of a person',
        description: 'The id of a customer, a user or a subscription. One JSON document, streamed.',
        params: BusinessRecordParams,
        response: { 200: document },
      },
    },
    async (request, reply) =>
      stream(reply, await exportCustomerData(stepsOf<PrivacyServices>(request), request.params.id)),
  );

  app.delete(
    `${B}/customers/:id/personal-data`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'eraseCustomerData',
        summary: 'Erase what the business holds of a person',
        description:
          'The id of a customer, a user or a subscription. A job does it; the answer names the erasure, whose report says what was erased, what was kept and why. Orders keep their figures. It cannot be undone.',
        params: BusinessRecordParams,
        response: { 200: Erasure },
      },
    },
    (request) => command(request, requestErasure, request.params.id),
  );

  app.get(
    `${B}/erasures`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'List erasures, newest first',
        params: BusinessParams,
        querystring: ErasureQuery,
        response: { 200: PageOf(Erasure) },
      },
    },
    (request) => query(request, listErasures, request.query),
  );

  app.get(
    `${B}/erasures/:id`,
    {
      config: { access: 'ADMIN' },
      schema: { tags, summary: 'Read an erasure', params: BusinessRecordParams, response: { 200: Erasure } },
    },
    (request) => query(request, readErasure, request.params.id),
  );

  app.get(
    '/v1/users/me/export',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'exportOwnData',
        summary: 'Export everything that is held of me',
        description: 'The account and what each business holds. One JSON document, streamed.',
        response: { 200: document },
      },
    },
    async (request, reply) => stream(reply, await exportOwnData(stepsOf<PrivacyServices>(request))),
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
          'With the password, or within ten minutes of a log-in. The account is gone at once; a job erases what businesses hold. 409 for the only ADMIN of a business.',
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
        summary: 'Read how far the erasure of a deleted account has come',
        params: ErasureParams,
        response: { 200: AccountErasure },
      },
    },
    (request) => query(request, readAccountErasure, request.params.id),
  );
}

/** A file to save. What fails on the way cuts the connection: half a document is no JSON. */
const stream = (reply: FastifyReply, parts: AsyncGenerator<string>) =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-disposition', 'attachment; filename="personal-data.json"')
    .send(Readable.from(parts));
