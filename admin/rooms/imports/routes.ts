import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  ':id': () => import('./import.tsx'),
};
