import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  new: () => import('./new.tsx'),
  ':id': () => import('./customer.tsx'),
};
