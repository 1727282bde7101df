import type { Bundles } from '../bundles/index.ts';
import type { App } from '../http/server.ts';
import { sendApp } from './app-page.ts';
import { html, pageRoutes } from './page.ts';

export type AdminOptions = {
  bundles: Bundles;
  publicUrl: () => string;
  /** The name of the identity provider; null: there is none. */
  idp: string | null;
  /** What the log-in of the demo shop is filled in with, while developing. */
  readDemoLogin: () => Promise<{ email: string; password: string } | null>;
};

/** The admin. Which page of it an address is, is for its script to say. */
export function adminPages(app: App, { bundles, publicUrl, idp, readDemoLogin }: AdminOptions): void {
  pageRoutes(app, (pages) => {
    for (const path of ['/admin', '/admin/*']) {
      pages.get(path, { config: { access: 'public' } }, async (_request, reply) => {
        const demo = await readDemoLogin();
        return sendApp(reply, {
          title: 'Souk',
          bundle: await bundles.get('admin'),
          data: {
            ...(idp ? { idp } : {}),
            ...(demo ? { 'demo-email': demo.email, 'demo-password': demo.password } : {}),
          },
          bar: html``,
          reloads: bundles.onChange !== null,
          publicUrl: publicUrl(),
        });
      });
    }
  });
}
