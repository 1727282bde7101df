import Type from 'typebox';
import { change, command, perform, query, readOne } from '../../../http/command.ts';
import { sendJson, sendPage } from '../../../http/json-answer.ts';
import type { App } from '../../../http/server.ts';
import { refuseInvalid } from '../../../http/validation.ts';
import { checkBlockSchema, checkBlockSettings } from '../../../shared/blocks.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, BusinessSlugParams, PageOf, Success } from '../../../shared/schemas.ts';
import type { Steps } from '../context.ts';
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
  ListedCollection,
  Misfit,
} from './schemas.ts';
import { validateEntries } from './validate-entries.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';
const tags = ['Collections'];
const DeleteQuery = Type.Object({
  cascade: Type.Optional(Type.Boolean({ description: 'Delete its entries with it.', examples: [true] })),
});

export function collectionRoutes(app: App): void {
  app.post(
    COLLECTIONS,
    {
      config: { access: 'CONTENT_WRITE' },
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
      await refuseInvalid(request, ({ blocks = [] }) => checkBlockSchema(blocks));
      return command(request, createCollection, request.body);
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
        response: { 200: PageOf(ListedCollection) },
      },
    },
    async (request, reply) => sendPage(reply, await query(request, listCollections, request.query)),
  );

  app.get(
    `${COLLECTIONS}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read a collection', params: BusinessSlugParams, response: { 200: Collection } },
    },
    async (request, reply) => sendJson(reply, await readOne(request, reply, readCollection, request.params.id)),
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
        params: BusinessSlugParams,
        body: CollectionChanges,
        response: { 200: Collection },
      },
    },
    async (request, reply) => {
      await refuseInvalid(request, ({ blocks = [] }) => checkBlockSchema(blocks));
      return change(request, reply, changeCollection, { id: request.params.id, changes: request.body });
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
        summary: 'List the entries that no longer fit',
        description:
          'Oldest first, each with what is wrong with it. Changes nothing. A request looks at 1,000 entries at most: a page may be short or empty and still have a cursor.',
        params: BusinessSlugParams,
        querystring: PageQuery,
        response: { 200: PageOf(Misfit) },
      },
    },
    (request) => perform(request, validateEntries, { ...request.query, idOrSlug: request.params.id }),
  );

  app.post(
    `${COLLECTIONS}/blocks/generate`,
    {
      config: { access: 'CONTENT_WRITE' },
      attachValidation: true,
      schema: {
        tags,
        operationId: 'generateBlocks',
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
      return perform(request, (ctx: Steps, input: GenerateInput) => generateBlocks(ctx, input), request.body);
    },
  );
}
