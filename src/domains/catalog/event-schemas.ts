import Type from 'typebox';
import { Id } from '../../shared/schemas.ts';
import { Category } from './categories/schemas.ts';
import { Product } from './products/schemas.ts';

const variant = { productId: Id, variantId: Type.String({ examples: ['m'] }) };
const Amount = (description: string) => Type.Integer({ description, examples: [2] });

export const LowStock = Type.Object({
  ...variant,
  sku: Type.String({ examples: ['LINEN-M'] }),
  quantity: Amount('The quantity in stock.'),
  lowStockThreshold: Amount('The threshold of the variant.'),
});
export const StockAlert = Type.Object(variant);
export const SentStockAlerts = Type.Object({ ...variant, count: Amount('The number of emails.') });

/** The data of each event type. */
export const catalogEvents = {
  'product.created': Product,
  'product.updated': Product,
  'product.draft_saved': Product,
  'product.deleted': Product,
  'inventory.low': LowStock,
  'stock_alert.created': StockAlert,
  'stock_alert.sent': SentStockAlerts,
  'category.created': Category,
  'category.updated': Category,
  'category.deleted': Category,
};
