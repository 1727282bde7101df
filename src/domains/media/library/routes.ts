import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, Success } from '../../../shared/schemas.ts';
import {
  DeleteQuery,
  DeleteUploadQuery,
  MediaChange,
  MediaItem,
  MediaPage,
  MediaQuery,
  MediaUses,
} from '../schemas.ts';
import { changeMedia } from './change-media.ts';
import { deleteMedia } from './delete-media.ts';
import { listMediaItems, readMedia, readMediaUses } from './read-media.ts';

const BUSINESS = '/v1/businesses/:businessId';
const MEDIA = `${BUSINESS}/media`;
const tags = ['Media'];

export function libraryRoutes(app: App): void {
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
        description: 'Returns files, newest first. Requires `MEDIA_WRITE`, `CATALOG_WRITE` or `CONTENT_WRITE`.',
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
        summary: 'List the records that use a file',
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
        summary: 'Update a file',
        description:
          'Updates the title, alt text or focal point. Records that use the file are updated shortly afterward.',
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
        description:
          'If the file is in use, the request fails with 409 and lists the records that use it. With `force=true`, the file is also removed from those records.',
        params: BusinessRecordParams,
        querystring: DeleteQuery,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteMedia, { id: request.params.id, force: request.query.force ?? false }),
  );
}
