import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { requireAccess } from '../../http/access.ts';
import { bodyStream } from '../../http/bodies/body-stream.ts';
import { acceptStreams } from '../../http/bodies/multipart.ts';
import { command, query, readUnversioned, stream } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { createBound } from '../../shared/bound.ts';
import { unavailable } from '../../shared/errors.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { requireFor, requireForImport } from './access.ts';
import { checkOpenImports, createImport, MAX_OPEN, type Received, receiveImport } from './create-import.ts';
import { exportBusiness } from './exports/export-business.ts';
import { type Export, exportRecords } from './exports/export-records.ts';
import { listErrors, listImports, readImport } from './read-imports.ts';
import { cancelImport } from './running/end-import.ts';
import { ExportQuery, Import, ImportError, ImportQuery, ImportsQuery, ListedImport } from './schemas.ts';

const BUSINESS = '/v1/businesses/:businessId';
const IMPORTS = `${BUSINESS}/imports`;
const tags = ['Imports'];

/** 1 GiB at 300 KB a second. */
const UPLOAD_MS = 3_600_000;
/** Concurrent uploads per process, across all businesses. */
const MAX_UPLOADS = 32;
const MAX_PER_ACCOUNT = 6;
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
  const uploads = createBound({ max: MAX_UPLOADS, maxPer: { business: MAX_OPEN, account: MAX_PER_ACCOUNT } });
  app.post(
    IMPORTS,
    {
      config: { access: 'token', bodyMs: UPLOAD_MS, streamsBody: true },
      schema: {
        tags,
        operationId: 'createImport',
        summary: 'Import a file',
        description:
          'Send a CSV, NDJSON or JSON file of up to 1 GiB as the request body, or set `mediaId`. The format is detected automatically. Supported formats are exports from Souk, products from Shopify, WooCommerce and Medusa, orders from Shopify and WooCommerce, customers from Shopify, members and posts from Ghost, subscribers from Substack, Mailchimp, beehiiv, Curated, TinyNews and Listmonk, and entries from Strapi. Warnings list everything that was changed or left out. The import runs in the background. It never deletes records, and importing the same file again changes nothing. Requires the write permission for the imported type.',
        consumes: ['text/csv', 'application/x-ndjson'],
        params: BusinessParams,
        querystring: ImportQuery,
        body: Type.Unknown({ description: 'The contents of the file. Leave empty if `mediaId` is set.' }),
        response: { 200: Import },
      },
    },
    async (request) => {
      const { businessId } = request.params;
      const requirePermission = () => requireForImport({ caller: request.caller, businessId }, request.query.type);
      requirePermission();
      const leave = uploads.enter({ business: businessId, account: request.caller.userId });
      if (!leave) throw unavailable('Too many files are being uploaded. Try again later.');
      let received: Received | null = null;
      try {
        // Fails before a large file is received. With an idempotency key, the request may be a retry that replays its
        // first response.
        if (request.headers['idempotency-key'] === undefined) await query(request, checkOpenImports, undefined);
        const hasBody = request.headers['content-length'] !== '0' && request.headers['content-type'] !== undefined;
        if (request.query.mediaId === undefined && hasBody)
          received = await stream(request, receiveImport, bodyStream(request, requirePermission));
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
        description: 'Returns imports of the types the caller can import, newest first. Imports are kept for 30 days.',
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
        description: 'Returns the status, progress and results of an import.',
        params: BusinessRecordParams,
        response: { 200: Import },
      },
    },
    (request, reply) => readUnversioned(request, reply, readImport, request.params.id),
  );

  app.get(
    `${IMPORTS}/:id/errors`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listImportErrors',
        summary: 'List import errors',
        description: 'Returns the errors with their row and column, up to 20 per record.',
        params: BusinessRecordParams,
        querystring: PageQuery,
        response: { 200: PageOf(ImportError) },
      },
    },
    (request) => query(request, listErrors, { ...request.query, id: request.params.id, severity: 'ERROR' }),
  );

  app.get(
    `${IMPORTS}/:id/warnings`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listImportWarnings',
        summary: 'List import warnings',
        description:
          'Returns what was changed or left out, with its row and column, up to 100 warnings per record. The first 100,000 warnings are kept.',
        params: BusinessRecordParams,
        querystring: PageQuery,
        response: { 200: PageOf(ImportError) },
      },
    },
    (request) => query(request, listErrors, { ...request.query, id: request.params.id, severity: 'WARNING' }),
  );

  app.post(
    `${IMPORTS}/:id/cancel`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'cancelImport',
        summary: 'Cancel an import',
        description: 'Stops the import. Records that were already saved are kept.',
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
          'Returns all records of one type from a consistent snapshot, as CSV or NDJSON. Importing the file again changes nothing. CSV cells that a spreadsheet would treat as a formula are escaped with an apostrophe. Requires the write permission for the exported type.',
        produces: ['text/csv', 'application/x-ndjson'],
        params: BusinessParams,
        querystring: ExportQuery,
        response: { 200: File },
      },
    },
    async (request, reply) =>
      send(reply, await query(request, exportRecords, request.query), async () => {
        await requireAccess(request);
        requireFor({ caller: request.caller, ...request.params }, request.query.type);
      }),
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
          'Returns one record per line as NDJSON, without secrets and without the contents of media files. The last line contains the record count, so that truncated files are rejected on import. To restore the business, import the file with `type=business` into an empty business.',
        produces: ['application/x-ndjson'],
        params: BusinessParams,
        response: { 200: File },
      },
    },
    async (request, reply) =>
      send(reply, await query(request, exportBusiness, undefined), () => requireAccess(request)),
  );
}

/**
 * Streams with backpressure. An error aborts the connection, so that a truncated file never looks complete. A slow client can take minutes:
 * `recheck` throws if the caller has lost access in the meantime.
 */
function send(reply: FastifyReply, { fileName, contentType, text }: Export, recheck: () => Promise<void>): never {
  async function* checked() {
    for await (const part of text) {
      await recheck();
      yield part;
    }
  }
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(checked(), { objectMode: false })) as never;
}
