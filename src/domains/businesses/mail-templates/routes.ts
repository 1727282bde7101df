import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, Success } from '../../../shared/schemas.ts';
import { previewMail } from './preview.ts';
import {
  MailPreview,
  MailPreviewInput,
  MailTemplate,
  MailTemplateInput,
  MailTemplateList,
  TemplateParams,
  TemplateQuery,
} from './schemas.ts';
import { listTemplates, readTemplate, resetTemplate, saveTemplate } from './templates.ts';

const TEMPLATES = '/v1/businesses/:businessId/mail-templates';
const tags = ['Businesses'];

export function mailTemplateRoutes(app: App): void {
  app.get(
    TEMPLATES,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'listMailTemplates',
        summary: 'List email templates',
        description: 'Returns the subject and opening text of each email in each language.',
        params: BusinessParams,
        response: { 200: MailTemplateList },
      },
    },
    (request) => query(request, listTemplates, undefined),
  );

  app.get(
    `${TEMPLATES}/:kind`,
    {
      config: { access: 'BUSINESS_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'getMailTemplate',
        summary: 'Get an email template',
        params: TemplateParams,
        querystring: TemplateQuery,
        response: { 200: MailTemplate },
      },
    },
    (request, reply) => readOne(request, reply, readTemplate, { ...request.params, ...request.query }),
  );

  app.put(
    `${TEMPLATES}/:kind`,
    {
      config: { access: 'BUSINESS_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'updateMailTemplate',
        summary: 'Update an email template',
        description:
          'Sets the subject and the opening text. Items, totals, addresses, links and legal details are always added. An unknown variable fails with 422.',
        params: TemplateParams,
        querystring: TemplateQuery,
        body: MailTemplateInput,
        response: { 200: MailTemplate },
      },
    },
    (request, reply) =>
      change(request, reply, saveTemplate, { ...request.params, ...request.query, input: request.body }),
  );

  app.delete(
    `${TEMPLATES}/:kind`,
    {
      config: { access: 'BUSINESS_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'deleteMailTemplate',
        summary: 'Reset an email template',
        description: 'Restores the default text.',
        params: TemplateParams,
        querystring: TemplateQuery,
        response: { 200: Success },
      },
    },
    (request) => command(request, resetTemplate, { ...request.params, ...request.query }),
  );

  app.post(
    `${TEMPLATES}/:kind/preview`,
    {
      config: { access: 'BUSINESS_WRITE', idempotent: false },
      schema: {
        tags,
        operationId: 'previewMailTemplate',
        summary: 'Preview an email',
        description: 'Renders the email with unsaved text, using sample data or an order. Nothing is stored.',
        params: TemplateParams,
        querystring: TemplateQuery,
        body: MailPreviewInput,
        response: { 200: MailPreview },
      },
    },
    (request) => query(request, previewMail, { ...request.params, ...request.query, ...request.body }),
  );
}
