import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  new: () => import('./new.tsx'),
  table: () => import('./table/table.tsx'),
  categories: () => import('./categories/list.tsx'),
  'categories/new': () => import('./categories/category.tsx'),
  'categories/:id': () => import('./categories/category.tsx'),
  ':id': () => import('./product.tsx'),
};
