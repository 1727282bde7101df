import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorAnswer } from '../http/errors.ts';
import { acceptForms } from '../http/forms.ts';
import type { App } from '../http/server.ts';
import { escapeHtml } from '../shared/escape.ts';

/** Text that has been escaped, or was written by us. */
export type Html = { readonly html: string };

type Value = string | number | Html | Html[] | null;

/** A template whose values are escaped, unless they are `Html` themselves. */
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

/** Routes for people: they take forms besides JSON (no other route does), and show their errors as a page. */
export function pageRoutes(app: App, routes: (app: App) => void): void {
  app.register((scope, _options, done) => {
    const pages = scope as unknown as App;
    acceptForms(pages);
    pages.setErrorHandler((error, request, reply) => {
      const { status, ...body } = errorAnswer(error, request, reply);
      if (!wantsPage(request)) return reply.code(status).send(body);
      return sendPage(reply, 'Sorry', html`<h1>That did not work</h1><p>${body.message}</p>`, { status });
    });
    routes(pages);
    done();
  });
}

export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false;

export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data: https:; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export type PageOptions = {
  status?: number;
  /** Further addresses that its forms may lead to. */
  formTargets?: string;
  /** Room for lists and code instead of one card in the middle. */
  wide?: boolean;
  /** A module of `assets/` that the page runs. */
  script?: string;
};

/** Sends a page in the one layout all pages share. */
export function sendPage(reply: FastifyReply, title: string, body: Html, options: PageOptions = {}): FastifyReply {
  const { status = 200, formTargets = '', wide = false, script } = options;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages/tokens.css">
<link rel="stylesheet" href="/pages/style.css">
${script === undefined ? null : html`<script type="module" src="/pages/${script}"></script>`}
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
    'Not found',
    html`<h1>There is nothing here</h1>
<p>The address may be misspelt, or the page has moved.</p>
<p><a href="/">Go to the first page</a></p>`,
    { status: 404 },
  );
