import type { Routes } from '../../shell/routes.ts';

export const routes: Routes = {
  '': () => import('./list/list.tsx'),
  abandoned: () => import('./list/abandoned.tsx'),
  carts: () => import('./list/carts.tsx'),
  new: () => import('./new/new.tsx'),
  print: () => import('./print/print-many.tsx'),
  returns: () => import('./returns/returns.tsx'),
  'returns/:returnId': () => import('./returns/return.tsx'),
  'bank-statements': () => import('./bank/bank-statements.tsx'),
  'bank-statements/:id': () => import('./bank/bank-statement.tsx'),
  ':id': () => import('./order/order.tsx'),
  ':id/packing-slip': () => import('./print/packing-slip.tsx'),
  ':id/shipments/:shipmentId/packing-slip': () => import('./print/packing-slip.tsx'),
  ':id/invoice': () => import('./print/invoice.tsx'),
};
