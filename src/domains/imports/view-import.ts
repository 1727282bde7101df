import type { ImportRow } from './queries.ts';
import type { ListedImport } from './schemas.ts';

const MAX_LISTED_NAMES = 30;

export function viewImport(row: ImportRow): ListedImport {
  const { id, businessId, type, format, dryRun, status, fileName, size, rows, created, updated, unchanged } = row;
  const { skipped, failed, errorCount, warningCount, error, userId, createdAt, startedAt, completedAt } = row;
  const progress = status === 'DONE' ? 1 : Math.min(0.999, size > 0 ? row.position / size : 0);
  return {
    id,
    businessId,
    type,
    format,
    dryRun,
    status,
    fileName,
    size,
    progress: Math.round(progress * 1000) / 1000,
    rows,
    created,
    updated,
    unchanged,
    skipped,
    failed,
    errorCount,
    warningCount,
    notes: [...row.notes, ...ignoredNote(row)],
    error,
    userId,
    createdAt,
    startedAt,
    completedAt,
  };
}

function ignoredNote({ ignored, options }: ImportRow): string[] {
  if (ignored.length === 0) return [];
  const label = options.shape === 'csv' ? 'Ignored columns' : 'Ignored fields';
  const more = ignored.length > MAX_LISTED_NAMES ? ` and ${ignored.length - MAX_LISTED_NAMES} more` : '';
  return [`${label}: ${ignored.slice(0, MAX_LISTED_NAMES).join(', ')}${more}.`];
}
