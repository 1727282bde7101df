import { conflict, notFound } from '../../shared/errors.ts';
import { requireFor } from './access.ts';
import type { Command, Steps } from './context.ts';
import { endImport, type ImportRow, lockImport } from './queries.ts';
import type { ImportStatus, ListedImport } from './schemas.ts';
import { viewImport } from './view-import.ts';

const TOLD = { DONE: 'import.completed', FAILED: 'import.failed', CANCELLED: 'import.cancelled' } as const;

/** What was written stays; the file is not needed any more. Null: it was over already. */
export async function finishImport(
  ctx: Command,
  row: ImportRow,
  { status, error = null }: { status: keyof typeof TOLD & ImportStatus; error?: string | null },
): Promise<ImportRow | null> {
  const ended = await endImport(ctx.db, row, { status, error, now: ctx.now });
  if (ended) await ctx.emit({ type: TOLD[status], entity: `import:${row.id}`, data: viewImport(ended) });
  return ended;
}

/** Takes the file out of the store, unless it is one of the library. What is missed here is swept. */
export async function forgetFile({ media }: Steps, { fileKey, mediaId }: ImportRow): Promise<void> {
  if (mediaId === null) await media.storage.delete([fileKey]).catch(() => {});
}

/** Rows that are written stay so. Whoever works on it notices at its next batch. */
export async function cancelImport(ctx: Command, id: string): Promise<ListedImport> {
  const row = await lockImport(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Import');
  requireFor(ctx, row.type);
  if (row.status === 'CANCELLED') return viewImport(row);
  const ended = await finishImport(ctx, row, { status: 'CANCELLED' });
  if (!ended) throw conflict('This import is over: there is nothing to cancel.');
  return viewImport(ended);
}
