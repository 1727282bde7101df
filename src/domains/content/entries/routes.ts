import type { StepsOf, Versioned } from '../../../context/index.ts';
import { change, command, query, readOne, stepsOf } from '../../../http/command.ts';
import { sendJson, sendPage } from '../../../http/json-answer.ts';
import type { App } from '../../../http/server.ts';
import { refuseInvalid } from '../../../http/validation.ts';
import { isTextsChanged, type PreparedTexts } from '../../../shared/blocks.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { asksForDraft, DraftQuery } from '../../publishing/index.ts';
import type { ContentServices } from '../context.ts';
import { changeEntry, type EntryChange } from './change-entry.ts';
import { createEntry } from './create-entry.ts';
import { deleteEntry } from './delete-entry.ts';
import { listEntries } from './list-entries.ts';
import { readEntry } from './read-entry.ts';
import { findBlockProblems, prepareEntry } from './rules.ts';
import { readDraft } from './save-draft.ts';
import { Entry, EntryChanges, EntryInput, EntryQuery, ListedEntry } from './schemas.ts';

const ENTRIES = '/v1/businesses/:businessId/entries';
const tags = ['Entries'];

const CREATE: StepsOf<ContentServices, EntryInput, PreparedTexts, Entry, Entry> = {
  prepare: (ctx, { blocks }) => prepareEntry(ctx, { id: null, blocks }),
  execute: createEntry,
};
const CHANGE: StepsOf<ContentServices, EntryChange, PreparedTexts, Versioned<Entry>, Versioned<Entry>> = {
  prepare: (ctx, { id, changes: { blocks } }) => prepareEntry(ctx, { id, blocks }),
  execute: changeEntry,
};

export function entryRoutes(app: App): void {
  app.post(
    ENTRIES,
    {
      config: { access: 'CONTENT_WRITE' },
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
      await refuseInvalid(request, (sent) => findBlockProblems(stepsOf(request), { id: null, sent }));
      return command(request, CREATE, request.body, { retry: isTextsChanged });
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
        response: { 200: PageOf(ListedEntry) },
      },
    },
    async (request, reply) => sendPage(reply, await query(request, listEntries, request.query)),
  );

  app.get(
    `${ENTRIES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Read an entry',
        description: 'What readers see. With `?draft=true` it is the same as `GET …/draft`.',
        params: BusinessRecordParams,
        response: { 200: Entry },
      },
    },
    async (request, reply) =>
      asksForDraft(request.query)
        ? readOne(request, reply, readDraft, request.params.id)
        : sendJson(reply, await readOne(request, reply, readEntry, request.params.id)),
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
          'Fields that are not sent stay; `blocks` replaces all blocks. `statuses` may only append; one with a `timestamp` ahead waits in `scheduled`. Becoming PUBLISHED takes every required value. With `draft=true` readers of a PUBLISHED entry see it as it was until the draft is published.',
        params: BusinessRecordParams,
        querystring: DraftQuery,
        body: EntryChanges,
        response: { 200: Entry },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await refuseInvalid(request, (sent) => findBlockProblems(stepsOf(request), { id, sent }));
      const input = { id, changes: request.body, isDraft: request.query.draft };
      return change(request, reply, CHANGE, input, { retry: isTextsChanged });
    },
  );

  app.delete(
    `${ENTRIES}/:id`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: { tags, summary: 'Delete an entry', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, deleteEntry, request.params.id),
  );
}
