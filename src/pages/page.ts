import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptForms } from '../http/bodies/forms.ts';
import { errorResponse } from '../http/errors.ts';
import type { App } from '../http/server.ts';
import { escapeHtml } from '../shared/text/escape.ts';

/** Escaped text, or our own markup. */
export type Html = { readonly html: string };

type Value = string | number | Html | Html[] | null;

/** A template that escapes its values, except those that are `Html`. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0]!;
  for (const [i, value] of values.entries()) text += render(value) + strings[i + 1]!;
  return { html: text };
}

function render(value: Value): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((part) => part.html).join('');
  return typeof value === 'object' ? value.html : escapeHtml(String(value));
}

type ErrorText = { title: string; text: string; lang?: string };

/** Routes for browsers: only they accept forms, and they show errors as a page. `notFound` has the texts of a 404. */
export function pageRoutes(
  app: App,
  routes: (app: App) => void,
  notFound?: (request: FastifyRequest) => ErrorText,
): void {
  app.register((scope, _options, done) => {
    const pages = scope as unknown as App;
    acceptForms(pages);
    pages.setErrorHandler((error, request, reply) => {
      const { status, ...body } = errorResponse(error, request, reply);
      if (!wantsPage(request)) return reply.code(status).send(body);
      const { title, text, lang }: ErrorText =
        status === 404 && notFound ? notFound(request) : { title: 'Something went wrong', text: body.message };
      return sendPage(reply, title, html`<h1>${title}</h1><p>${text}</p>`, { status, ...(lang ? { lang } : {}) });
    });
    routes(pages);
    done();
  });
}

export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false;

export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data: https:; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type PageOptions = {
  status?: number;
  /** Other origins that its forms may redirect to. */
  formTargets?: string;
  lang?: string;
  /** A wide layout for lists and code, instead of a card. */
  wide?: boolean;
};

/** Sends a page in the shared layout. */
export function sendPage(reply: FastifyReply, title: string, body: Html, options: PageOptions = {}): FastifyReply {
  const { status = 200, formTargets = '', lang = 'en', wide = false } = options;
  const page = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages/tokens.css">
<link rel="stylesheet" href="/pages/style.css">
</head>
<body><main class="${wide ? 'wide' : 'card'}">${body}</main></body>
</html>`;
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      PAGE_POLICY.replace("form-action 'self'", `form-action 'self' ${formTargets}`.trim()),
    )
    .send(page.html);
}

export const sendNotFound = (reply: FastifyReply) =>
  sendPage(
    reply,
    'Page not found',
    html`<h1>Page not found</h1>
<p>Check the URL. The page may have been moved or deleted.</p>
<p><a href="/">Go to the home page</a></p>`,
    { status: 404 },
  );
