import type { Permission } from '../../../shell/session.ts';

/** In display order: full access first, then by section. */
export const PERMISSIONS: Permission[] = [
  'ADMIN',
  'CATALOG_WRITE',
  'ORDER_READ',
  'ORDER_WRITE',
  'PROMO_WRITE',
  'CUSTOMER_READ',
  'CUSTOMER_WRITE',
  'CONTENT_READ',
  'CONTENT_WRITE',
  'MEDIA_WRITE',
  'NEWSLETTER_SEND',
  'SUBSCRIBER_READ',
  'SUBSCRIBER_WRITE',
  'BUSINESS_WRITE',
];
