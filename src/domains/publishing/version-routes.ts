import Type, { type TSchema } from 'typebox';
import type { Access } from '../../http/access.ts';
import { change, query, queryOnce, readOne, readUnversioned } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { type BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { discardDraft, readDraft } from './change-record.ts';
import type { PublishedRecord, RecordKind } from './kinds.ts';
import { linkPreview } from './preview.ts';
import { publishRecord } from './publish-record.ts';
import { listVersions, readVersion } from './read-versions.ts';
import { restoreVersion } from './restore-version.ts';
import {
  CompareQuery,
  PreviewLink,
  PreviewQuery,
  PublishInput,
  Version,
  VersionDetail,
  VersionNumber,
} from './schemas.ts';

type VersionRoutes = {
  kind: RecordKind;
  /** Path of a single record. */
  path: string;
  params: typeof BusinessRecordParams;
  tag: string;
  /** The record with its article, such as `an entry`. */
  one: string;
  record: TSchema;
  /** Access to the read routes. Write routes require the kind's permission. */
  readers: Access;
  /** Prefix for the descriptions of read routes whose visibility is checked in code. */
  readersNote?: string;
  /** Describes what a restore leaves unchanged. */
  restoreNote: string;
  /** Describes previews for readers. */
  previewNote?: string;
  /** Errors that make a restore retry. */
  retry: (error: unknown) => boolean;
};

/** Registers the routes for drafts, versions, publishing and previews of one kind of record. */
export function versionRoutes(app: App, options: VersionRoutes): void {
  const { kind, path, params, one, record, readers, readersNote = '', restoreNote, previewNote = '', retry } = options;
  const { noun, name, permission } = kind;
  const tags = [options.tag];
  const VersionParams = Type.Object({ ...params.properties, number: VersionNumber });

  app.get(
    `${path}/versions`,
    {
      config: { access: readers },
      schema: {
        tags,
        operationId: `list${noun}Versions`,
        summary: `List ${name} versions`,
        description: `${readersNote}Returns versions, newest first. The \`VERSIONS_KEPT\` setting limits how many are kept.`,
        params,
        querystring: PageQuery,
        response: { 200: PageOf(Version) },
      },
    },
    (request) => query(request, listVersions, { ...request.query, kind, id: request.params.id }),
  );

  app.get(
    `${path}/versions/:number`,
    {
      config: { access: readers },
      schema: {
        tags,
        operationId: `get${noun}Version`,
        summary: `Get ${one} version`,
        description:
          'Returns the record at this version and the changed fields, compared with the previous version or with `against`.',
        params: VersionParams,
        querystring: CompareQuery,
        response: { 200: VersionDetail },
      },
    },
    (request, reply) => readUnversioned(request, reply, readVersion, { ...request.query, ...request.params, kind }),
  );

  app.post(
    `${path}/versions/:number/restore`,
    {
      config: { access: permission, versioned: true },
      schema: {
        tags,
        operationId: `restore${noun}Version`,
        summary: `Restore ${one} version`,
        description: `Creates a new version with the content of this version. If the ${name} is published, the new version is public immediately; if it has a draft, the version replaces the draft instead. ${restoreNote}`,
        params: VersionParams,
        response: { 200: record },
      },
    },
    (request, reply) => change(request, reply, restoreVersion, { ...request.params, kind }, { retry }),
  );

  app.post(
    `${path}/publish`,
    {
      config: { access: permission, versioned: true, bodyOptional: true },
      schema: {
        tags,
        summary: `Publish ${one}`,
        description: `Publishes the draft, or the ${name} itself if it has no draft. If \`at\` is in the future, the change is listed in \`scheduled\` until then.`,
        params,
        body: PublishInput,
        response: { 200: record },
      },
    },
    (request, reply) => change(request, reply, publishRecord, { ...request.body, kind, id: request.params.id }),
  );

  app.get(
    `${path}/draft`,
    {
      config: { access: readers, versioned: true },
      schema: {
        tags,
        operationId: `get${noun}Draft`,
        summary: `Get ${one} draft`,
        description: `${readersNote}Returns the draft of the ${name}, or the ${name} itself if it has no draft.`,
        params,
        response: { 200: record },
      },
    },
    (request, reply) => readOne(request, reply, readDraft<PublishedRecord>, { kind, id: request.params.id }),
  );

  app.delete(
    `${path}/draft`,
    {
      config: { access: permission, versioned: true },
      schema: {
        tags,
        operationId: `discard${noun}Draft`,
        summary: `Discard ${one} draft`,
        description: `The ${name} itself is not changed. The content of the draft stays in its version history.`,
        params,
        response: { 200: record },
      },
    },
    (request, reply) => change(request, reply, discardDraft, { kind, id: request.params.id }),
  );

  app.post(
    `${path}/preview-link`,
    {
      config: { access: readers },
      schema: {
        tags,
        operationId: `link${noun}Preview`,
        summary: `Create a preview link for ${one}`,
        description: `Returns URLs that show the draft without authentication: as JSON, and on the storefront. They expire in 1 hour. They show what the public will see.${previewNote}`,
        params,
        querystring: PreviewQuery,
        response: { 200: PreviewLink },
      },
    },
    (request) => queryOnce(request, linkPreview, { kind, id: request.params.id, ...request.query }),
  );
}
