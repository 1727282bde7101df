import { command, query } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, BusinessRecordParams, CountedPageOf, Success } from '../../shared/schemas.ts';
import { createRedirect, deleteRedirect, listRedirects } from './redirects.ts';
import { Redirect, RedirectInput, RedirectQuery } from './schemas.ts';

const REDIRECTS = '/v1/businesses/:businessId/redirects';
const tags = ['Redirects'];

export function redirectRoutes(app: App): void {
  app.post(
    REDIRECTS,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        summary: 'Create a redirect',
        description:
          'The storefront redirects an old path to a new one. Existing redirects to `from` are updated to point directly to `to`. A target that leads back to `from` is rejected.',
        params: BusinessParams,
        body: RedirectInput,
        response: { 200: Redirect },
      },
    },
    (request) => command(request, createRedirect, request.body),
  );

  app.get(
    REDIRECTS,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        summary: 'List redirects',
        description: 'Returns redirects, newest first.',
        params: BusinessParams,
        querystring: RedirectQuery,
        response: { 200: CountedPageOf(Redirect) },
      },
    },
    (request) => query(request, listRedirects, request.query),
  );

  app.delete(
    `${REDIRECTS}/:id`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: { tags, summary: 'Delete a redirect', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, deleteRedirect, request.params.id),
  );
}
