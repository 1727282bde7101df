import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./profile.tsx'),
  security: () => import('./security.tsx'),
  keys: () => import('./keys.tsx'),
  data: () => import('./data.tsx'),
  activity: () => import('./activity.tsx'),
};
