import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  suppressions: () => import('./suppressions.tsx'),
  new: () => import('./newsletter.tsx'),
  ':id': () => import('./issues.tsx'),
  ':id/settings': () => import('./newsletter.tsx'),
  ':id/subscribers': () => import('./subscribers.tsx'),
  ':id/growth': () => import('./growth.tsx'),
  ':id/new': () => import('./issue.tsx'),
  ':id/:entryId': () => import('./issue.tsx'),
  ':id/:entryId/sends/:sendId': () => import('./figures.tsx'),
};
