import Type from 'typebox';
import { bodyStream } from '../../../http/bodies/body-stream.ts';
import { command, readUnversioned, stream } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, Success } from '../../../shared/schemas.ts';
import { LargeUpload, LargeUploadInput, PartParams } from '../schemas.ts';
import { UPLOAD_MS, type UploadLimit } from '../uploads/limit-uploads.ts';
import { beginUpload, cancelUpload, completeUpload, putPart, readUpload } from './large-uploads.ts';

const UPLOADS = '/v1/businesses/:businessId/media/uploads';
const tags = ['Media'];

export function partRoutes(app: App, limitUploads: UploadLimit): void {
  app.put(
    `${UPLOADS}/:id/parts/:number`,
    {
      config: { access: 'MEDIA_WRITE', bodyMs: UPLOAD_MS, streamsBody: true },
      schema: {
        tags,
        summary: 'Upload a part of a large file',
        description: 'Sending a part again replaces it, until the upload is completed.',
        consumes: ['application/octet-stream'],
        params: PartParams,
        body: Type.Unknown({ description: 'The raw bytes of the part.' }),
        response: { 200: Success },
      },
    },
    (request) =>
      limitUploads(request, async () => {
        const { id, number } = request.params;
        const length = request.headers['content-length'];
        const size = length === undefined ? null : Number(length);
        const body = bodyStream(request);
        try {
          return await stream(request, putPart, { id, number, body, size });
        } finally {
          body.destroy();
        }
      }),
  );
}

export function largeUploadRoutes(app: App): void {
  app.post(
    UPLOADS,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: {
        tags,
        summary: 'Create a large upload',
        description:
          'Starts the upload of a file of up to 5 GiB (images up to 100 MiB). Send each part to its URL with a PUT request, in any order, then complete the upload.',
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
        description:
          'Returns the upload with its stored parts and new URLs for all parts. When the status is `DONE`, the response includes the media file.',
        params: BusinessRecordParams,
        response: { 200: LargeUpload },
      },
    },
    (request, reply) => readUnversioned(request, reply, readUpload, request.params.id),
  );

  app.post(
    `${UPLOADS}/:id/complete`,
    {
      config: { access: 'MEDIA_WRITE' },
      schema: {
        tags,
        summary: 'Complete an upload',
        description: 'Checks the file in the background. After the check, the status is `DONE` or `FAILED`.',
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
