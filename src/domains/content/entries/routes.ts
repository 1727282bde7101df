import { change, command, query, readOne } from '../../../http/command.ts';
import { sendJson, sendPage } from '../../../http/json-response.ts';
import type { App } from '../../../http/server.ts';
import { addErrors } from '../../../http/validation/on-invalid.ts';
import { isTextsChangedError } from '../../../shared/blocks/index.ts';
import { BusinessParams, BusinessRecordParams, CountedPageOf, Success } from '../../../shared/schemas.ts';
import { DraftQuery, isDraftRequested, readDraft } from '../../publishing/index.ts';
import { changeEntry } from './change-entry.ts';
import { createEntry } from './create-entry.ts';
import { deleteEntry } from './delete-entry.ts';
import { entryKind } from './entry-kind.ts';
import { isSlugTaken } from './entry-settings.ts';
import { listEntries } from './lists/list-entries.ts';
import { readEntry } from './read-entry.ts';
import { findBlockErrors } from './rules.ts';
import { Entry, EntryChanges, EntryInput, EntryQuery, ListedEntry } from './schemas.ts';

const ENTRIES = '/v1/businesses/:businessId/entries';
const tags = ['Entries'];

const retry = (error: unknown) => isTextsChangedError(error) || isSlugTaken(error);

const onInvalid = addErrors((request, sent) => {
  const { id = null } = request.params as { id?: string };
  return query(request, findBlockErrors, { id, sent });
});

export function entryRoutes(app: App): void {
  app.post(
    ENTRIES,
    {
      config: { access: 'CONTENT_WRITE', onInvalid },
      schema: {
        tags,
        summary: 'Create an entry',
        description:
          'Values are validated against the schema of the collection. Required values may be missing only if the status is explicitly `DRAFT`.',
        params: BusinessParams,
        body: EntryInput,
        response: { 200: Entry },
      },
    },
    (request) => command(request, createEntry, request.body, { retry }),
  );

  app.get(
    ENTRIES,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List and search entries',
        description:
          'Returns the entries of one owner or, without `owner`, of all collections. Without `owner`, callers with both `CONTENT_READ` and `ORDER_READ` also see the entries of orders and reservations. Callers without `CONTENT_READ` see only `PUBLISHED` entries. Use `owner=order:…` to list the entries of an order. Callers without `ORDER_READ` see only the `PUBLISHED` entries of their own orders.',
        params: BusinessParams,
        querystring: EntryQuery,
        response: { 200: CountedPageOf(ListedEntry) },
      },
    },
    async (request, reply) => sendPage(reply, await query(request, listEntries, request.query)),
  );

  app.get(
    `${ENTRIES}/:id`,
    {
      config: { access: 'token', versioned: true, alsoReads: ['draft'] },
      schema: {
        tags,
        summary: 'Get an entry',
        description: 'Returns the published version. With `?draft=true`, returns the draft, like `GET …/draft`.',
        params: BusinessRecordParams,
        response: { 200: Entry },
      },
    },
    async (request, reply) =>
      isDraftRequested(request.query)
        ? readOne(request, reply, readDraft<Entry>, { kind: entryKind, id: request.params.id })
        : sendJson(reply, await readOne(request, reply, readEntry, request.params.id)),
  );

  app.put(
    `${ENTRIES}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true, onInvalid },
      schema: {
        tags,
        summary: 'Update an entry',
        description:
          'Omitted fields keep their values. `blocks` replaces all blocks. You can only append to `statuses`. A status with a future `timestamp` is added to `scheduled`. To publish an entry, all required values must be set. With `draft=true`, a `PUBLISHED` entry stays unchanged for readers until the draft is published.',
        params: BusinessRecordParams,
        querystring: DraftQuery,
        body: EntryChanges,
        response: { 200: Entry },
      },
    },
    (request, reply) => {
      const input = { kind: entryKind, id: request.params.id, changes: request.body, isDraft: request.query.draft };
      return change(request, reply, changeEntry, input, { retry });
    },
  );

  app.delete(
    `${ENTRIES}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete an entry',
        description: 'Fails with 409 if the entry has a scheduled or running send, or if an automation sends it.',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteEntry, request.params.id),
  );
}
