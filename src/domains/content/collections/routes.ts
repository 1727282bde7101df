import Type from 'typebox';
import { change, command, query, queryOnce, readOne } from '../../../http/command.ts';
import { sendJson, sendPage } from '../../../http/json-response.ts';
import type { App } from '../../../http/server.ts';
import { addErrors } from '../../../http/validation/on-invalid.ts';
import { checkBlockSchema, checkBlockSettings } from '../../../shared/blocks/index.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, BusinessSlugParams, CountedPageOf, PageOf, Success } from '../../../shared/schemas.ts';
import { changeCollection } from './change-collection.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { generateBlocks } from './generate-blocks.ts';
import { listCollections, readCollection } from './read-collections.ts';
import {
  Collection,
  CollectionChanges,
  CollectionInput,
  CollectionQuery,
  GeneratedBlocks,
  GenerateInput,
  InvalidEntry,
  ListedCollection,
} from './schemas.ts';
import { validateEntries } from './validate-entries.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';
const tags = ['Collections'];
const onInvalid = addErrors((_request, { blocks = [] }) => checkBlockSchema(blocks));
const DeleteQuery = Type.Object({
  cascade: Type.Optional(
    Type.Boolean({ description: 'Also delete the entries and subscribers of the collection.', examples: [true] }),
  ),
});

export function collectionRoutes(app: App): void {
  app.post(
    COLLECTIONS,
    {
      config: { access: 'CONTENT_WRITE', onInvalid },
      schema: {
        tags,
        summary: 'Create a collection',
        description:
          'If `slug` is omitted, it is generated from the name. Only collections of type `NEWSLETTER` can have plans.',
        params: BusinessParams,
        body: CollectionInput,
        response: { 200: Collection },
      },
    },
    (request) => command(request, createCollection, request.body),
  );

  app.get(
    COLLECTIONS,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List collections',
        description:
          'Returns collections, newest first. Callers without `CONTENT_READ` see only `PUBLISHED` collections.',
        params: BusinessParams,
        querystring: CollectionQuery,
        response: { 200: CountedPageOf(ListedCollection) },
      },
    },
    async (request, reply) => sendPage(reply, await query(request, listCollections, request.query)),
  );

  app.get(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Get a collection', params: BusinessSlugParams, response: { 200: Collection } },
    },
    async (request, reply) => sendJson(reply, await readOne(request, reply, readCollection, request.params.id)),
  );

  app.put(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true, onInvalid },
      schema: {
        tags,
        summary: 'Update a collection',
        description:
          'Omitted fields keep their values. A list replaces the previous list. Existing entries are not changed. They are validated against the new schema on their next write.',
        params: BusinessSlugParams,
        body: CollectionChanges,
        response: { 200: Collection },
      },
    },
    (request, reply) => change(request, reply, changeCollection, { id: request.params.id, changes: request.body }),
  );

  app.delete(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a collection',
        description:
          'Fails with 409 if the collection has entries or subscribers, unless `cascade=true`. Open sends are canceled, and automations of the newsletter are deleted.',
        params: BusinessSlugParams,
        querystring: DeleteQuery,
        response: { 200: Success },
      },
    },
    (request) => {
      const { cascade = false } = request.query;
      return command(request, deleteCollection, { id: request.params.id, cascade });
    },
  );

  app.post(
    `${COLLECTIONS}/:id/validate`,
    {
      config: { access: 'CONTENT_WRITE' },
      schema: {
        tags,
        summary: 'List invalid entries',
        description:
          'Returns the entries that no longer match the schema of the collection, oldest first, each with its errors. Entries are not changed. A request checks at most 1,000 entries, so a page with few or no entries may still have a cursor.',
        params: BusinessSlugParams,
        querystring: PageQuery,
        response: { 200: PageOf(InvalidEntry) },
      },
    },
    (request) => queryOnce(request, validateEntries, { ...request.query, idOrSlug: request.params.id }),
  );

  app.post(
    `${COLLECTIONS}/blocks/generate`,
    {
      config: {
        access: 'CONTENT_WRITE',
        onInvalid: addErrors((_request, { blocks }) => (blocks === undefined ? [] : checkBlockSettings(blocks))),
      },
      schema: {
        tags,
        operationId: 'generateBlocks',
        summary: 'Generate values for blocks',
        description:
          'Returns values that pass validation, so you can save them as is. IDs of records and media files are never generated. Those blocks are returned empty.',
        params: BusinessParams,
        body: GenerateInput,
        response: { 200: GeneratedBlocks },
      },
    },
    (request) => queryOnce(request, generateBlocks, request.body),
  );
}
