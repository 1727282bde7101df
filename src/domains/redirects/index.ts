/**
 * Redirects: old paths of a storefront and the paths that replaced them. A changed slug creates one in the transaction of the change.
 *
 * Invariants: a path has at most one redirect. No target is itself an old path, so there are no chains and no loops: every writer
 * holds the lock of the business and resolves targets first.
 */
export { redirectEvents } from './event-schemas.ts';
export { pagePath } from './paths.ts';
export { listRedirectsForExport } from './queries.ts';
export { findRedirect, importRedirect, redirectPages, viewRedirect } from './redirects.ts';
export { RedirectInput } from './schemas.ts';
