import { conflict, notFound } from '../../../shared/errors.ts';
import { requireFor } from '../access.ts';
import type { Command, Steps } from '../context.ts';
import { endImport, type ImportRow, lockImport } from '../queries.ts';
import type { ImportStatus, ListedImport } from '../schemas.ts';
import { viewImport } from '../view-import.ts';

const EVENTS = { DONE: 'import.completed', FAILED: 'import.failed', CANCELLED: 'import.cancelled' } as const;

/** Keeps written records. Returns null if the import had already ended. */
export async function finishImport(
  ctx: Command,
  row: ImportRow,
  { status, error = null }: { status: keyof typeof EVENTS & ImportStatus; error?: string | null },
): Promise<ImportRow | null> {
  const ended = await endImport(ctx.db, row, { status, error, now: ctx.now });
  if (ended) ctx.emit({ type: EVENTS[status], entity: `import:${row.id}`, data: viewImport(ended) });
  return ended;
}

/** Deletes the file from storage unless it belongs to the media library. Files missed here are swept. */
export async function deleteFile({ media }: Steps, { fileKey, mediaId }: ImportRow): Promise<void> {
  if (mediaId === null) await media.storage.delete([fileKey]).catch(() => {});
}

/** Keeps written rows. A running worker notices at its next batch. */
export async function cancelImport(ctx: Command, id: string): Promise<ListedImport> {
  const row = await lockImport(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Import');
  requireFor(ctx, row.type);
  if (row.status === 'CANCELLED') return viewImport(row);
  const ended = await finishImport(ctx, row, { status: 'CANCELLED' });
  if (!ended) throw conflict('This import has already ended.');
  return viewImport(ended);
}
