import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptForms } from '../http/bodies/forms.ts';
import { errorResponse } from '../http/errors.ts';
import type { App } from '../http/server.ts';
import type { Language } from '../shared/mail/languages.ts';
import { escapeHtml } from '../shared/text/escape.ts';
import { browserLanguage, type PageTexts, pageTexts } from './texts/index.ts';

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

type Problem = { title: string; text: string };

/** The messages for a page's own errors, by code. */
type Problems = (texts: PageTexts) => Partial<Record<string, Problem>>;

/** Routes for browsers: only they accept forms, and they show errors as a page in the browser's language. */
export function pageRoutes(app: App, routes: (app: App) => void, problems: Problems = () => ({})): void {
  app.register((scope, _options, done) => {
    const pages = scope as unknown as App;
    acceptForms(pages);
    pages.setErrorHandler((error, request, reply) => {
      const { status, ...body } = errorResponse(error, request, reply);
      if (!wantsPage(request)) return reply.code(status).send(body);
      const lang = browserLanguage(request);
      const texts = pageTexts(lang);
      const { title } = texts.problems;
      const code = body.details[0]?.error ?? '';
      const own = problems(texts);
      const text = body.requestId ? texts.problems.unexpected(body.requestId) : problemText(texts, code, body.error);
      const problem = own[code] ?? own[body.error] ?? (text === undefined ? null : { title, text });
      return sendProblem(reply, problem ?? { title: pageTexts('en').problems.title, text: body.message }, {
        status,
        lang: problem ? lang : 'en',
      });
    });
    routes(pages);
    done();
  });
}

/** The text of the first of these codes that has one. */
export function problemText({ problems: { codes } }: PageTexts, ...found: readonly string[]): string | undefined {
  return found.map((code) => codes[code]).find((text) => text !== undefined);
}

export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false;

export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data: https:; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type PageOptions = {
  status?: number;
  /** Other origins that its forms may redirect to. */
  formTargets?: string;
  /** `en` unless given. */
  lang?: Language;
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

export const sendProblem = (reply: FastifyReply, { title, text }: Problem, options: PageOptions): FastifyReply =>
  sendPage(reply, title, html`<h1>${title}</h1><p class="notice bad" role="alert">${text}</p>`, options);

export function sendNotFound(reply: FastifyReply): FastifyReply {
  const lang = browserLanguage(reply.request);
  const { title, text, home } = pageTexts(lang).problems.unknownUrl;
  const body = html`<h1>${title}</h1><p>${text}</p><p><a href="/">${home}</a></p>`;
  return sendPage(reply, title, body, { status: 404, lang });
}
