import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./business/business.tsx'),
  markets: () => import('./business/markets.tsx'),
  shipping: () => import('./shipping/shipping.tsx'),
  taxes: () => import('./taxes/taxes.tsx'),
  'taxes/report': () => import('./taxes/report.tsx'),
  payment: () => import('./business/payment.tsx'),
  email: () => import('./emails/emails.tsx'),
  'email/:kind/:language': () => import('./emails/email.tsx'),
  'order-fields': () => import('./business/order-fields.tsx'),
  team: () => import('./team/team.tsx'),
  roles: () => import('./team/roles.tsx'),
  'roles/new': () => import('./team/new-role.tsx'),
  'roles/:id': () => import('./team/role.tsx'),
  'api-keys': () => import('./developers/api-keys.tsx'),
  webhooks: () => import('./developers/webhooks.tsx'),
  'webhooks/new': () => import('./developers/new-webhook.tsx'),
  'webhooks/:id': () => import('./developers/webhook.tsx'),
  audit: () => import('./data/audit.tsx'),
  erasures: () => import('./data/erasures.tsx'),
  imports: () => import('./data/imports.tsx'),
};
