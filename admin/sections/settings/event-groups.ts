import type { TextKey } from '../../text/index.ts';

/** Groups of events for webhooks and the audit log: `order.*`. */
export const EVENT_GROUPS: [kind: string, text: TextKey][] = [
  ['order', 'settings.kind_order'],
  ['product', 'settings.kind_product'],
  ['inventory', 'settings.kind_inventory'],
  ['cart', 'settings.kind_cart'],
  ['promo_code', 'settings.kind_promo_code'],
  ['customer', 'settings.kind_customer'],
  ['collection', 'settings.kind_collection'],
  ['entry', 'settings.kind_entry'],
  ['release', 'settings.kind_release'],
  ['media', 'settings.kind_media'],
  ['newsletter', 'settings.kind_newsletter'],
  ['subscription', 'settings.kind_subscription'],
  ['business', 'settings.kind_business'],
  ['mail_template', 'settings.kind_mail_template'],
  ['role', 'settings.kind_role'],
  ['member', 'settings.kind_member'],
  ['invitation', 'settings.kind_invitation'],
  ['import', 'settings.kind_import'],
  ['webhook', 'settings.kind_webhook'],
];
