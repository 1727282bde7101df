import { prepareTexts } from '../../../shared/blocks/index.ts';
import { changeRecord, findChanged, type RecordChange } from '../../publishing/index.ts';
import { command } from '../context.ts';
import type { Entry, EntryChanges } from './schemas.ts';

type EntryChange = RecordChange<Entry, EntryChanges>;

export const changeEntry = command({
  async prepare(ctx, change: EntryChange) {
    const blocks = change.changes.blocks ?? (await findChanged(ctx, change))?.blocks;
    return { ...change, texts: await prepareTexts(ctx.businessId, blocks) };
  },
  execute: changeRecord<Entry, EntryChanges>,
});
