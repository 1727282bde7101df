import { change, command, query, readOne, stepsOf } from '../../http/command.ts';
import { sendJson } from '../../http/json-answer.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../shared/schemas.ts';
import { cancelRelease, changeRelease, createRelease, listReleases, readRelease } from './manage-releases.ts';
import { readPreview } from './preview.ts';
import { ListedRelease, PreviewParams, Release, ReleaseChanges, ReleaseInput, ReleaseQuery } from './schemas.ts';

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
          'Publishes up to 1,000 entries, products and collections at one instant, those with a draft with their draft. All or nothing: if one cannot be published none is, and `failure` says why. Needs the permission to write each kind of item.',
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
        ...{ tags, summary: 'List releases', description: 'Newest first.', params: BusinessParams },
        ...{ querystring: ReleaseQuery, response: { 200: PageOf(ListedRelease) } },
      },
    },
    (request) => query(request, listReleases, request.query),
  );

  app.get(
    `${RELEASES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read a release', params: BusinessRecordParams, response: { 200: Release } },
    },
    (request, reply) => readOne(request, reply, readRelease, request.params.id),
  );

  app.put(
    `${RELEASES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        ...{
          tags,
          summary: 'Change a release',
          description:
            'Until it is published or cancelled: 409 afterwards. One that failed is tried again, at its new time or at once.',
        },
        ...{ params: BusinessRecordParams, body: ReleaseChanges, response: { 200: Release } },
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
        summary: 'Read a preview',
        description:
          'The draft of an entry or a product, as its public document would be. The address comes from `preview-link`.',
        params: PreviewParams,
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      return sendJson(reply, await readPreview(stepsOf(request), request.params.token));
    },
  );
}
