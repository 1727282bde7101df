import Type from 'typebox';
import { change, command, perform, query, readOne } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, BusinessParams, BusinessRecordParams, Id, PageOf, Success } from '../../shared/schemas.ts';
import { listDeliveries, replayEvents, retryDelivery, testAddress, testWebhook } from './deliveries.ts';
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
const ONE = `${WEBHOOKS}/:id`;
const DeliveryParams = Type.Object({ businessId: BusinessId, id: Id, deliveryId: Type.String({ maxLength: 100 }) });

export function webhookRoutes(app: App): void {
  app.post(
    WEBHOOKS,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Create a webhook',
        description: 'The answer shows its `secret` this once. Calls are signed as Standard Webhooks say.',
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
        ...{ tags, summary: 'List webhooks', params: BusinessParams, querystring: PageQuery },
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
        summary: 'Try an address',
        description: 'Calls it with a test event, signed with a secret that nobody knows.',
        params: BusinessParams,
        body: TestInput,
        response: { 200: TestResult },
      },
    },
    (request) => perform(request, testAddress, request.body.url),
  );

  app.get(
    ONE,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: { tags, summary: 'Read a webhook', params: BusinessRecordParams, response: { 200: Webhook } },
    },
    (request, reply) => readOne(request, reply, readWebhook, request.params.id),
  );

  app.put(
    ONE,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: {
        ...{ tags, summary: 'Change a webhook', params: BusinessRecordParams, body: WebhookChange },
        description: 'When it is enabled again, the deliveries that wait are sent.',
        response: { 200: Webhook },
      },
    },
    (request, reply) => change(request, reply, changeWebhook, { id: request.params.id, changes: request.body }),
  );

  app.delete(
    ONE,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: { tags, summary: 'Delete a webhook', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, deleteWebhook, request.params.id),
  );

  app.post(
    `${ONE}/rotate`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Replace the secret',
        description: 'For 24 hours calls are signed with both secrets.',
        params: BusinessRecordParams,
        response: { 200: Rotated },
      },
    },
    (request) => command(request, rotateSecret, request.params.id),
  );

  app.post(
    `${ONE}/test`,
    {
      config: { access: 'ADMIN' },
      schema: { tags, summary: 'Send a test event', params: BusinessRecordParams, response: { 200: TestResult } },
    },
    (request) => perform(request, testWebhook, request.params.id),
  );

  app.post(
    `${ONE}/replay`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        summary: 'Send the events of a time again',
        params: BusinessRecordParams,
        body: ReplayInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, replayEvents, { webhookId: request.params.id, ...request.body }),
  );

  app.get(
    `${ONE}/deliveries`,
    {
      config: { access: 'ADMIN' },
      schema: {
        ...{
          tags,
          operationId: 'listWebhookDeliveries',
          summary: 'List deliveries',
          params: BusinessRecordParams,
          querystring: DeliveryQuery,
        },
        response: { 200: PageOf(WebhookDelivery) },
      },
    },
    (request) => query(request, listDeliveries, { webhookId: request.params.id, ...request.query }),
  );

  app.post(
    `${ONE}/deliveries/:deliveryId/retry`,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'retryWebhookDelivery',
        summary: 'Send a delivery again',
        params: DeliveryParams,
        response: { 200: WebhookDelivery },
      },
    },
    (request) => command(request, retryDelivery, { webhookId: request.params.id, id: request.params.deliveryId }),
  );
}
