import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./sales.tsx'),
};
