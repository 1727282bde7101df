import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./library.tsx'),
  ':id': () => import('./file.tsx'),
};
