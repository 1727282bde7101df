import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {
  '': () => import('./home.tsx'),
};
