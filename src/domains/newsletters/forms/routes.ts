import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { changeForm, createForm, deleteForm, listForms, readForm } from './forms.ts';
import { FormQuery, ListedSignupForm, SignupForm, SignupFormChange, SignupFormInput } from './schemas.ts';

const FORMS = '/v1/businesses/:businessId/forms';
const tags = ['Newsletters'];

export function formRoutes(app: App): void {
  app.get(
    FORMS,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'listForms',
        summary: 'List sign-up forms',
        description: 'Returns the forms of all newsletters, newest first.',
        params: BusinessParams,
        querystring: FormQuery,
        response: { 200: PageOf(ListedSignupForm) },
      },
    },
    (request) => query(request, listForms, request.query),
  );

  app.post(
    FORMS,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        operationId: 'createForm',
        summary: 'Create a sign-up form',
        description:
          'The form works on any website, without JavaScript. Everyone who submits it must confirm by email, even if the newsletter does not use double opt-in.',
        params: BusinessParams,
        body: SignupFormInput,
        response: { 200: SignupForm },
      },
    },
    (request) => command(request, createForm, request.body),
  );

  app.get(
    `${FORMS}/:id`,
    {
      config: { access: 'SUBSCRIBER_READ', versioned: true },
      schema: {
        tags,
        operationId: 'getForm',
        summary: 'Get a sign-up form',
        params: BusinessRecordParams,
        response: { 200: SignupForm },
      },
    },
    (request, reply) => readOne(request, reply, readForm, request.params.id),
  );

  app.put(
    `${FORMS}/:id`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'updateForm',
        summary: 'Update a sign-up form',
        params: BusinessRecordParams,
        body: SignupFormChange,
        response: { 200: SignupForm },
      },
    },
    (request, reply) => change(request, reply, changeForm, { id: request.params.id, change: request.body }),
  );

  app.delete(
    `${FORMS}/:id`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'deleteForm',
        summary: 'Delete a sign-up form',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteForm, request.params.id),
  );
}
