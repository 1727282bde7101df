/** All formats, most specific first. */
import type { CsvFormat, ImportType, JsonFormat } from './format.ts';
import { ghostMembers } from './ghost/members.ts';
import { ghostPosts } from './ghost/posts.ts';
import { medusaProducts } from './medusa-products.ts';
import { ownEntries } from './own/entries.ts';
import { ownJson } from './own/json.ts';
import { ownOrders } from './own/orders.ts';
import { ownCustomers, ownSubscribers } from './own/people.ts';
import { ownProducts } from './own/products.ts';
import { shopifyCustomers } from './shopify/customers.ts';
import { shopifyOrders } from './shopify/orders.ts';
import { shopifyProducts } from './shopify/products.ts';
import { strapiEntries } from './strapi-entries.ts';
import { subscriberLists } from './subscriber-lists.ts';
import { woocommerceOrders } from './woocommerce/orders.ts';
import { woocommerceOrdersJson } from './woocommerce/orders-json.ts';
import { woocommerceProducts } from './woocommerce/products.ts';

export const CSV_FORMATS: readonly CsvFormat[] = [
  ownOrders,
  shopifyOrders,
  woocommerceOrders,
  ownProducts,
  shopifyProducts,
  medusaProducts,
  woocommerceProducts,
  shopifyCustomers,
  ownCustomers,
  ghostMembers,
  ...subscriberLists,
  ownSubscribers,
  ownEntries,
];

export const JSON_FORMATS: readonly JsonFormat[] = [woocommerceOrdersJson, ...ownJson, ghostPosts, strapiEntries];

export function findFormat(type: ImportType, name: string, isCsv: boolean): CsvFormat | JsonFormat {
  const found = (isCsv ? CSV_FORMATS : JSON_FORMATS).find((format) => format.type === type && format.name === name);
  if (!found) throw new Error(`Unknown format ${name} for ${type}`);
  return found;
}
