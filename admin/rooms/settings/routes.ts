import type { Routes } from '../../shell/rooms.ts';

export const routes: Routes = {
  '': () => import('./business.tsx'),
  markets: () => import('./markets.tsx'),
  shipping: () => import('./shipping.tsx'),
  payment: () => import('./payment.tsx'),
  email: () => import('./email.tsx'),
  'order-fields': () => import('./order-fields.tsx'),
  team: () => import('./team.tsx'),
  roles: () => import('./roles.tsx'),
  'roles/new': () => import('./new-role.tsx'),
  'roles/:id': () => import('./role.tsx'),
  'api-keys': () => import('./api-keys.tsx'),
  webhooks: () => import('./webhooks.tsx'),
  'webhooks/new': () => import('./new-webhook.tsx'),
  'webhooks/:id': () => import('./webhook.tsx'),
  audit: () => import('./audit.tsx'),
  erasures: () => import('./erasures.tsx'),
  imports: () => import('./imports.tsx'),
};
