import type { Bundles } from '../bundles/index.ts';
import type { App } from '../http/server.ts';
import { sendApp } from './app-page.ts';
import { pageRoutes } from './page.ts';

/** The interactive API reference. Scalar, its viewer, styles itself with style elements and attributes. */
export function referenceRoutes(app: App, bundles: Bundles, publicUrl: () => string): void {
  pageRoutes(app, (pages) => {
    pages.get('/reference', { config: { access: 'public' } }, async (_request, reply) =>
      sendApp(reply, {
        title: 'API reference',
        bundle: await bundles.get('reference'),
        inlineStyles: true,
        reloads: bundles.onChange !== null,
        publicUrl: publicUrl(),
      }),
    );
  });
}
