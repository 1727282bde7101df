import type { FastifyReply } from 'fastify';
import type { Bundle } from '../bundles/index.ts';
import { type Html, html, PAGE_POLICY } from './page.ts';

type AppPage = {
  title: string;
  bundle: Bundle;
  /** Becomes `data-` attributes of `#app`, for the script. */
  data?: Record<string, string>;
  /** Shown above `#app`. */
  bar?: Html;
  /** Adds a skip link to `#main` for keyboard users. */
  skipLink?: boolean;
  /** Allows style attributes and style elements. Scripts stay limited to our own files. */
  inlineStyles?: boolean;
  /** Reload after each source change. */
  reloads: boolean;
  /** Images come from this origin, even if the page was opened under another host name. */
  publicUrl: string;
};

/** Sends a page whose script fills `#app`. */
export function sendApp(reply: FastifyReply, page: AppPage): FastifyReply {
  const { script, preloads, styles } = page.bundle;
  const attributes = Object.entries(page.data ?? {}).map(([name, value]) => html` data-${name}="${value}"`);
  const { html: text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
${styles.map((name) => html`<link rel="stylesheet" href="/assets/${name}">\n`)}
${preloads.map((name) => html`<link rel="modulepreload" href="/assets/${name}">\n`)}
<script type="module" src="/assets/${script}"></script>
${page.reloads ? html`<script type="module" src="/pages/reload.js"></script>` : null}
</head>
<body>${page.skipLink ? html`<a href="#main" class="skip">Skip to content</a>` : null}
${page.bar ?? null}<div id="app"${attributes}></div>
<noscript><p>This page requires JavaScript.</p></noscript>
</body>
</html>`;
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .send(text);
}

function policyOf({ publicUrl, inlineStyles }: AppPage): string {
  const policy = PAGE_POLICY.replace('img-src', `img-src ${new URL(publicUrl).origin}`);
  return inlineStyles ? policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'") : policy;
}
