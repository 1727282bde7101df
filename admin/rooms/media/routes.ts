import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {
  '': () => import('./library.tsx'),
  ':id': () => import('./file.tsx'),
};
