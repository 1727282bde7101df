import type { App } from '../../../http/server.ts';
import { BusinessSlugParams } from '../../../shared/schemas.ts';
import { versionRoutes } from '../../publishing/index.ts';
import { Product } from '../products/schemas.ts';
import { isTaken } from '../products/unique.ts';
import { productKind } from './product-kind.ts';

export const productVersionRoutes = (app: App): void =>
  versionRoutes(app, {
    kind: productKind,
    path: '/v1/businesses/:businessId/products/:id',
    params: BusinessSlugParams,
    tag: 'Products',
    one: 'a product',
    record: Product,
    readers: 'CATALOG_WRITE',
    restoreNote: 'Statuses and stock are not changed.',
    retry: isTaken,
  });
