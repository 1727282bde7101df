/** Serves the bundles that browsers run, and loads the one that renders the storefront. A bundle that is not in the cache is built from its sources. */
import type { FastifyBaseLogger } from 'fastify';
import Type from 'typebox';
import type { App } from '../http/server.ts';
import { notFound } from '../shared/errors.ts';
import { acceptsBrotli } from '../shared/headers.ts';
import { buildBundle } from './build.ts';
import { BROWSER_BUNDLES, type Bundle, type BundleName, type Bundles } from './bundle.ts';
import { isPackaged, readCached, readPackaged, sourceKey, writeCached } from './cache.ts';

export { BUNDLE_NAMES, type Bundle, type BundleName, type Bundles } from './bundle.ts';
export { isPackaged } from './cache.ts';

export function createBundles({ production }: { production: boolean }): Bundles {
  const opened = new Map<BundleName, Promise<Bundle>>();
  return {
    onChange: null,
    get(name) {
      let bundle = opened.get(name);
      if (!bundle) {
        bundle = openBundle(name, !production);
        bundle.catch(() => opened.delete(name));
        opened.set(name, bundle);
      }
      return bundle;
    },
  };
}

async function openBundle(name: BundleName, maps: boolean): Promise<Bundle> {
  const packaged = readPackaged(name);
  if (packaged) return packaged;
  const key = sourceKey(name, maps ? 'maps' : 'plain');
  const cached = readCached(name, key);
  if (cached) return cached;
  const bundle = await buildBundle(name, { maps });
  writeCached(name, key, bundle);
  return bundle;
}

/** For `npm run dev`: rebuilds after each source change and makes pages reload. The npm package has no sources to watch. */
export async function watchBundles(log: FastifyBaseLogger): Promise<Bundles> {
  if (isPackaged) return createBundles({ production: false });
  const { startWatching } = await import('./watch.ts');
  return startWatching(log);
}

export function bundleRoutes(app: App, bundles: Bundles): void {
  app.get(
    '/assets/:file',
    { config: { access: 'public' }, schema: { params: Type.Object({ file: Type.String({ maxLength: 200 }) }) } },
    async (request, reply) => {
      const { file } = request.params;
      const name = BROWSER_BUNDLES.find((each) => file.startsWith(`${each}-`));
      const asset = name && (await bundles.get(name)).files.get(file);
      if (!asset) throw notFound('File');
      reply.header('content-type', asset.type).header('vary', 'accept-encoding');
      reply.header('cache-control', bundles.onChange ? 'no-store' : 'public, max-age=31536000, immutable');
      if (!acceptsBrotli(request.headers['accept-encoding'])) return reply.send(asset.body);
      return reply.header('content-encoding', 'br').send(asset.brotli);
    },
  );
  if (bundles.onChange) reloadRoute(app, bundles.onChange);
}

/** Server-sent events that make pages reload: their data changes with each rebuild and each restart. */
function reloadRoute(app: App, onChange: NonNullable<Bundles['onChange']>): void {
  const stops = new Set<() => void>();
  let builds = 0;
  onChange(() => builds++);
  const version = () => `data: ${process.pid}.${builds}\n\n`;
  app.addHook('preClose', (done) => {
    for (const stop of stops) stop();
    done();
  });
  app.get('/dev/reload', { config: { access: 'public' } }, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    reply.raw.write(`retry: 300\n${version()}`);
    const forget = onChange(() => reply.raw.write(version()));
    const stop = () => reply.raw.end();
    stops.add(stop);
    reply.raw.once('close', () => {
      forget();
      stops.delete(stop);
    });
  });
}
