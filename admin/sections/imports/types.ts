/** The types of imports and exports, and the permissions they need. */
import type { CreateImportQuery, ExportRecordsQuery } from '@souk/client';
import { can, type Permission } from '../../shell/session.ts';

export type ImportType = CreateImportQuery['type'];
type ExportType = ExportRecordsQuery['type'];

const PERMISSIONS: Record<ImportType, Permission> = {
  products: 'CATALOG_WRITE',
  customers: 'CUSTOMER_WRITE',
  orders: 'ORDER_WRITE',
  subscribers: 'SUBSCRIBER_WRITE',
  entries: 'CONTENT_WRITE',
  business: 'ADMIN',
};

export const IMPORT_TYPES = Object.keys(PERMISSIONS) as ImportType[];
export const EXPORT_TYPES = IMPORT_TYPES.filter((type) => type !== 'business') as ExportType[];

export const canImport = (type: ImportType) => can(PERMISSIONS[type]);
