import Type from 'typebox';
import { viewIssue } from '../domains/newsletters/index.ts';
import { query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { pageRoutes, sendProblem } from './page.ts';
import { browserLanguage, pageTexts } from './texts/index.ts';

/** The email may load images and its own inline styles, but nothing active. */
const POLICY =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox';

/** Shows a newsletter in the browser. The email links to this page. */
export const newsletterPage = (app: App): void =>
  pageRoutes(app, (pages) => {
    pages.get(
      '/newsletter/:token',
      { config: { access: 'public' }, schema: { params: Type.Object({ token: Type.String({ maxLength: 300 }) }) } },
      async (request, reply) => {
        const issue = await query(request, viewIssue, request.params.token);
        reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
        if (issue === null) {
          const lang = browserLanguage(request);
          return sendProblem(reply, pageTexts(lang).newsletter.notAvailable, { status: 404, lang });
        }
        return reply
          .header('content-type', 'text/html; charset=utf-8')
          .header('content-security-policy', POLICY)
          .header('x-robots-tag', 'noindex')
          .send(issue);
      },
    );
  });
