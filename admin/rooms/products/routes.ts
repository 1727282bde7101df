import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  new: () => import('./new.tsx'),
  table: () => import('./table.tsx'),
  ':id': () => import('./product.tsx'),
};
