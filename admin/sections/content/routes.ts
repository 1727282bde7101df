import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  new: () => import('./collection.tsx'),
  releases: () => import('./releases.tsx'),
  'releases/new': () => import('./release.tsx'),
  'releases/:releaseId': () => import('./release.tsx'),
  ':collectionId': () => import('./entries.tsx'),
  ':collectionId/schema': () => import('./collection.tsx'),
  ':collectionId/new': () => import('./entry.tsx'),
  ':collectionId/:entryId': () => import('./entry.tsx'),
};
