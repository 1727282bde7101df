import type { Bundles } from '../bundles/index.ts';
import type { App } from '../http/server.ts';
import { sendApp } from './app-page.ts';
import { requireLocalHost } from './local-host.ts';
import { pageRoutes } from './page.ts';

type AdminOptions = {
  production: boolean;
  bundles: Bundles;
  publicUrl: () => string;
  /** The name of the identity provider, or null. */
  idp: string | null;
  /** The demo shop's login, offered in development. */
  readDemoLogin: () => Promise<{ email: string; password: string } | null>;
};

/** The admin. Its script picks the page for a URL. */
export function adminPages(app: App, { production, bundles, publicUrl, idp, readDemoLogin }: AdminOptions): void {
  pageRoutes(app, (pages) => {
    if (!production) pages.addHook('onRequest', requireLocalHost(publicUrl));
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
          skipLink: true,
          reloads: bundles.onChange !== null,
          publicUrl: publicUrl(),
        });
      });
    }
  });
}
