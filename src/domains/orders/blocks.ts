import { type BlockDefinition, type BlockValue, checkBlocks, compileBlockSchema } from '../../shared/blocks.ts';
import { invalid } from '../../shared/errors.ts';
import type { OrdersContext } from './context.ts';

/** The custom fields of an order, checked against the business's `orderBlocks`, or each against its own type. */
export async function checkOrderBlocks(
  { businesses }: Pick<OrdersContext, 'businesses'>,
  businessId: string,
  blocks: readonly unknown[],
): Promise<BlockValue[]> {
  const { orderBlocks = [] } = (await businesses.get(businessId)).configs;
  if (orderBlocks.length === 0 && blocks.length === 0) return [];
  const checked =
    orderBlocks.length > 0
      ? compileBlockSchema(orderBlocks as unknown as BlockDefinition[])(blocks)
      : checkBlocks(blocks);
  if (checked.errors.length > 0) throw invalid(checked.errors);
  return checked.blocks;
}
