import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { once } from '../../http/idempotency.ts';
import { sendJson, sendPage } from '../../http/json-answer.ts';
import type { App } from '../../http/server.ts';
import { refuseInvalid } from '../../http/validation.ts';
import { etagOf } from '../../shared/etag.ts';
import { BusinessParams, BusinessRecordParams, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import { changeEntry, deleteEntry } from './change-entry.ts';
import { createEntry } from './create-entry.ts';
import { checkBlocksOf } from './entry-rules.ts';
import type { Content } from './index.ts';
import { listEntries } from './list-entries.ts';
import { readEntry } from './read-entry.ts';
import { Entry, EntryInput, EntryQuery } from './schemas.ts';

const ENTRIES = '/v1/businesses/:businessId/entries';
const tags = ['Entries'];

export function entryRoutes(app: App, { pool, quick, cursors }: Deps, { context }: Content): void {
  app.post(
    ENTRIES,
    {
      config: { access: 'CONTENT_WRITE', idempotent: true },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Create an entry',
        description:
          'Its values are checked against the schema of its collection. Required ones may be missing only when `statuses` says DRAFT.',
        params: BusinessParams,
        body: EntryInput,
        response: { 200: Entry },
      },
    },
    async (request) => {
      const { params, caller, body } = request;
      await refuseInvalid(request, (sent) => checkBlocksOf(context, pool, params.businessId, sent));
      return once(pool, request, (tx) => createEntry(context, tx, caller, params.businessId, body));
    },
  );

  app.get(
    ENTRIES,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List and search entries',
        description:
          'Of one owner, or across all collections. Without CONTENT_READ only PUBLISHED ones are seen. Entries of an order are listed with `owner=order:…`, for its customer and ORDER_READ.',
        params: BusinessParams,
        querystring: EntryQuery,
        response: { 200: PageOf(Entry) },
      },
    },
    async ({ params, caller, query }, reply) => {
      const { items, cursor } = await listEntries(context, pool, cursors, caller, params.businessId, query);
      return sendPage(reply, { items, cursor });
    },
  );

  app.get(
    `${ENTRIES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read an entry', params: BusinessRecordParams, response: { 200: Entry } },
    },
    async ({ params, caller }, reply) => {
      const { json, version } = await readEntry(context, quick, caller, params.businessId, params.id);
      reply.header('etag', etagOf(version));
      return sendJson(reply, json);
    },
  );

  app.put(
    `${ENTRIES}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      attachValidation: true,
      schema: {
        tags,
        summary: 'Change an entry',
        description:
          'Fields that are not sent stay; `blocks` replaces all blocks. `statuses` may only append. Becoming PUBLISHED takes every required value.',
        params: BusinessRecordParams,
        body: EntryInput,
        response: { 200: Entry },
      },
    },
    async (request, reply) => {
      const { params, caller, body, headers } = request;
      await refuseInvalid(request, (sent) => checkBlocksOf(context, pool, params.businessId, sent, params.id));
      const { entry, version } = await inTransaction(pool, (tx) =>
        changeEntry(context, tx, caller, params, body, headers['if-match']),
      );
      reply.header('etag', etagOf(version));
      return entry;
    },
  );

  app.delete(
    `${ENTRIES}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: { tags, summary: 'Delete an entry', params: BusinessRecordParams, response: { 200: Success } },
    },
    async ({ params, caller, headers }) => {
      await inTransaction(pool, (tx) => deleteEntry(context, tx, caller, params, headers['if-match']));
      return SUCCESS;
    },
  );
}
