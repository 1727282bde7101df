import Type from 'typebox';
import { command, query, stepsOf } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { notFound } from '../../../shared/errors.ts';
import { Id, Success } from '../../../shared/schemas.ts';
import { previewBlocks, previewEntry } from './preview-entry.ts';
import { EntryParams, Preview, PreviewInput, TestInput, Variables } from './schemas.ts';
import { sendTestMail } from './send-test-mail.ts';
import { VARIABLES } from './template.ts';

const ENTRY = '/v1/businesses/:businessId/entries/:entryId';
const tags = ['Newsletters'];

/** What the mail may load when a browser shows it: pictures and its own inline styles, nothing that acts. */
const PREVIEW_POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; sandbox";

export function renderingRoutes(app: App): void {
  app.post(
    `${ENTRY}/test`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'sendTestMail',
        summary: 'Send an entry to one address, to see how it looks',
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
        summary: 'The entry as HTML mail',
        params: EntryParams,
        response: { 200: { description: 'The mail', content: { 'text/html': { schema: Type.String() } } } },
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
        summary: 'The mail that an entry would be',
        description: 'With the blocks that are sent, which are checked as those of a draft. Nothing is stored.',
        params: EntryParams,
        body: PreviewInput,
        response: { 200: Preview },
      },
    },
    (request) => previewBlocks(stepsOf(request), { entryId: request.params.entryId, ...request.body }),
  );

  app.get(
    '/v1/collections/entry-types/:entryType/variables',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'The variables that a text may use',
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
