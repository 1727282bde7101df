import Type from 'typebox';
import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { notFound } from '../../../shared/errors.ts';
import { Id, Success } from '../../../shared/schemas.ts';
import { previewBlocks, previewEntry } from './preview-entry.ts';
import { EntryParams, Preview, PreviewInput, TestInput, Variables } from './schemas.ts';
import { sendTestMail } from './send-test-mail.ts';
import { VARIABLES } from './template.ts';

const ENTRY = '/v1/businesses/:businessId/entries/:entryId';
const tags = ['Newsletters'];

/** In a browser, the email may load images and its own inline styles, but no active content. */
const PREVIEW_POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; sandbox";

export function renderingRoutes(app: App): void {
  app.post(
    `${ENTRY}/test`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'sendTestMail',
        summary: 'Send a test email',
        description:
          'Sends the entry to a member of the business or to your own email address. The entry need not be published.',
        params: EntryParams,
        body: TestInput,
        response: { 200: Success },
      },
    },
    (request) => {
      const { entryId } = request.params;
      return command(request, sendTestMail, { entryId, email: request.body.email });
    },
  );

  app.get(
    `${ENTRY}/preview`,
    {
      config: { access: 'CONTENT_READ' },
      schema: {
        tags,
        summary: 'Preview an entry as an HTML email',
        params: EntryParams,
        response: { 200: { description: 'The email', content: { 'text/html': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const html = await query(request, previewEntry, request.params.entryId);
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', PREVIEW_POLICY)
        .send(html);
    },
  );

  app.post(
    `${ENTRY}/preview`,
    {
      config: { access: 'CONTENT_READ', idempotent: false },
      schema: {
        tags,
        operationId: 'previewEntry',
        summary: 'Preview an entry with unsaved blocks',
        description:
          'Renders the email with the given blocks without saving them. The blocks are validated like a draft.',
        params: EntryParams,
        body: PreviewInput,
        response: { 200: Preview },
      },
    },
    (request) => query(request, previewBlocks, { entryId: request.params.entryId, ...request.body }),
  );

  app.get(
    '/v1/collections/entry-types/:entryType/variables',
    {
      config: { access: 'token', openToLimited: true },
      schema: {
        tags,
        summary: 'List template variables',
        description: "Returns the variables you can use in an entry's text fields.",
        params: Type.Object({ entryType: Id }),
        response: { 200: Variables },
      },
    },
    ({ params }) => {
      if (params.entryType !== 'NEWSLETTER') throw notFound('Entry type');
      return { variables: VARIABLES };
    },
  );
}
