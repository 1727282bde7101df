import { SUCCESS } from '../../../shared/schemas.ts';
import { saveReferences } from '../../media/index.ts';
import { lockForChange } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { entryKind } from './entry-kind.ts';
import { deleteEntryRow } from './queries.ts';
import { showEntry } from './show-entry.ts';

export async function deleteEntry(ctx: Command, id: string) {
  const { record, version } = await lockForChange(ctx, entryKind, id);
  ctx.checkVersion(version);
  await ctx.content.deletionGuard.beforeEntry(ctx, id);
  await deleteEntryRow(ctx.db, ctx.businessId, id);
  await saveReferences(ctx.db, ctx.businessId, `entry:${id}`, []);
  ctx.emit({ type: 'entry.deleted', entity: `entry:${id}`, data: showEntry(record, ctx.publicUrl()) });
  return SUCCESS;
}
