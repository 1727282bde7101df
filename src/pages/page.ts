import type { FastifyReply } from 'fastify';

/** Text that has been escaped, or was written by us. */
export type Html = { readonly html: string };

/** A template whose values are escaped, unless they are `Html` themselves. */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | Html[] | null)[]): Html {
  let text = strings[0]!;
  for (const [i, value] of values.entries()) text += render(value) + strings[i + 1]!;
  return { html: text };
}

function render(value: string | number | Html | Html[] | null): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((part) => part.html).join('');
  return typeof value === 'object' ? value.html : escapeHtml(String(value));
}

export const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data: https:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sends a page in the one layout all pages share. `formTargets`: further addresses that its forms may lead to. */
export function sendPage(
  reply: FastifyReply,
  title: string,
  body: Html,
  { status = 200, formTargets = '' } = {},
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="/pages/style.css"></head>
<body><main>${body}</main></body>
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
