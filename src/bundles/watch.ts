import type { FastifyBaseLogger } from 'fastify';
import { buildOptions, toBundle } from './build.ts';
import { BUNDLE_NAMES, type Bundle, type BundleName, type Bundles } from './bundle.ts';

const QUICK = 4;

/** Keeps esbuild running and rebuilds when a source changes. After a failed build, the previous bundle stays in use. */
export async function startWatching(log: FastifyBaseLogger): Promise<Bundles> {
  const { context } = await import('esbuild');
  const bundles = new Map<BundleName, Bundle>();
  const listeners = new Set<() => void>();
  for (const name of BUNDLE_NAMES) {
    const watcher = await context({
      ...buildOptions(name, { minify: false, maps: true }),
      plugins: [
        {
          name: 'publish',
          setup: (build) =>
            build.onEnd(async ({ errors, metafile, outputFiles }) => {
              for (const { text, location } of errors) log.error(`${location?.file}:${location?.line} ${text}`);
              if (!metafile || !outputFiles) return;
              bundles.set(name, await toBundle(name, { metafile, outputFiles }, QUICK));
              for (const listener of listeners) listener();
            }),
        },
      ],
    });
    await watcher.rebuild();
    await watcher.watch();
  }
  return {
    async get(name) {
      const bundle = bundles.get(name);
      if (!bundle) throw new Error(`${name} has not been built yet. See the errors above.`);
      return bundle;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
