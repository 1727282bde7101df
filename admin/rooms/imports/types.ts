/** What can be imported and exported, and what that needs. */
import type { CreateImportQuery, ExportRecordsQuery } from '@souk/client';
import { can, type Permission } from '../../shell/session.ts';

export type ImportType = CreateImportQuery['type'];
export type ExportType = ExportRecordsQuery['type'];

const NEEDED: Record<ImportType, Permission> = {
  products: 'CATALOG_WRITE',
  customers: 'CUSTOMER_WRITE',
  subscribers: 'SUBSCRIBER_WRITE',
  entries: 'CONTENT_WRITE',
  business: 'ADMIN',
};

export const IMPORT_TYPES = Object.keys(NEEDED) as ImportType[];
export const EXPORT_TYPES = IMPORT_TYPES.filter((type) => type !== 'business') as ExportType[];

export const mayImport = (type: ImportType) => can(NEEDED[type]);
