/** Imports and exports need the write permission of what they carry. */
import { type Caller, may, type Permission } from '../../shared/caller.ts';
import { forbidden } from '../../shared/errors.ts';
import type { ImportType } from './formats/format.ts';

export const NEEDED: Record<ImportType, Permission> = {
  products: 'CATALOG_WRITE',
  customers: 'CUSTOMER_WRITE',
  subscribers: 'SUBSCRIBER_WRITE',
  entries: 'CONTENT_WRITE',
  business: 'ADMIN',
};

export function requireFor({ caller, businessId }: { caller: Caller; businessId: string }, type: ImportType): void {
  if (!may(caller, businessId, NEEDED[type]))
    throw forbidden(`This needs the permission ${NEEDED[type]} in this business.`);
}

/** What the caller may import. */
export const allowedTypes = ({ caller, businessId }: { caller: Caller; businessId: string }): ImportType[] =>
  (Object.keys(NEEDED) as ImportType[]).filter((type) => may(caller, businessId, NEEDED[type]));
