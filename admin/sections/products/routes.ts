import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  new: () => import('./new.tsx'),
  table: () => import('./table/table.tsx'),
  ':id': () => import('./product.tsx'),
};
