import { SUCCESS } from '../../../shared/schemas.ts';
import { saveReferences } from '../../media/index.ts';
import type { Command } from '../context.ts';
import { lockVisibleEntry } from './lock-visible-entry.ts';
import { deleteEntryRow } from './queries.ts';

export async function deleteEntry(ctx: Command, id: string) {
  const row = await lockVisibleEntry(ctx, id);
  ctx.checkVersion(row.version);
  await ctx.content.deletionGuards.beforeEntry(ctx, id);
  await deleteEntryRow(ctx.db, ctx.businessId, id);
  await saveReferences(ctx.db, ctx.businessId, `entry:${id}`, []);
  await ctx.emit({ type: 'entry.deleted', entity: `entry:${id}`, data: JSON.parse(row.doc) });
  return SUCCESS;
}
