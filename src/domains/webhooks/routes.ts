import Type from 'typebox';
import { change, command, query, readOne } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, BusinessParams, BusinessRecordParams, Id, PageOf, Success } from '../../shared/schemas.ts';
import { listDeliveries, replayEvents, retryDelivery, testUrl, testWebhook } from './deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateSecret,
} from './manage-webhooks.ts';
import {
  DeliveryQuery,
  NewWebhook,
  Replayed,
  ReplayInput,
  Rotated,
  TestInput,
  TestResult,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookInput,
} from './schemas.ts';

const tags = ['Webhooks'];
const WEBHOOKS = '/v1/businesses/:businessId/webhooks';
const WEBHOOK = `${WEBHOOKS}/:id`;
const DeliveryParams = Type.Object({ businessId: BusinessId, id: Id, deliveryId: Type.String({ maxLength: 100 }) });

export function webhookRoutes(app: App): void {
  app.post(
    WEBHOOKS,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Create a webhook',
        description:
          'Sends events to an endpoint URL. The response contains the signing `secret`, which is shown only once. Requests are signed ' +
          'according to the Standard Webhooks specification.',
        params: BusinessParams,
        body: WebhookInput,
        response: { 200: NewWebhook },
      },
    },
    (request) => command(request, createWebhook, request.body),
  );

  app.get(
    WEBHOOKS,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'List webhooks',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: PageOf(Webhook) },
      },
    },
    (request) => query(request, listWebhooks, request.query),
  );

  app.post(
    `${WEBHOOKS}/test`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'testWebhookAddress',
        summary: 'Test an endpoint URL',
        description: 'Sends a test event to the URL, signed with a random secret, and returns the outcome.',
        params: BusinessParams,
        body: TestInput,
        response: { 200: TestResult },
      },
    },
    (request) => command(request, testUrl, request.body.url),
  );

  app.get(
    WEBHOOK,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: { tags, summary: 'Get a webhook', params: BusinessRecordParams, response: { 200: Webhook } },
    },
    (request, reply) => readOne(request, reply, readWebhook, request.params.id),
  );

  app.put(
    WEBHOOK,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: {
        tags,
        summary: 'Update a webhook',
        params: BusinessRecordParams,
        body: WebhookChange,
        description:
          'When a webhook is enabled again, it gets the events that occurred while it was disabled and have not expired.',
        response: { 200: Webhook },
      },
    },
    (request, reply) => change(request, reply, changeWebhook, { id: request.params.id, changes: request.body }),
  );

  app.delete(
    WEBHOOK,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: { tags, summary: 'Delete a webhook', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, deleteWebhook, request.params.id),
  );

  app.post(
    `${WEBHOOK}/rotate`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Rotate the signing secret',
        description: 'For 24 hours, requests are signed with both the old and the new secret.',
        params: BusinessRecordParams,
        response: { 200: Rotated },
      },
    },
    (request) => command(request, rotateSecret, request.params.id),
  );

  app.post(
    `${WEBHOOK}/test`,
    {
      config: { access: 'ADMIN' },
      schema: { tags, summary: 'Send a test event', params: BusinessRecordParams, response: { 200: TestResult } },
    },
    (request) => command(request, testWebhook, request.params.id),
  );

  app.post(
    `${WEBHOOK}/replay`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Replay events',
        description: 'Sends all matching events from `from` to `to` again, including delivered ones.',
        params: BusinessRecordParams,
        body: ReplayInput,
        response: { 200: Replayed },
      },
    },
    (request) => command(request, replayEvents, { webhookId: request.params.id, ...request.body }),
  );

  app.get(
    `${WEBHOOK}/deliveries`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List webhook deliveries',
        params: BusinessRecordParams,
        querystring: DeliveryQuery,
        response: { 200: PageOf(WebhookDelivery) },
      },
    },
    (request) => query(request, listDeliveries, { webhookId: request.params.id, ...request.query }),
  );

  app.post(
    `${WEBHOOK}/deliveries/:deliveryId/retry`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'retryWebhookDelivery',
        summary: 'Retry a delivery',
        params: DeliveryParams,
        response: { 200: WebhookDelivery },
      },
    },
    (request) => command(request, retryDelivery, { webhookId: request.params.id, id: request.params.deliveryId }),
  );
}
