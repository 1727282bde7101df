import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  ':id': () => import('./import.tsx'),
};
