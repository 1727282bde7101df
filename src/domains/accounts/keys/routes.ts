import { change, command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import {
  changePublishableKey,
  createPublishableKey,
  deletePublishableKey,
  listPublishableKeys,
} from './publishable-keys.ts';
import { PublishableKey, PublishableKeyChange, PublishableKeyInput } from './publishable-schemas.ts';

const KEYS = '/v1/businesses/:businessId/publishable-keys';
const tags = ['Publishable keys'];

export function keyRoutes(app: App): void {
  app.post(
    KEYS,
    {
      config: { access: 'ADMIN', grantsAccess: true },
      schema: {
        tags,
        summary: 'Create a publishable key',
        description:
          'A publishable key identifies the business on a web page. It is not a secret: sent as `X-API-Key` with a guest login, it only lets guests log in from its origins. Each login creates a new guest, so no two shoppers share data.',
        params: BusinessParams,
        body: PublishableKeyInput,
        response: { 200: PublishableKey },
      },
    },
    (request) => command(request, createPublishableKey, request.body),
  );

  app.get(
    KEYS,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'List publishable keys',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: PageOf(PublishableKey) },
      },
    },
    (request) => query(request, listPublishableKeys, request.query),
  );

  app.put(
    `${KEYS}/:id`,
    {
      config: { access: 'ADMIN', versioned: true, grantsAccess: true },
      schema: {
        tags,
        summary: 'Update a publishable key',
        params: BusinessRecordParams,
        body: PublishableKeyChange,
        response: { 200: PublishableKey },
      },
    },
    (request, reply) => change(request, reply, changePublishableKey, { id: request.params.id, change: request.body }),
  );

  app.delete(
    `${KEYS}/:id`,
    {
      config: { access: 'ADMIN', grantsAccess: true },
      schema: {
        tags,
        summary: 'Delete a publishable key',
        description: 'Pages that use the key can no longer log in guests. Guests who are logged in stay logged in.',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deletePublishableKey, request.params.id),
  );
}
