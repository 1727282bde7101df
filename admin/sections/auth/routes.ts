/**
 * Pages for logged-out users, besides the login. The links in emails (confirm, reset password, accept an invitation) open pages of the
 * service.
 */
import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  register: () => import('./register.tsx'),
  'forgot-password': () => import('./forgot-password.tsx'),
  'login-code': () => import('./login-code.tsx'),
  sso: () => import('./sso.tsx'),
};
