import { change, command, query, readOne } from '../../http/command.ts';
import { sendJson } from '../../http/json-response.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { openPreview } from './preview.ts';
import { cancelRelease, changeRelease, createRelease, listReleases, readRelease } from './releases/manage-releases.ts';
import {
  ListedRelease,
  PreviewedRecord,
  PreviewParams,
  Release,
  ReleaseChanges,
  ReleaseInput,
  ReleaseQuery,
} from './schemas.ts';

const RELEASES = '/v1/businesses/:businessId/releases';
const tags = ['Releases'];

export function publishingRoutes(app: App): void {
  app.post(
    RELEASES,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Create a release',
        description:
          "Publishes up to 1,000 entries, products and collections at once, including their drafts. If any item can't be published, none are, and `failure` contains the reason. Requires the write permission for each type of item.",
        params: BusinessParams,
        body: ReleaseInput,
        response: { 200: Release },
      },
    },
    (request) => command(request, createRelease, request.body),
  );

  app.get(
    RELEASES,
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List releases',
        description: 'Returns releases, newest first.',
        params: BusinessParams,
        querystring: ReleaseQuery,
        response: { 200: PageOf(ListedRelease) },
      },
    },
    (request) => query(request, listReleases, request.query),
  );

  app.get(
    `${RELEASES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Get a release', params: BusinessRecordParams, response: { 200: Release } },
    },
    (request, reply) => readOne(request, reply, readRelease, request.params.id),
  );

  app.put(
    `${RELEASES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Update a release',
        description:
          'Fails with 409 if the release is already published or canceled. Updating a failed release retries it, at its new time or immediately.',
        params: BusinessRecordParams,
        body: ReleaseChanges,
        response: { 200: Release },
      },
    },
    (request, reply) => change(request, reply, changeRelease, { id: request.params.id, changes: request.body }),
  );

  app.post(
    `${RELEASES}/:id/cancel`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Cancel a release', params: BusinessRecordParams, response: { 200: Release } },
    },
    (request, reply) => change(request, reply, cancelRelease, request.params.id),
  );

  app.get(
    '/v1/previews/:token',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Previews'],
        summary: 'Get a preview',
        description:
          'Returns the draft of an entry or product in its public format. To get the URL, create a preview link.',
        params: PreviewParams,
        response: { 200: PreviewedRecord },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      return sendJson(reply, (await query(request, openPreview, request.params.token)).json);
    },
  );
}
