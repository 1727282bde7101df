import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  new: () => import('./editor.tsx'),
  ':id': () => import('./editor.tsx'),
};
