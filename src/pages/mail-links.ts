import Type from 'typebox';
import { followLink, recordOpen } from '../domains/newsletters/index.ts';
import { query } from '../http/command.ts';
import { type App, isHead } from '../http/server.ts';
import { pageRoutes, sendProblem } from './page.ts';
import { browserLanguage, pageTexts } from './texts/index.ts';

const Token = Type.String({ maxLength: 300 });
const config = { access: 'public' } as const;

/** A transparent 1×1 image. */
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** The click-tracking links and the tracking pixel of newsletters. */
export const mailLinks = (app: App): void =>
  pageRoutes(app, (pages) => {
    pages.get(
      '/v1/mail/c/:token/:link',
      {
        config,
        schema: { params: Type.Object({ token: Token, link: Type.String({ maxLength: 3, pattern: '^[0-9]{1,3}$' }) }) },
      },
      async (request, reply) => {
        const { token, link } = request.params;
        const url = await query(request, followLink, { token, isHead: isHead(request), link: Number(link) });
        reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
        if (url === null) {
          const lang = browserLanguage(request);
          return sendProblem(reply, pageTexts(lang).newsletter.linkNotFound, { status: 404, lang });
        }
        return reply.header('x-robots-tag', 'noindex').redirect(url, 302);
      },
    );

    pages.get(
      '/v1/mail/o/:token',
      { config, schema: { params: Type.Object({ token: Token }) } },
      async (request, reply) => {
        await query(request, recordOpen, { token: request.params.token, isHead: isHead(request) });
        return reply.header('cache-control', 'private, no-store').header('content-type', 'image/gif').send(PIXEL);
      },
    );
  });
