import {
  type BlockDefinition,
  type BlockSchemaCheck,
  type BlockValue,
  checkBlocks,
  compileBlockSchema,
} from '../../shared/blocks.ts';
import { invalid } from '../../shared/errors.ts';
import { getBusiness } from '../businesses/index.ts';
import { findUsedMedia, mediaIdsIn, useMediaInBlocks } from '../media/index.ts';
import type { Reads } from './context.ts';

/** A compiled schema lives as long as the settings it was read from. */
const compiled = new WeakMap<object, BlockSchemaCheck>();

/** The custom fields of an order, checked against the business's `orderBlocks`, or each against its own type. */
export async function checkOrderBlocks(ctx: Reads, blocks: readonly unknown[]): Promise<BlockValue[]> {
  const { db, businessId, content } = ctx;
  const { orderBlocks = [] } = (await getBusiness(ctx, businessId)).configs;
  if (orderBlocks.length === 0 && blocks.length === 0) return [];
  const checked = orderBlocks.length > 0 ? schemaOf(orderBlocks)(blocks) : checkBlocks(blocks);
  const missing =
    checked.references.length > 0 ? await content.checkReferences(db, businessId, checked.references) : [];
  const errors = [...checked.errors, ...missing];
  if (errors.length > 0) throw invalid(errors);
  const media = await findUsedMedia(ctx, mediaIdsIn(checked.blocks), ctx.media.baseUrl());
  return useMediaInBlocks(checked.blocks, media);
}

function schemaOf(definitions: object[]): BlockSchemaCheck {
  const known = compiled.get(definitions);
  if (known) return known;
  const made = compileBlockSchema(definitions as BlockDefinition[]);
  compiled.set(definitions, made);
  return made;
}
