/**
 * Builds the browser bundles into the cache, so that the service finds them at startup: `NODE_ENV=production npm run
 * build`.
 */
import { BUNDLE_NAMES, createBundles } from '../src/bundles/index.ts';

const bundles = createBundles({ production: process.env.NODE_ENV === 'production' });
for (const name of BUNDLE_NAMES) {
  const { files } = await bundles.get(name);
  process.stdout.write(`${name}: ${[...files.keys()].join(', ')}\n`);
}
