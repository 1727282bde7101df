import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  suppressions: () => import('./suppressions.tsx'),
  segments: () => import('./segments.tsx'),
  'segments/new': () => import('./segment.tsx'),
  'segments/:id': () => import('./segment.tsx'),
  forms: () => import('./forms.tsx'),
  'forms/new': () => import('./form.tsx'),
  'forms/:id': () => import('./form.tsx'),
  automations: () => import('./automations/list.tsx'),
  'automations/new': () => import('./automations/automation.tsx'),
  'automations/:id': () => import('./automations/automation.tsx'),
  'automations/:id/people': () => import('./automations/people.tsx'),
  new: () => import('./newsletter.tsx'),
  ':id': () => import('./issues.tsx'),
  ':id/settings': () => import('./newsletter.tsx'),
  ':id/subscribers': () => import('./subscribers.tsx'),
  ':id/growth': () => import('./growth.tsx'),
  ':id/new': () => import('./issue.tsx'),
  ':id/:entryId': () => import('./issue.tsx'),
  ':id/:entryId/sends/:sendId': () => import('./send-stats.tsx'),
};
