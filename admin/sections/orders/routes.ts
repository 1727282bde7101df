import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list.tsx'),
  abandoned: () => import('./abandoned.tsx'),
  carts: () => import('./carts.tsx'),
  new: () => import('./new.tsx'),
  print: () => import('./print-many.tsx'),
  returns: () => import('./returns.tsx'),
  'returns/:returnId': () => import('./return.tsx'),
  'bank-statements': () => import('./bank-statements.tsx'),
  'bank-statements/:id': () => import('./bank-statement.tsx'),
  ':id': () => import('./order.tsx'),
  ':id/packing-slip': () => import('./packing-slip.tsx'),
  ':id/shipments/:shipmentId/packing-slip': () => import('./packing-slip.tsx'),
  ':id/invoice': () => import('./invoice.tsx'),
};
