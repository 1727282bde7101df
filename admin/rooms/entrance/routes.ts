/**
 * Pages for people who are not logged in, besides the log-in itself. What the links in mails open (confirm, choose a new password, accept an
 * invitation) are pages of the service.
 */
import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {
  register: () => import('./register.tsx'),
  'forgot-password': () => import('./forgot-password.tsx'),
};
