import { compileFunction } from 'node:vm';
import type { SiteModule } from '../../storefront/module.ts';
import type { Bundle, Bundles } from '../bundles/index.ts';

/** Evaluates the `site` bundle, once for each build. */
export function createModuleLoader(bundles: Bundles): () => Promise<SiteModule> {
  const loaded = new WeakMap<Bundle, SiteModule>();
  return async () => {
    const bundle = await bundles.get('site');
    const known = loaded.get(bundle);
    if (known) return known;
    const code = bundle.files.get(bundle.script)!.body.toString();
    const module = { exports: {} as { site: SiteModule } };
    compileFunction(code, ['module', 'exports'], { filename: 'storefront/server.js' })(module, module.exports);
    loaded.set(bundle, module.exports.site);
    return module.exports.site;
  };
}
