import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  suppressions: () => import('./subscribers/suppressions.tsx'),
  segments: () => import('./segments/segments.tsx'),
  'segments/new': () => import('./segments/segment.tsx'),
  'segments/:id': () => import('./segments/segment.tsx'),
  forms: () => import('./forms/forms.tsx'),
  'forms/new': () => import('./forms/form.tsx'),
  'forms/:id': () => import('./forms/form.tsx'),
  automations: () => import('./automations/list.tsx'),
  'automations/new': () => import('./automations/automation.tsx'),
  'automations/:id': () => import('./automations/automation.tsx'),
  'automations/:id/people': () => import('./automations/people.tsx'),
  new: () => import('./newsletter.tsx'),
  ':id': () => import('./issues/issues.tsx'),
  ':id/settings': () => import('./newsletter.tsx'),
  ':id/subscribers': () => import('./subscribers/subscribers.tsx'),
  ':id/growth': () => import('./growth.tsx'),
  ':id/new': () => import('./issues/issue.tsx'),
  ':id/:entryId': () => import('./issues/issue.tsx'),
  ':id/:entryId/sends/:sendId': () => import('./issues/send-stats.tsx'),
};
