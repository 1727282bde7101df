import { prepareTexts } from '../../../shared/blocks/index.ts';
import { changeRecord, type RecordChange } from '../../publishing/index.ts';
import { command } from '../context.ts';
import { richTextsOf } from './compose-texts.ts';
import type { Product, ProductChanges } from './schemas.ts';

type ProductChange = RecordChange<Product, ProductChanges>;

export const changeProduct = command({
  prepare: async (ctx, change: ProductChange) => ({
    ...change,
    texts: await prepareTexts(ctx.businessId, change.changes.blocks, richTextsOf(change.changes)),
  }),
  execute: changeRecord<Product, ProductChanges>,
});
