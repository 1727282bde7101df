import type { FastifyReply } from 'fastify';
import type { Bundle } from '../bundles/build.ts';
import { type Html, html, PAGE_POLICY } from './page.ts';

export type AppPage = {
  title: string;
  bundle: Bundle;
  /** What the script needs to know, as `data-` attributes of the element it fills. */
  data: Record<string, string>;
  /** Before the element that the script fills. */
  bar: Html;
  /** Reload after each change of a source. */
  reloads: boolean;
  /** Where our own pictures lie, also for whoever came here by another name of the service. */
  publicUrl: string;
};

/** Sends the page that an application of ours runs in. Its script fills `#app`; nothing is inline. */
export function sendApp(reply: FastifyReply, { title, bundle, data, bar, reloads, publicUrl }: AppPage): FastifyReply {
  const { script, preloads, styles } = bundle;
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
${styles.map((name) => html`<link rel="stylesheet" href="/assets/${name}">\n`)}
${preloads.map((name) => html`<link rel="modulepreload" href="/assets/${name}">\n`)}
<script type="module" src="/assets/${script}"></script>
${reloads ? html`<script type="module" src="/pages/reload.js"></script>` : null}
</head>
<body><a href="#main" class="skip">Skip to the content</a>
${bar}<div id="app"${attributes}></div>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>`;
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY.replace('img-src', `img-src ${new URL(publicUrl).origin}`))
    .send(page.html);
}
