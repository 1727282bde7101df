import Type from 'typebox';
import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { once } from '../../http/idempotency.ts';
import { sendJson, sendPage } from '../../http/json-answer.ts';
import type { App } from '../../http/server.ts';
import { refuseInvalid } from '../../http/validation.ts';
import { checkBlockSchema, checkBlockSettings } from '../../shared/blocks.ts';
import { etagOf } from '../../shared/etag.ts';
import { BusinessParams, BusinessRecordParams, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import { changeCollection } from './change-collection.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { generateBlocks } from './generate-blocks.ts';
import type { Content } from './index.ts';
import { listCollectionPage, readCollection } from './read-collections.ts';
import {
  Collection,
  CollectionChanges,
  CollectionInput,
  CollectionQuery,
  GeneratedBlocks,
  GenerateInput,
} from './schemas.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';
const tags = ['Collections'];
const DeleteQuery = Type.Object({
  cascade: Type.Optional(Type.Boolean({ description: 'Delete its entries with it.', examples: [true] })),
});

export function collectionRoutes(app: App, { pool, cursors }: Deps, { context }: Content): void {
  app.post(
    COLLECTIONS,
    {
      config: { access: 'CONTENT_WRITE', idempotent: true },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Create a collection',
        description: 'The slug is made from the name when it is missing. Plans are for type NEWSLETTER only.',
        params: BusinessParams,
        body: CollectionInput,
        response: { 200: Collection },
      },
    },
    async (request) => {
      const { params, caller, body } = request;
      await refuseInvalid(request, ({ blocks = [] }) => checkBlockSchema(blocks));
      return once(pool, request, (tx) => createCollection(context, tx, caller, params.businessId, body));
    },
  );

  app.get(
    COLLECTIONS,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List collections',
        description: 'Newest first. Without CONTENT_READ only PUBLISHED ones are seen.',
        params: BusinessParams,
        querystring: CollectionQuery,
        response: { 200: PageOf(Collection) },
      },
    },
    async ({ params, caller, query }, reply) => {
      const { items, cursor } = await listCollectionPage(pool, cursors, caller, params.businessId, query);
      return sendPage(reply, { items, cursor });
    },
  );

  app.get(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read a collection', params: BusinessRecordParams, response: { 200: Collection } },
    },
    async ({ params, caller }, reply) => {
      const { doc, version } = await readCollection(pool, caller, params.businessId, params.id);
      reply.header('etag', etagOf(version));
      return sendJson(reply, doc);
    },
  );

  app.put(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Change a collection',
        description:
          'Fields that are not sent stay; a list that is sent replaces the list. Entries stay as they are and are checked against the new schema when they are written next.',
        params: BusinessRecordParams,
        body: CollectionChanges,
        response: { 200: Collection },
      },
    },
    async (request, reply) => {
      const { params, caller, body, headers } = request;
      await refuseInvalid(request, ({ blocks = [] }) => checkBlockSchema(blocks));
      const { collection, version } = await inTransaction(pool, (tx) =>
        changeCollection(context, tx, caller, params, body, headers['if-match']),
      );
      reply.header('etag', etagOf(version));
      return collection;
    },
  );

  app.delete(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a collection',
        description: 'One that has entries is kept (409) unless `cascade=true`.',
        params: BusinessRecordParams,
        querystring: DeleteQuery,
        response: { 200: Success },
      },
    },
    async ({ params, query, headers }) => {
      await inTransaction(pool, (tx) => deleteCollection(tx, params, query.cascade ?? false, headers['if-match']));
      return SUCCESS;
    },
  );

  app.post(
    `${COLLECTIONS}/blocks/generate`,
    {
      config: { access: 'CONTENT_WRITE' },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Generate values for blocks',
        description:
          'Every value would pass as a write. Ids of records and media are never invented: those blocks come back empty.',
        params: BusinessParams,
        body: GenerateInput,
        response: { 200: GeneratedBlocks },
      },
    },
    async (request) => {
      await refuseInvalid(request, ({ blocks }) => (blocks === undefined ? [] : checkBlockSettings(blocks)));
      return generateBlocks(context, request.body);
    },
  );
}
