/** What browsers run of the shop and the admin: built from the sources when it is missing or older than they are, and served for ever after. */
import type { FastifyBaseLogger } from 'fastify';
import Type from 'typebox';
import type { App } from '../http/server.ts';
import { notFound } from '../shared/errors.ts';
import { type Bundle, buildBundle } from './build.ts';
import { readCached, sourceKey, writeCached } from './cache.ts';

export type BundleName = 'storefront' | 'admin';

export type Bundles = {
  /** Built at most once, when it is first asked for. */
  get(name: BundleName): Promise<Bundle>;
  /** While `npm run dev` runs: calls the listener after each change. Returns how to stop that. */
  onChange: ((listener: () => void) => () => void) | null;
};

export const BUNDLE_NAMES: readonly BundleName[] = ['storefront', 'admin'];

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
  const key = sourceKey(name, maps ? 'maps' : 'plain');
  const cached = readCached(name, key);
  if (cached) return cached;
  const bundle = await buildBundle(name, { maps });
  writeCached(name, key, bundle);
  return bundle;
}

/** `npm run dev`: rebuilt after each change of a source, and pages are told to reload. */
export async function watchBundles(log: FastifyBaseLogger): Promise<Bundles> {
  const { startWatching } = await import('./watch.ts');
  return startWatching(BUNDLE_NAMES, log);
}

export function bundleRoutes(app: App, bundles: Bundles): void {
  app.get(
    '/assets/:file',
    { config: { access: 'public' }, schema: { params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => {
      const { file } = request.params;
      const name = BUNDLE_NAMES.find((each) => file.startsWith(`${each}-`));
      const asset = name && (await bundles.get(name)).files.get(file);
      if (!asset) throw notFound('File');
      reply.header('content-type', asset.type).header('vary', 'accept-encoding');
      reply.header('cache-control', bundles.onChange ? 'no-store' : 'public, max-age=31536000, immutable');
      if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(asset.body);
      return reply.header('content-encoding', 'br').send(asset.brotli);
    },
  );
  if (bundles.onChange) reloadRoute(app, bundles.onChange);
}

/** Tells pages when to reload: after a change, and after a restart, which they notice by another `id`. */
function reloadRoute(app: App, onChange: NonNullable<Bundles['onChange']>): void {
  const stops = new Set<() => void>();
  app.addHook('preClose', (done) => {
    for (const stop of stops) stop();
    done();
  });
  app.get('/dev/reload', { config: { access: 'public' } }, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    reply.raw.write(`retry: 300\nid: ${process.pid}\nevent: hello\ndata: ${process.pid}\n\n`);
    const forget = onChange(() => reply.raw.write('event: change\ndata: 1\n\n'));
    const stop = () => reply.raw.end();
    stops.add(stop);
    reply.raw.once('close', () => {
      forget();
      stops.delete(stop);
    });
  });
}
