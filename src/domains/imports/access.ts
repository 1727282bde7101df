/** Imports and exports require the write permission for the records they contain. */

import { forbidden } from '../../shared/errors.ts';
import { type Caller, may, type Permission } from '../../shared/security/caller.ts';
import type { ImportType } from './formats/format.ts';

export const REQUIRED_PERMISSION: Record<ImportType, Permission> = {
  products: 'CATALOG_WRITE',
  customers: 'CUSTOMER_WRITE',
  orders: 'ORDER_WRITE',
  subscribers: 'SUBSCRIBER_WRITE',
  entries: 'CONTENT_WRITE',
  business: 'ADMIN',
};

export function requireFor({ caller, businessId }: { caller: Caller; businessId: string }, type: ImportType): void {
  if (!may(caller, businessId, REQUIRED_PERMISSION[type]))
    throw forbidden(`This requires the ${REQUIRED_PERMISSION[type]} permission in this business.`);
}

/** The import of a business creates roles and invitations, which scoped API keys can't do. */
export function requireForImport(ctx: { caller: Caller; businessId: string }, type: ImportType): void {
  requireFor(ctx, type);
  if (type === 'business' && ctx.caller.limits?.kind === 'KEY')
    throw forbidden("A scoped API key can't do this. Log in instead.");
}

/** The record types the caller can import. */
export const allowedTypes = ({ caller, businessId }: { caller: Caller; businessId: string }): ImportType[] =>
  (Object.keys(REQUIRED_PERMISSION) as ImportType[]).filter((type) =>
    may(caller, businessId, REQUIRED_PERMISSION[type]),
  );
