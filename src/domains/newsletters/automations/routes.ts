import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import {
  changeAutomation,
  createAutomation,
  deleteAutomation,
  listAutomations,
  readAutomation,
} from './automations.ts';
import { countPeople, listPeople, stopPerson } from './people.ts';
import {
  Automation,
  AutomationChange,
  AutomationCounts,
  AutomationInput,
  AutomationPerson,
  ListedAutomation,
  PeopleQuery,
  PersonParams,
} from './schemas.ts';

const AUTOMATIONS = '/v1/businesses/:businessId/automations';
const tags = ['Newsletters'];

export function automationRoutes(app: App): void {
  app.get(
    AUTOMATIONS,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        summary: 'List automations',
        description: 'Returns the automations of the business, newest first.',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: PageOf(ListedAutomation) },
      },
    },
    (request) => query(request, listAutomations, request.query),
  );

  app.post(
    AUTOMATIONS,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        summary: 'Create an automation',
        description:
          'Creates a sequence of steps that is triggered by an event. It is paused unless `enabled` is true.',
        params: BusinessParams,
        body: AutomationInput,
        response: { 200: Automation },
      },
    },
    (request) => command(request, createAutomation, request.body),
  );

  app.get(
    `${AUTOMATIONS}/:id`,
    {
      config: { access: 'NEWSLETTER_SEND', versioned: true },
      schema: { tags, summary: 'Get an automation', params: BusinessRecordParams, response: { 200: Automation } },
    },
    (request, reply) => readOne(request, reply, readAutomation, request.params.id),
  );

  app.put(
    `${AUTOMATIONS}/:id`,
    {
      config: { access: 'NEWSLETTER_SEND', versioned: true },
      schema: {
        tags,
        summary: 'Update an automation',
        description:
          'People in the automation continue with the new steps, starting with the step they are waiting for.',
        params: BusinessRecordParams,
        body: AutomationChange,
        response: { 200: Automation },
      },
    },
    (request, reply) => change(request, reply, changeAutomation, { id: request.params.id, change: request.body }),
  );

  app.delete(
    `${AUTOMATIONS}/:id`,
    {
      config: { access: 'NEWSLETTER_SEND', versioned: true },
      schema: {
        tags,
        summary: 'Delete an automation',
        description: 'Removes everyone from the automation. Emails that were already sent are not affected.',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteAutomation, request.params.id),
  );

  app.get(
    `${AUTOMATIONS}/:id/counts`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'countAutomation',
        summary: 'Count the people at each step',
        params: BusinessRecordParams,
        response: { 200: AutomationCounts },
      },
    },
    (request) => query(request, countPeople, request.params.id),
  );

  app.get(
    `${AUTOMATIONS}/:id/people`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'listAutomationPeople',
        summary: 'List the people in an automation',
        description: 'Returns everyone who entered the automation, with their status and next step, newest first.',
        params: BusinessRecordParams,
        querystring: PeopleQuery,
        response: { 200: PageOf(AutomationPerson) },
      },
    },
    (request) => query(request, listPeople, { ...request.query, id: request.params.id }),
  );

  app.post(
    `${AUTOMATIONS}/:id/people/:subscriptionId/stop`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'stopAutomationPerson',
        summary: 'Remove a person from an automation',
        params: PersonParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, stopPerson, request.params),
  );
}
