import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { command, query, stepsOf } from '../../http/command.ts';
import { acceptStreams } from '../../http/multipart.ts';
import type { App } from '../../http/server.ts';
import { createBound } from '../../shared/bound.ts';
import { unavailable } from '../../shared/errors.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { requireFor } from './access.ts';
import type { Steps } from './context.ts';
import { checkOpenImports, createImport, MAX_OPEN, type Received, receiveImport } from './create-import.ts';
import { cancelImport } from './end-import.ts';
import { exportBusiness } from './exports/export-business.ts';
import { type Export, exportRecords } from './exports/export-records.ts';
import { listErrors, listImports, readImport } from './read-imports.ts';
import { ExportQuery, Import, ImportError, ImportQuery, ImportsQuery, ListedImport } from './schemas.ts';

const BUSINESS = '/v1/businesses/:businessId';
const IMPORTS = `${BUSINESS}/imports`;
const tags = ['Imports'];

/** 1 GiB at 300 KB a second. */
const UPLOAD_MS = 3_600_000;
/** Files that one process takes at once, of all businesses. */
const MAX_UPLOADS = 8;
const FILE_TYPES = [
  ...['text/csv', 'application/x-ndjson', 'application/json', 'text/plain', 'application/octet-stream'],
  ...['application/vnd.ms-excel', 'text/tab-separated-values', 'application/ndjson', 'application/jsonl'],
];

export function importRoutes(app: App): void {
  app.register(async (scope) => {
    const files = scope as unknown as FastifyInstance;
    files.removeContentTypeParser('application/json');
    acceptStreams(files, ...FILE_TYPES);
    createRoute(scope as unknown as App);
  });
  readRoutes(app);
  exportRoutes(app);
}

function createRoute(app: App): void {
  const uploads = createBound({ inAll: MAX_UPLOADS, ofOwner: MAX_OPEN });
  app.post(
    IMPORTS,
    {
      config: { access: 'token', bodyMs: UPLOAD_MS },
      schema: {
        tags,
        operationId: 'createImport',
        summary: 'Import a file',
        description:
          'The body is the file: CSV, NDJSON or JSON, 1 GiB at most; or `mediaId` names one. It is recognised: our own exports, products of Shopify, WooCommerce and Medusa, customers of Shopify, members and posts of Ghost, entries of Strapi. A job works it off; nothing is deleted by it, and a second import of the same file changes nothing. Needs the write permission of what it carries.',
        consumes: ['text/csv', 'application/x-ndjson'],
        params: BusinessParams,
        querystring: ImportQuery,
        body: Type.Unknown({ description: 'The file as it is. Nothing when `mediaId` names one.' }),
        response: { 200: Import },
      },
    },
    async (request) => {
      const ctx = stepsOf(request) as Steps;
      requireFor(ctx, request.query.type);
      const leave = uploads.enter(ctx.businessId);
      if (!leave) throw unavailable('Too many files are being sent. Try again soon.');
      let received: Received | null = null;
      try {
        // Before a large file is taken. With a key it may be a repeat, which gets its first answer whatever runs now.
        if (request.headers['idempotency-key'] === undefined) await checkOpenImports(ctx);
        const hasBody = request.headers['content-length'] !== '0' && request.headers['content-type'] !== undefined;
        if (request.query.mediaId === undefined && hasBody) received = await receiveImport(ctx, request.raw);
        return await command(request, createImport, { query: request.query, received });
      } finally {
        leave();
        request.raw.resume();
        if (received) await rm(received.file.path, { force: true });
      }
    },
  );
}

function readRoutes(app: App): void {
  app.get(
    IMPORTS,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List imports',
        description: 'Newest first, those that the caller could have begun. They are kept for 30 days.',
        params: BusinessParams,
        querystring: ImportsQuery,
        response: { 200: PageOf(ListedImport) },
      },
    },
    (request) => query(request, listImports, request.query),
  );

  app.get(
    `${IMPORTS}/:id`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Get an import',
        description: 'How far it is, and what became of its rows.',
        params: BusinessRecordParams,
        response: { 200: Import },
      },
    },
    (request) => query(request, readImport, request.params.id),
  );

  app.get(
    `${IMPORTS}/:id/errors`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listImportErrors',
        summary: 'List the errors of an import',
        description: 'All of them, by row and column.',
        params: BusinessRecordParams,
        querystring: PageQuery,
        response: { 200: PageOf(ImportError) },
      },
    },
    (request) => query(request, listErrors, { ...request.query, id: request.params.id }),
  );

  app.post(
    `${IMPORTS}/:id/cancel`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'cancelImport',
        summary: 'Cancel an import',
        description: 'What is written stays.',
        params: BusinessRecordParams,
        response: { 200: ListedImport },
      },
    },
    (request) => command(request, cancelImport, request.params.id),
  );
}

const File = Type.String({ description: 'The file.' });

function exportRoutes(app: App): void {
  app.get(
    `${BUSINESS}/exports`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'exportRecords',
        summary: 'Export records',
        description:
          'Everything of one type as it was at one moment, as CSV or NDJSON. An import of it changes nothing. Cells that a spreadsheet would run have an apostrophe in front. Needs the write permission of what it carries.',
        produces: ['text/csv', 'application/x-ndjson'],
        params: BusinessParams,
        querystring: ExportQuery,
        response: { 200: File },
      },
    },
    async (request, reply) => send(reply, await query(request, exportRecords, request.query)),
  );

  app.get(
    `${BUSINESS}/export`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'exportBusiness',
        summary: 'Export the whole business',
        description:
          'One row for each record, as NDJSON, without secrets and without the bytes of files. An import of it (`type=business`) into an empty business makes it again.',
        produces: ['application/x-ndjson'],
        params: BusinessParams,
        response: { 200: File },
      },
    },
    async (request, reply) => send(reply, await query(request, exportBusiness, undefined)),
  );
}

/** Goes out at the reader's pace. An error in the middle cuts the connection, so that no half file looks whole. */
function send(reply: FastifyReply, { fileName, contentType, text }: Export): never {
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(text, { objectMode: false })) as never;
}
