import type { App } from '../http/server.ts';
import { html, pageRoutes, sendPage } from './page.ts';

/** The interactive API reference. It is made in the browser from /openapi.json, by the modules in `assets/`. */
export function referenceRoutes(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/reference', { config: { access: 'public' } }, (_request, reply) =>
      sendPage(reply, 'API reference', SKELETON, { wide: true, script: 'reference.js' }),
    );
  });
}

const SKELETON = html`<div class="reference">
<div class="side">
<p class="brand"><img src="/pages/icon.svg" alt="" width="28" height="28"> <a href="#">Souk API</a></p>
<form class="token" autocomplete="off">
<label for="token">Access token or API key</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-help">
<p id="token-help" class="quiet small">Kept in this tab only. <button id="guest" type="button" class="link" hidden>Become a guest</button></p>
</form>
<details id="menu"><summary>Operations</summary>
<label for="search" class="visually-hidden">Search operations</label>
<input id="search" type="search" placeholder="Search  /" autocomplete="off" spellcheck="false">
<nav id="operations" aria-label="Operations"></nav>
</details>
</div>
<div id="content"><noscript><p class="notice">This page needs JavaScript. The same is in <a href="/openapi.json">openapi.json</a>.</p></noscript></div>
</div>`;
