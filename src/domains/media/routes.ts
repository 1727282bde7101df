import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { change, command, query, readOne, stepsOf } from '../../http/command.ts';
import { acceptStreams, readForm } from '../../http/multipart.ts';
import { type App, isHead } from '../../http/server.ts';
import { ServiceError, unavailable } from '../../shared/errors.ts';
import { BusinessParams, BusinessRecordParams, Success } from '../../shared/schemas.ts';
import { changeMedia } from './change-media.ts';
import type { Steps } from './context.ts';
import { deleteMedia } from './delete-media.ts';
import { type Delivery, deliver } from './deliver.ts';
import { beginUpload, cancelUpload, completeUpload, putPart, readUpload } from './large-uploads.ts';
import { listMediaItems, readMedia, readMediaUses } from './read-media.ts';
import {
  DeleteQuery,
  DeleteUploadQuery,
  DeliveryParams,
  LargeUpload,
  LargeUploadInput,
  MediaChange,
  MediaItem,
  MediaPage,
  MediaQuery,
  MediaUses,
  PartParams,
  UploadByUrl,
  Uploaded,
} from './schemas.ts';
import { forget, receiveFile, type Upload, type UploadSource, uploadFiles } from './upload-files.ts';

const BUSINESS = '/v1/businesses/:businessId';
const MEDIA = `${BUSINESS}/media`;
const UPLOADS = `${MEDIA}/uploads`;
const tags = ['Media'];

/** A phone on a bad line sends 25 MiB in this time with 30 KB a second. */
const UPLOAD_MS = 900_000;
/** Requests with a file that one process takes at once. */
const MAX_UPLOADS = 100;

export function mediaRoutes(app: App): void {
  app.register(async (scope) => {
    acceptStreams(scope as unknown as FastifyInstance, 'multipart/form-data', 'application/octet-stream');
    uploadRoutes(scope as unknown as App);
  });
  itemRoutes(app);
  deliveryRoute(app);
}

function uploadRoutes(app: App): void {
  let uploads = 0;
  /** Runs one of few: a request beyond that is told to come again. */
  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (uploads >= MAX_UPLOADS) throw unavailable('Too many files are being uploaded. Try again soon.');
    uploads++;
    try {
      return await work();
    } finally {
      uploads--;
    }
  }

  app.post(
    `${BUSINESS}/upload`,
    {
      config: { access: 'MEDIA_WRITE', bodyMs: UPLOAD_MS },
      attachValidation: true,
      schema: {
        tags,
        operationId: 'uploadMedia',
        summary: 'Upload files',
        description:
          'A multipart form with one or more fields `files` (or `urls`): files, or addresses that are fetched. As JSON: `{"files": [addresses]}`. All are taken or none. A file that is in the library already is answered as it is there.',
        consumes: ['multipart/form-data', 'application/json'],
        params: BusinessParams,
        body: UploadByUrl,
        response: { 200: Uploaded },
      },
    },
    (request) =>
      limited(async () => {
        const sources = await sourcesOf(request);
        const upload: Upload = { sources, stored: [] };
        try {
          return await command(request, uploadFiles, upload);
        } catch (error) {
          // We refused, so nothing was committed. After any other error that is not known, and the sweep finds out.
          if (error instanceof ServiceError) await forget(stepsOf(request) as Steps, upload.stored).catch(() => {});
          throw error;
        } finally {
          await removeSpooled(sources);
        }
      }),
  );

  app.put(
    `${UPLOADS}/:id/parts/:number`,
    {
      config: { access: 'MEDIA_WRITE', bodyMs: UPLOAD_MS },
      schema: {
        tags,
        summary: 'Send a part of a large file',
        description: 'A part may be sent again.',
        consumes: ['application/octet-stream'],
        params: PartParams,
        body: Type.Unknown({ description: 'The bytes of the part as they are.' }),
        response: { 200: Success },
      },
    },
    (request) =>
      limited(async () => {
        const { id, number } = request.params;
        const length = request.headers['content-length'];
        const size = length === undefined ? null : Number(length);
        try {
          return await putPart(stepsOf(request) as Steps, { id, number, body: request.raw, size });
        } finally {
          request.raw.resume();
        }
      }),
  );
}

/** What the request holds. Files lie on the disk by then. */
async function sourcesOf(request: FastifyRequest): Promise<UploadSource[]> {
  if (!request.headers['content-type']?.startsWith('multipart/')) {
    if (request.validationError) throw request.validationError;
    return (request.body as { files: string[] }).files.map((url) => ({ url }));
  }
  const ctx = stepsOf(request) as Steps;
  const sources: (UploadSource | null)[] = [];
  const isOurs = (name: string) => /^(?:files?|urls?)(?:\[\d*\])?$/.test(name);
  try {
    await readForm(request, {
      async onFile(name, body, fileName) {
        if (!isOurs(name)) return void body.resume();
        const at = sources.push(null) - 1;
        sources[at] = { file: await receiveFile(ctx, body), fileName };
      },
      onField(name, value) {
        if (isOurs(name) && value.trim() !== '') sources.push({ url: value.trim() });
      },
    });
  } catch (error) {
    await removeSpooled(sources);
    throw error;
  }
  return sources.filter((source) => source !== null);
}

async function removeSpooled(sources: readonly (UploadSource | null)[]): Promise<void> {
  for (const source of sources) if (source && 'file' in source) await rm(source.file.path, { force: true });
}

function itemRoutes(app: App): void {
  app.delete(
    `${BUSINESS}/upload`,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: {
        tags,
        operationId: 'deleteUploadedMedia',
        summary: 'Delete a file',
        params: BusinessParams,
        querystring: DeleteUploadQuery,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteMedia, { id: request.query.mediaId, force: request.query.force ?? false }),
  );

  app.get(
    MEDIA,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listMedia',
        summary: 'List files',
        description: 'Newest first. Needs MEDIA_WRITE, CATALOG_WRITE or CONTENT_WRITE.',
        params: BusinessParams,
        querystring: MediaQuery,
        response: { 200: MediaPage },
      },
    },
    (request) => query(request, listMediaItems, request.query),
  );

  app.get(
    `${MEDIA}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        operationId: 'getMedia',
        summary: 'Get a file',
        params: BusinessRecordParams,
        response: { 200: MediaItem },
      },
    },
    (request, reply) => readOne(request, reply, readMedia, request.params.id),
  );

  app.get(
    `${MEDIA}/:id/uses`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listMediaUses',
        summary: 'Where a file is used',
        params: BusinessRecordParams,
        response: { 200: MediaUses },
      },
    },
    (request) => query(request, readMediaUses, request.params.id),
  );

  app.put(
    `${MEDIA}/:id`,
    {
      config: { access: 'MEDIA_WRITE', versioned: true, bodyMs: 30_000 },
      schema: {
        tags,
        summary: 'Change what is said of a file',
        description: 'Records that use the file follow a moment later.',
        params: BusinessRecordParams,
        body: MediaChange,
        response: { 200: MediaItem },
      },
    },
    (request, reply) => change(request, reply, changeMedia, { id: request.params.id, changes: request.body }),
  );

  app.delete(
    `${MEDIA}/:id`,
    {
      config: { access: 'MEDIA_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a file',
        description: 'One that is in use is 409, with where, unless `force=true`.',
        params: BusinessRecordParams,
        querystring: DeleteQuery,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteMedia, { id: request.params.id, force: request.query.force ?? false }),
  );

  app.post(
    UPLOADS,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: {
        tags,
        summary: 'Begin to upload a large file',
        description: 'Up to 5 GiB. PUT each part to its address, in any order, then complete the upload.',
        params: BusinessParams,
        body: LargeUploadInput,
        response: { 200: LargeUpload },
      },
    },
    (request) => command(request, beginUpload, request.body),
  );

  app.get(
    `${UPLOADS}/:id`,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: {
        tags,
        summary: 'Get an upload',
        description: 'Which parts are there, with fresh addresses for all; once it is DONE, the file it has become.',
        params: BusinessRecordParams,
        response: { 200: LargeUpload },
      },
    },
    (request) => query(request, readUpload, request.params.id),
  );

  app.post(
    `${UPLOADS}/:id/complete`,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: {
        tags,
        summary: 'Complete an upload',
        description: 'Type, size and hash are checked by a job; then the upload is DONE or FAILED.',
        params: BusinessRecordParams,
        response: { 200: LargeUpload },
      },
    },
    (request) => command(request, completeUpload, request.params.id),
  );

  app.delete(
    `${UPLOADS}/:id`,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: { tags, summary: 'Cancel an upload', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, cancelUpload, request.params.id),
  );
}

function deliveryRoute(app: App): void {
  app.get(
    '/media/:businessId/:key',
    { config: { access: 'public' }, schema: { params: DeliveryParams } },
    async (request, reply) => {
      const { accept = '', range, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = request.headers;
      const delivery = await query(request, deliver, {
        key: request.params.key,
        accept,
        ifNoneMatch,
        range,
        ifRange: ifRange as string | undefined,
        isHead: isHead(request),
      });
      return answer(reply, delivery);
    },
  );
}

function answer(reply: FastifyReply, { status, headers, body }: Delivery): FastifyReply {
  // Without a body the headers still tell its length: a stream leaves them as they are.
  return reply
    .code(status)
    .removeHeader('vary')
    .headers(headers)
    .send(body ?? Readable.from([]));
}
