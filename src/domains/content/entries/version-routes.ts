import { change, perform, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { isTextsChanged } from '../../../shared/blocks.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessRecordParams, PageOf } from '../../../shared/schemas.ts';
import {
  CompareQuery,
  EntryVersionParams,
  PreviewLink,
  PublishInput,
  Version,
  VersionDetail,
} from '../../publishing/index.ts';
import { entryVersions, restoreEntry } from './entry-versions.ts';
import { publishEntry } from './publish-entry.ts';
import { discardDraft, readDraft } from './save-draft.ts';
import { Entry } from './schemas.ts';

const ENTRY = '/v1/businesses/:businessId/entries/:id';
const tags = ['Entries'];

export function entryVersionRoutes(app: App): void {
  app.get(
    `${ENTRY}/versions`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listEntryVersions',
        summary: "List an entry's versions",
        description:
          'Newest first, for those who see the entry before it is PUBLISHED. How many are kept is a setting.',
        params: BusinessRecordParams,
        querystring: PageQuery,
        response: { 200: PageOf(Version) },
      },
    },
    (request) => query(request, entryVersions.list, { ...request.query, id: request.params.id }),
  );

  app.get(
    `${ENTRY}/versions/:number`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'getEntryVersion',
        summary: 'Read a version of an entry',
        description: 'With its document, and field by field what differs from the version before or from `against`.',
        params: EntryVersionParams,
        querystring: CompareQuery,
        response: { 200: VersionDetail },
      },
    },
    (request) => query(request, entryVersions.read, { ...request.query, ...request.params }),
  );

  app.post(
    `${ENTRY}/versions/:number/restore`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'restoreEntryVersion',
        summary: 'Restore a version of an entry',
        description: 'Makes a new version with the content of this one, public at once if the entry is. Statuses stay.',
        params: EntryVersionParams,
        response: { 200: Entry },
      },
    },
    (request, reply) => change(request, reply, restoreEntry, request.params, { retry: isTextsChanged }),
  );

  app.post(
    `${ENTRY}/publish`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true, bodyOptional: true },
      schema: {
        tags,
        summary: 'Publish an entry',
        description:
          'With its draft where there is one. With `at` ahead it is published then, and waits in `scheduled`.',
        params: BusinessRecordParams,
        body: PublishInput,
        response: { 200: Entry },
      },
    },
    (request, reply) => change(request, reply, publishEntry, { ...request.body, id: request.params.id }),
  );

  app.get(
    `${ENTRY}/draft`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        operationId: 'getEntryDraft',
        summary: 'Read the draft of an entry',
        description:
          'For those who see the entry before it is PUBLISHED: the draft beside the public entry, or the entry itself where there is none.',
        params: BusinessRecordParams,
        response: { 200: Entry },
      },
    },
    (request, reply) => readOne(request, reply, readDraft, request.params.id),
  );

  app.delete(
    `${ENTRY}/draft`,
    {
      config: { access: 'CONTENT_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'discardEntryDraft',
        summary: 'Discard the draft of an entry',
        description: 'The entry stays as it is. What was drafted stays among its versions.',
        params: BusinessRecordParams,
        response: { 200: Entry },
      },
    },
    (request, reply) => change(request, reply, discardDraft, request.params.id),
  );

  app.post(
    `${ENTRY}/preview-link`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'linkEntryPreview',
        summary: 'Make a preview link of an entry',
        description: 'An address that shows the draft as JSON to whoever has it, for an hour.',
        params: BusinessRecordParams,
        response: { 200: PreviewLink },
      },
    },
    (request) => perform(request, entryVersions.linkPreview, request.params.id),
  );
}
