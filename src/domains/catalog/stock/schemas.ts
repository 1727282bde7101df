import Type, { type Static } from 'typebox';
import {
  Bulk,
  BulkResults,
  BusinessId,
  ChosenId,
  IdOrSlug,
  Input,
  Nullable,
  OneOf,
  Timestamp,
} from '../../../shared/schemas.ts';
import { Inventory, MAX_STOCK } from '../products/schemas.ts';

export const VariantParams = Type.Object({ businessId: BusinessId, id: IdOrSlug, variantId: ChosenId });
const stockChange = {
  adjust: Type.Optional(
    Type.Integer({
      minimum: -MAX_STOCK,
      maximum: MAX_STOCK,
      description:
        'Amount to add to the quantity, or to subtract if negative. Fails if the quantity would drop below 0.',
      examples: [-3],
    }),
  ),
  quantity: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_STOCK, description: 'The new quantity.', examples: [25] }),
  ),
};
export const AdjustInput = Input(stockChange, { examples: [{ adjust: -3 }] });
export const InventoryItem = Input(
  { productId: IdOrSlug, variantId: ChosenId, ...stockChange },
  { examples: [{ productId: 'linen-shirt', variantId: 'main', quantity: 25 }] },
);
export const InventoryInputs = Bulk(InventoryItem);
export const Adjusted = Type.Object(
  { success: Type.Boolean({ examples: [true] }), inventory: Inventory },
  { description: 'The stock after the change.' },
);
export type Adjusted = Static<typeof Adjusted>;
export const InventoryResults = BulkResults(Adjusted);

export const StockChange = Type.Object({
  change: Type.Integer({ examples: [-3] }),
  quantity: Type.Integer({ description: 'The quantity after the change.', examples: [22] }),
  reason: OneOf(['ORDER', 'CANCEL', 'ADJUST', 'SET']),
  reference: Nullable(Type.String({ description: 'The cause of the change, such as an order ID.' })),
  userId: Nullable(Type.String({ description: 'The user who made the change. Null for the system.' })),
  timestamp: Timestamp,
});
